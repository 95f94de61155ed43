"""Jobs at the desk: what a club takes away and brings in, how far it is, what was wrong."""

from collections.abc import Iterator
from typing import Any, ClassVar, Final
from uuid import UUID

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.utils.formats import get_format
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.messages import message_of
from engine.rules.presets import parse_rules
from engine.rules.rules import RulesError
from scoring.models import SharedRecord
from scoring.transfer.exporting import (
    BUNDLE,
    FORMATS,
    KINDS,
    ExportKind,
    ExportRequest,
    check_request,
    create_job,
)
from scoring.transfer.importing import BY_TAGS
from tournaments import jobs
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.ids import parse_id
from tournaments.core.language import translate, translated_lazily
from tournaments.jobs import UPLOAD_BYTES_MAX, JobRequest
from tournaments.models import Club, Event, Job, JobKind, League
from tournaments.models.limits import max_length
from tournaments.web.desk.base import ButtonsMixin, DeskFormView
from tournaments.web.desk.forms import DeskForm

_IMPORTS: Final = (
    (JobKind.MEMBERS.value, gettext_lazy("Members: a table, CSV or XLSX")),
    (JobKind.ARCHIVE.value, gettext_lazy("Records of hands: PHN or PBN")),
    (JobKind.OPENINGS.value, gettext_lazy("Opening balances of a league: a table, CSV or XLSX")),
)
EVENTS_SHOWN: Final = 300
SHOWN: Final = 50
PROBLEMS_SHOWN: Final = 20


def _kind_words(kind: ExportKind) -> Promise:
    return format_lazy("{}: {}", translated_lazily(kind.title), translated_lazily(kind.description))


def _format_words(key: str, description: str) -> Promise:
    return format_lazy("{}: {}", key.upper(), translated_lazily(description))


class JobForm(DeskForm):
    """A form that asks for a job, with the events and leagues of the club to choose from."""

    more_events: ClassVar[list[tuple[str, Promise]]] = []
    whole: ClassVar[Promise | str] = gettext_lazy("none")

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        events = Event.objects.filter(club=club).order_by("-starts_at", "-pk")[:EVENTS_SHOWN]
        leagues = League.objects.filter(club=club).order_by("-created_at", "-pk")
        for name, rows in (("event", events), ("league", leagues)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            more = self.more_events if name == "event" else []
            field.choices = [("", self.whole), *more, *((str(row.pk), row.name) for row in rows)]


class ExportForm(JobForm):
    """What is taken away, of what, and in which form."""

    ids = "export_%s"
    whole = gettext_lazy("everything")
    what = forms.ChoiceField(
        label=gettext_lazy("What"),
        choices=[(key, _kind_words(kind)) for key, kind in KINDS.items()],
        help_text=gettext_lazy("Standings need an event or a league."),
    )
    event = forms.ChoiceField(label=gettext_lazy("Of the event"), required=False)
    league = forms.ChoiceField(
        label=gettext_lazy("Of the league"),
        required=False,
        help_text=gettext_lazy("Members, the audit trail and the whole club are always all of it."),
    )
    format = forms.ChoiceField(
        label=gettext_lazy("As"),
        choices=[(key, _format_words(key, words)) for key, words in FORMATS.items()],
        help_text=gettext_lazy("Hands can be PHN as well; the whole club is always a bundle."),
    )
    with_ids = forms.BooleanField(
        label=gettext_lazy("With identifiers, for programs"), required=False
    )

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
        """What was asked for; ``site`` is where the pages stand that the file leads to."""
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


class ImportForm(JobForm):
    """What is brought in."""

    ids = "import_%s"
    more_events = [(BY_TAGS, gettext_lazy("that of their tags Event and Date"))]
    kind = forms.ChoiceField(label=gettext_lazy("What"), choices=_IMPORTS)
    file = forms.FileField(label=gettext_lazy("The file"), help_text=gettext_lazy("Up to 5 MiB."))
    league = forms.ChoiceField(label=gettext_lazy("Into the league"), required=False)
    event = forms.ChoiceField(
        label=gettext_lazy("Into the event"),
        required=False,
        help_text=gettext_lazy("Records of hands become games of it, and count in its standings."),
    )
    rules = forms.CharField(
        label=gettext_lazy("House rules of the records"),
        max_length=max_length(SharedRecord, "rules"),
        required=False,
    )
    dry_run = forms.BooleanField(
        label=gettext_lazy("Only say what would happen"), required=False, initial=True
    )

    def job_request(self) -> JobRequest:
        """What was asked for. Raises RefusedError."""
        typed = self.cleaned_data
        file: UploadedFile[bytes] = typed["file"]
        if file.size is None or file.size > UPLOAD_BYTES_MAX:
            raise RefusedError(_("This file is longer than 5 MiB; bring it in parts."), "file")
        try:
            parse_rules(typed["rules"])
        except RulesError as error:
            raise RefusedError(message_of(error), "rules") from error
        params = {name: typed[name] for name in ("rules", "league", "event") if typed[name]}
        content: bytes = file.read()
        kind, dry_run = typed["kind"], typed["dry_run"]
        return JobRequest(kind=kind, params=params, dry_run=dry_run, upload=content)


class Jobs(ButtonsMixin, DeskFormView[JobForm]):
    """What a club asked for lately, with its progress; asks for an export or an import."""

    needs = Right.EXPORTS_MAKE
    template_name = "desk/jobs.html"
    buttons = ("cancel",)

    @property
    def is_import(self) -> bool:
        """Whether the form was sent that brings something in."""
        return self.request.POST.get("do") == "import"

    def get_form_class(self) -> type[JobForm]:
        return ImportForm if self.is_import else ExportForm

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "club": self.club}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if self.is_import:
            self.require(Right.IMPORTS_MAKE)
        return super().post(request, *args, **kwargs)

    def save(self, form: JobForm) -> None:
        if isinstance(form, ExportForm):
            wanted = form.export_request(self.request.build_absolute_uri("/")[:-1])
            create_job(self.club, wanted, by=self.by, at=self.at)
        else:
            assert isinstance(form, ImportForm)
            wish = form.job_request()
            jobs.create(club_id=self.club.pk, request=wish, by=self.by, at=self.at)

    def cancel(self, value: str) -> str:
        """Stop a job."""
        job = jobs.find(parse_id(value))
        if job is None or job.club_id != self.club.pk:
            raise NotThereError
        jobs.cancel(job_id=job.pk, at=self.at)
        return _("Stopped; what was done stays.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        rows = list(Job.objects.filter(club=self.club).order_by("-created_at", "-pk")[:SHOWN])
        sent = kwargs.setdefault("form", None)
        context = {
            "jobs": list(_describe_jobs(rows)),
            "is_busy": any(job.is_alive for job in rows),
            "export_form": ExportForm(club=self.club, initial={"format": _usual_format()}),
            "import_form": ImportForm(club=self.club),
        }
        if sent is not None:
            context["import_form" if isinstance(sent, ImportForm) else "export_form"] = sent
        return super().get_context_data(**{**context, **kwargs})


def _usual_format() -> str:
    """The format that a form offers first: the CSV whose numbers the reader's spreadsheet knows."""
    return "csv-semicolon" if get_format("DECIMAL_SEPARATOR") == "," else "csv"


def _describe_jobs(rows: list[Job]) -> Iterator[tuple[Job, str, str, list[str], bool]]:
    """Each with what it is in words, how far it is, what was wrong, whether it goes on."""
    for job in rows:
        words = dict(_IMPORTS).get(job.kind) or job.kind
        if job.kind == JobKind.EXPORT:
            kind = KINDS.get(job.params.get("what", ""))
            words = translate(kind.title) if kind else words
            words = f"{words} ({str(job.params.get('format', '')).upper()})"
        progress = _progress(job)
        why = job.outcome.get("why", "")
        problems = [translate(why)] if why else []
        problems += [_problem(one) for one in job.problems[:PROBLEMS_SHOWN]]
        yield job, str(words), progress, problems, job.is_alive


def _progress(job: Job) -> str:
    """How much of it is done, in bytes; of a table that was read, what came of its rows."""
    if {"new", "known", "changed"} <= job.outcome.keys():
        words = _("%(new)d new, %(changed)d changed, %(known)d known already")
        return str(words % job.outcome)
    size = str(filesizeformat(job.progress))
    return size if job.total in (None, job.progress) else f"{size} / {filesizeformat(job.total)}"


def _problem(one: dict[str, Any]) -> str:
    line, words = one.get("line"), translate(one.get("message") or one.get("detail") or "")
    return _("line %(line)s: %(words)s") % {"line": line, "words": words} if line else str(words)
