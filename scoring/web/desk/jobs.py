"""Jobs at the desk: what a club takes away and brings in, how far it is, what was wrong.

A backup is the whole club as one file to keep.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django import forms
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.formats import date_format, get_format
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.core.messages import Message
from scoring.transfer.exporting import (
    BUNDLE,
    FORMATS,
    KINDS,
    ExportKind,
    ExportRequest,
    check_request,
    create_job,
)
from tournaments import jobs
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.ids import parse_id
from tournaments.core.language import translate, translated_lazily
from tournaments.core.public_address import public_site
from tournaments.core.time_zones import local
from tournaments.imports import TABLE_IMPORTS
from tournaments.jobs import KEPT
from tournaments.models import Club, Event, Job, JobKind, JobState, League
from tournaments.selectors import describe_backups
from tournaments.tables.formats import FORMATS as TABLE_FORMATS
from tournaments.web.desk.base import ActionMixin, ButtonsMixin, DeskFormView, DeskPage
from tournaments.web.desk.forms import DeskForm

ARCHIVE_TITLE: Final = Message("Records of hands")
LAB_TITLE: Final = Message("Games of bots by house rules")
EVENTS_SHOWN: Final = 300
SHOWN: Final = 50
BACKUPS_SHOWN: Final = 10
PROBLEMS_SHOWN: Final = 20


def _kind_words(kind: ExportKind) -> Promise:
    return format_lazy("{}: {}", translated_lazily(kind.title), translated_lazily(kind.description))


def _format_words(key: str, description: str) -> Promise:
    name = TABLE_FORMATS[key].name if key in TABLE_FORMATS else key.upper()
    return format_lazy("{}: {}", name, translated_lazily(description))


def _day_of(event: Event, club: Club) -> str:
    """The day of an event: many nights have one name."""
    return date_format(local(event.starts_at, club.time_zone), _("j M Y"))


def choose_places(club: Club) -> dict[str, list[tuple[object, str]]]:
    """The latest events and the leagues of a club, to choose from."""
    events = Event.objects.filter(club=club).order_by("-starts_at", "-pk")[:EVENTS_SHOWN]
    leagues = League.objects.filter(club=club).order_by("-created_at", "-pk")
    return {
        "event": [(row.pk, f"{row.name}, {_day_of(row, club)}") for row in events],
        "league": [(row.pk, row.name) for row in leagues],
    }


class ExportForm(DeskForm):
    """The kind, scope and form of an export."""

    ids = "export_%s"
    what = forms.ChoiceField(
        label=gettext_lazy("What"),
        choices=[(key, _kind_words(kind)) for key, kind in KINDS.items()],
        help_text=gettext_lazy("Standings need a night or a league."),
    )
    event = forms.ChoiceField(label=gettext_lazy("Of the night"), required=False)
    league = forms.ChoiceField(
        label=gettext_lazy("Of the league"),
        required=False,
        help_text=gettext_lazy("The audit trail and the whole club are always all of it."),
    )
    format = forms.ChoiceField(
        label=gettext_lazy("As"),
        choices=[(key, _format_words(key, words)) for key, words in FORMATS.items()],
        help_text=gettext_lazy("Hands can be PHN as well; the whole club is always a bundle."),
    )
    with_ids = forms.BooleanField(
        label=gettext_lazy("With identifiers, for programs"), required=False
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, choices in choose_places(club).items():
            self.set_choices(name, [("", _("everything")), *choices])

    def clean(self) -> dict[str, Any]:
        """Say at once what no file can be; a whole club is a bundle, whatever was chosen."""
        typed: dict[str, Any] = super().clean() or self.cleaned_data
        if typed.get("what") == "club":
            typed["format"] = BUNDLE
        if typed.keys() >= {"what", "format"}:
            try:
                check_request(self.export_request(""))
            except RefusedError as error:
                self.add_error(error.field, translate(error.message))
        return typed

    def export_request(self, site: str) -> ExportRequest:
        """Return the requested export; ``site`` is where the pages stand that the file leads to."""
        typed = self.cleaned_data
        event, league = typed.get("event"), typed.get("league")
        return ExportRequest(
            what=typed["what"],
            format=typed["format"],
            event=UUID(event) if event else None,
            league=UUID(league) if league else None,
            ids=typed["with_ids"],
            site=site,
        )


class Jobs(ButtonsMixin, DeskFormView[ExportForm]):
    """The club's latest jobs, with their progress; asks for an export."""

    needs = Right.EXPORTS_MAKE
    template_name = "desk/jobs.html"
    form_class = ExportForm
    buttons = ("cancel",)

    def get_initial(self) -> dict[str, Any]:
        # The CSV whose numbers the reader's spreadsheet knows.
        return {"format": "csv-semicolon" if get_format("DECIMAL_SEPARATOR") == "," else "csv"}

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "club": self.club}

    def save(self, form: ExportForm) -> None:
        wanted = form.export_request(public_site(self.request))
        create_job(self.club, wanted, by=self.by, at=self.at)

    def cancel(self, value: str) -> str:
        """Stop a job."""
        job = jobs.find(parse_id(value))
        if job is None or job.club_id != self.club.pk:
            raise NotThereError
        jobs.cancel(job_id=job.pk, at=self.at)
        return _("Stopped. What an import added before that can be undone.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        all_rows = Job.objects.filter(club=self.club).order_by("-created_at", "-pk")
        rows = list(all_rows.exclude(state=JobState.DRAFT)[:SHOWN])
        context = {
            "jobs": list(describe_jobs(rows)),
            "drafts": list(_describe_drafts(all_rows.filter(state=JobState.DRAFT))),
            "is_busy": any(job.is_alive for job in rows),
        }
        return super().get_context_data(**{**context, **kwargs})


def title_of(kind: str) -> str:
    """Return the name of an import or of another job, in words."""
    if kind == JobKind.LAB:
        return translate(LAB_TITLE)
    return translate(TABLE_IMPORTS[kind].title if kind in TABLE_IMPORTS else ARCHIVE_TITLE)


def address_of(draft: Job) -> str:
    """The page on which an import goes on."""
    name = "archive" if draft.kind == JobKind.ARCHIVE else "columns"
    return reverse(f"desk-import-{name}", args=[draft.pk])


def _describe_drafts(rows: Iterable[Job]) -> Iterator[tuple[Job, str, str]]:
    """Imports that were begun and not brought in: each with what it is and where it goes on."""
    for draft in rows:
        if "job" not in draft.params:
            yield draft, title_of(draft.kind), address_of(draft)


def describe_jobs(rows: list[Job]) -> Iterator[tuple[Job, str, str, list[str], list[str], bool]]:
    """Each with its title, how far it is, what is wrong, what it leaves out, whether it goes on."""
    for job in rows:
        words = title_of(job.kind)
        if job.kind == JobKind.EXPORT:
            kind = KINDS.get(job.params.get("what", ""))
            words = translate(kind.title) if kind else job.kind
            key = str(job.params.get("format", ""))
            form = TABLE_FORMATS.get(key)
            words = f"{words} ({form.name if form else key.upper()})"
        progress = _progress(job)
        why = job.outcome.get("why", "")
        problems = [translate(why)] if why else []
        problems += [_problem(problem) for problem in job.problems[:PROBLEMS_SHOWN]]
        notices = [translate(notice) for notice in job.outcome.get("notices", [])[:PROBLEMS_SHOWN]]
        yield job, str(words), progress, problems, notices, job.is_alive


def _progress(job: Job) -> str:
    """Return the progress in bytes or games; of an import of a table, the counts of its rows."""
    if {"new", "known", "changed"} <= job.outcome.keys():
        words = _("%(new)d new, %(changed)d changed, %(known)d known already")
        return str(words % job.outcome)
    if job.kind == JobKind.LAB:
        return str(_("%(done)s of %(total)s games") % {"done": job.done, "total": job.total})
    size = str(filesizeformat(job.progress))
    return size if job.total in (None, job.progress) else f"{size} / {filesizeformat(job.total)}"


def _problem(one: dict[str, Any]) -> str:
    line, words = one.get("line"), translate(one.get("message") or one.get("detail") or "")
    return _("line %(line)s: %(words)s") % {"line": line, "words": words} if line else str(words)


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
        copies = list(_copies(made.order_by("-created_at", "-pk")[:BACKUPS_SHOWN]))
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
