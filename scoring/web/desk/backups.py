"""Backups at the desk: the whole club as one file to keep, and how it is brought back."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.transfer.exporting import BUNDLE
from tournaments import jobs
from tournaments.access.rights import Right
from tournaments.core.language import translate
from tournaments.jobs import KEPT, JobRequest
from tournaments.models import Job, JobKind
from tournaments.web.desk.base import REFUSED, DeskPage

SHOWN: Final = 10


@dataclass(frozen=True, slots=True)
class Copy:
    """A backup: how much of it is written, the digest that proves it, why there is none."""

    job: Job
    size: str
    head: str
    why: str
    is_there: bool


class Backups(DeskPage):
    """The club as a whole, to be taken away and kept."""

    needs = Right.EXPORTS_MAKE
    template = "desk/backup.html"

    def get(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """The backups of the last days, and what to do with one."""
        return self._shown()

    def post(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Have one made."""
        club = self.visit.club

        def work() -> str:
            bundle = JobRequest(kind=JobKind.EXPORT, params={"what": "club", "format": BUNDLE})
            jobs.create(club_id=club.pk, request=bundle, by=self.visit.by, at=self.visit.at)
            return reverse("desk-backup", args=[club.pk])

        return self.tried(
            work,
            said=_("The backup is being made."),
            otherwise=lambda why: self._shown(REFUSED, problem=why),
        )

    def _shown(self, status: int = 200, problem: str = "") -> HttpResponse:
        exports = Job.objects.filter(club=self.visit.club, kind=JobKind.EXPORT)
        made = exports.filter(params__format=BUNDLE)
        copies = list(_copies(made.order_by("-created_at", "-pk")[:SHOWN]))
        context = {
            "copies": copies,
            "is_busy": any(copy.job.is_alive for copy in copies),
            "days": KEPT.days,
            "problem": problem,
        }
        return self.shown(context, status)


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
