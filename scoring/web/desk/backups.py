"""Backups at the desk: the whole club as one file to keep, and how it is brought back."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from scoring.transfer.exporting import BUNDLE, ExportRequest, create_job
from tournaments.access.rights import Right
from tournaments.core.language import translate
from tournaments.jobs import KEPT
from tournaments.models import Job, JobKind
from tournaments.selectors import describe_backups
from tournaments.web.desk.base import ActionMixin, DeskPage

SHOWN: Final = 10


@dataclass(frozen=True, slots=True)
class Copy:
    """A backup: how much of it is written, the digest that proves it, why there is none."""

    job: Job
    size: str
    head: str
    why: str
    is_there: bool


class Backups(ActionMixin, DeskPage):
    """The club as a whole, to be taken away and kept: the backups of the last days."""

    needs = Right.EXPORTS_MAKE
    template_name = "desk/backup.html"

    def act(self) -> str:
        """Have one made."""
        bundle = ExportRequest(what="club", format=BUNDLE)
        create_job(self.club, bundle, by=self.by, at=self.at)
        return _("The backup is being made.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        exports = Job.objects.filter(club=self.club, kind=JobKind.EXPORT)
        made = exports.filter(params__format=BUNDLE)
        copies = list(_copies(made.order_by("-created_at", "-pk")[:SHOWN]))
        return super().get_context_data(
            copies=copies,
            is_busy=any(copy.job.is_alive for copy in copies),
            days=KEPT.days,
            reports=describe_backups(self.at),
            **kwargs,
        )


def _copies(rows: Iterable[Job]) -> Iterator[Copy]:
    for job in rows:
        size = job.bytes_written if job.is_alive else job.done
        yield Copy(
            job=job,
            size=filesizeformat(size) if size else "",
            head=str(job.outcome.get("head", "")),
            why=translate(job.outcome.get("why", "")),
            is_there=bool(job.file),
        )
