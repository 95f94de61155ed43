"""Jobs at the desk: what a club takes away and brings in, how far it is, what was wrong."""

from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.messages import message_of
from engine.rules.presets import parse_rules
from engine.rules.rules import RulesError
from scoring.transfer.exporting import BUNDLE, FORMATS, KINDS, PHN
from scoring.transfer.importing import BY_TAGS
from tournaments import jobs
from tournaments.access import rights
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.ids import parse_id
from tournaments.core.language import translate
from tournaments.jobs import UPLOAD_BYTES_MAX, JobRequest
from tournaments.models import Event, Job, JobKind, League
from tournaments.web.desk.base import REFUSED, DeskPage
from tournaments.web.desk.forms import DeskForm

_IMPORTS: Final = (
    (JobKind.MEMBERS.value, gettext_lazy("Members: a table, CSV or XLSX")),
    (JobKind.ARCHIVE.value, gettext_lazy("Records of hands: PHN or PBN")),
    (JobKind.OPENINGS.value, gettext_lazy("Opening balances of a league: a table, CSV or XLSX")),
)
_WHAT: Final = {
    "standings": gettext_lazy("Standings of an event or a league"),
    "results": gettext_lazy("Results"),
    "hands": gettext_lazy("Hands"),
    "chips": gettext_lazy("Ledger of chips"),
    "money": gettext_lazy("Ledger of money"),
    "members": gettext_lazy("Members"),
    "trail": gettext_lazy("What was done"),
    "club": gettext_lazy("The whole club, as a bundle"),
}
SHOWN: Final = 50
PROBLEMS_SHOWN: Final = 20


class ExportForm(DeskForm):
    """What is taken away, and in which form."""

    ids = "export_%s"
    what = forms.ChoiceField(
        label=gettext_lazy("What"), choices=[(kind, _WHAT.get(kind, kind)) for kind in KINDS]
    )
    format = forms.ChoiceField(
        label=gettext_lazy("As"), choices=[(one, one.upper()) for one in FORMATS]
    )
    event = forms.ChoiceField(label=gettext_lazy("Of the event"), required=False)
    league = forms.ChoiceField(label=gettext_lazy("Of the league"), required=False)

    def clean(self) -> dict[str, Any]:
        """Say at once what no file can be; a whole club is a bundle, whatever was chosen."""
        typed: dict[str, Any] = super().clean() or self.cleaned_data
        what, form = typed.get("what"), typed.get("format")
        if what == "club":
            typed["format"] = BUNDLE
        elif form == BUNDLE:
            self.add_error("format", _("Only the whole club is a bundle."))
        elif form == PHN and what != "hands":
            self.add_error("format", _("Only hands are written as PHN."))
        if what == "standings" and bool(typed.get("event")) == bool(typed.get("league")):
            self.add_error("event", _("Standings are those of one event, or of one league."))
        return typed


class ImportForm(DeskForm):
    """What is brought in."""

    ids = "import_%s"
    kind = forms.ChoiceField(label=gettext_lazy("What"), choices=_IMPORTS)
    file = forms.FileField(label=gettext_lazy("The file"), help_text=gettext_lazy("Up to 5 MiB."))
    league = forms.ChoiceField(label=gettext_lazy("Into the league"), required=False)
    event = forms.ChoiceField(
        label=gettext_lazy("Into the event"),
        required=False,
        help_text=gettext_lazy("Records of hands become games of it, and count in its standings."),
    )
    rules = forms.CharField(
        label=gettext_lazy("House rules of the records"), max_length=4096, required=False
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


class Jobs(DeskPage):
    """All that a club asked for lately."""

    needs = Right.EXPORTS_MAKE
    template = "desk/jobs.html"

    def get(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """The newest first, each with its progress."""
        return self._shown()

    def post(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Ask for an export or an import, or cancel a job."""
        if "cancel" in request.POST:
            return self._cancelled()
        if request.POST.get("do") == "import":
            assert self.visit.place is not None
            rights.admit(self.visit.asker, self.visit.place, Right.IMPORTS_MAKE)
            brought = self._with_places(ImportForm(request.POST, request.FILES))
            assert isinstance(brought, ImportForm)
            asked = self.saved(brought, lambda: self._create(brought.job_request()))
            return asked or self._shown(REFUSED, import_form=brought)
        taken = self._with_places(ExportForm(request.POST))

        def work() -> str:
            params = {name: text for name, text in taken.cleaned_data.items() if text}
            return self._create(JobRequest(kind=JobKind.EXPORT, params=params))

        return self.saved(taken, work) or self._shown(REFUSED, export_form=taken)

    def _create(self, wanted: JobRequest) -> str:
        club = self.visit.club
        jobs.create(club_id=club.pk, request=wanted, by=self.visit.by, at=self.visit.at)
        return reverse("desk-jobs", args=[club.pk])

    def _cancelled(self) -> HttpResponse:
        job = jobs.find(parse_id(self.request.POST["cancel"]))
        if job is None or job.club_id != self.visit.club.pk:
            raise NotThereError

        def work() -> str:
            jobs.cancel(job_id=job.pk, at=self.visit.at)
            return reverse("desk-jobs", args=[self.visit.club.pk])

        return self.tried(
            work,
            said=_("Stopped; what was done stays."),
            otherwise=lambda why: self._shown(REFUSED, problem=why),
        )

    def _with_places(self, form: DeskForm) -> DeskForm:
        """A form with the events and leagues of the club to choose from."""
        club = self.visit.club
        events = Event.objects.filter(club=club).order_by("-starts_at", "-pk")[:300]
        leagues = League.objects.filter(club=club).order_by("-created_at", "-pk")
        for name, rows in (("event", events), ("league", leagues)):
            field = form.fields.get(name)
            if isinstance(field, forms.ChoiceField):
                tags = [(BY_TAGS, _("that of their tags Event and Date"))]
                by_tags = tags if name == "event" and isinstance(form, ImportForm) else []
                named = [(str(row.pk), row.name) for row in rows]
                field.choices = [("", _("none")), *by_tags, *named]
        return form

    def _shown(self, status: int = 200, **more: Any) -> HttpResponse:
        known = Job.objects.filter(club=self.visit.club)
        rows = list(known.order_by("-created_at", "-pk")[:SHOWN])
        context = {
            "jobs": list(_told(rows)),
            "is_busy": any(job.is_alive for job in rows),
            "export_form": self._with_places(ExportForm()),
            "import_form": self._with_places(ImportForm()),
        }
        return self.shown({**context, **more}, status)


def _told(rows: list[Job]) -> Iterator[tuple[Job, str, str, list[str], bool]]:
    """Each with what it is in words, how far it is, what was wrong, whether it goes on."""
    for job in rows:
        what = job.params.get("what", "") if job.kind == JobKind.EXPORT else ""
        words = _WHAT.get(what) or dict(_IMPORTS).get(job.kind) or job.kind
        if job.kind == JobKind.EXPORT and job.params.get("format"):
            words = f"{words} ({str(job.params['format']).upper()})"
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
