"""Bringing a file in at the desk, step by step: the file, its columns, every row, the result.

The file is kept as a draft until it is brought in; nothing is written before the last step. What a
page shows is computed from the draft, so that each step has an address and can be gone back to.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.core.messages import Message, message_of
from engine.notation.foreign_files import describe_foreign
from engine.notation.pasted_text import mend_text
from scoring.models import SharedRecord
from scoring.transfer.importing import BY_TAGS, read_options
from scoring.web.desk.jobs import ARCHIVE_TITLE, address_of, choose_places, title_of
from tournaments import jobs
from tournaments.access.rights import Place, Right
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.language import translate
from tournaments.imports import (
    ACCEPT,
    ACTION_TITLES,
    MEMBERS_KNOWN,
    QUESTIONS,
    TABLE_IMPORTS,
    RowAction,
    TableImport,
    TableSettings,
    open_import,
    plan_import,
    request_from_params,
)
from tournaments.imports.table import HEADER_ROWS, ImportTable
from tournaments.jobs import UPLOAD_BYTES_MAX, JobRequest
from tournaments.models import Club, Import, Job, JobKind, JobState
from tournaments.models.limits import max_length
from tournaments.tables.input_model import cell_text, column_letters
from tournaments.web.desk.base import ButtonsMixin, DeskFormView, DeskPage
from tournaments.web.desk.forms import DeskForm
from tournaments.web.number_format import NOTHING

_ARCHIVE_HELP: Final = Message("What was played, hand by hand, as PHN or PBN.")
AT_ONCE_BYTES: Final = 512 * 1024
"""A longer file is looked through by a worker; a shorter one while somebody waits."""
ROWS_SHOWN: Final = 8
"""How many rows under the heading are shown where columns are chosen."""
PLAN_SHOWN: Final = 200
PROBLEMS_SHOWN: Final = 200
CELL_SHOWN: Final = 60
_HEAD_BYTES: Final = 8192
_RECORD_START: Final = re.compile(r"^\ufeff?(?:% P[HB]N|\[\w+[ \t]+\")", re.MULTILINE)
_ARCHIVE_FIGURES: Final = (
    ("new", gettext_lazy("new games"), "games"),
    ("new", gettext_lazy("new hands"), "hands"),
    ("new", gettext_lazy("new people"), "new_players"),
    ("known", gettext_lazy("known already"), "known"),
    ("left_out", gettext_lazy("left out"), "left_out"),
)
"""The counts of an archive that pages show: their colour, their title and their key."""
STEPS: Final = (
    gettext_lazy("The file"),
    gettext_lazy("The columns"),
    gettext_lazy("Every row"),
    gettext_lazy("Done"),
)


class ImportFileForm(DeskForm):
    """A file to import, or rows that were copied from a spreadsheet."""

    is_quiet = True
    kind = forms.ChoiceField(label=gettext_lazy("What is it?"), widget=forms.RadioSelect)
    file = forms.FileField(
        label=gettext_lazy("The file"),
        required=False,
        help_text=gettext_lazy(
            "Excel (.xlsx), OpenDocument (.ods) or CSV; records of hands: PHN or PBN. Up to 5 MiB."
        ),
    )
    text = forms.CharField(
        label=gettext_lazy("Or paste it here"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "wrap": "off", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Mark the rows in your spreadsheet, with the row of headings, copy and paste them."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = [(kind, translate(one.title)) for kind, one in TABLE_IMPORTS.items()]
        self.set_choices("kind", [*kinds, (JobKind.ARCHIVE.value, translate(ARCHIVE_TITLE))])

    def clean(self) -> dict[str, Any]:
        """One of the two, and not too long."""
        typed: dict[str, Any] = super().clean() or self.cleaned_data
        file: UploadedFile[bytes] | None = typed.get("file")
        text: str = typed.get("text", "")
        if file is None and "file" in typed and not text.strip():
            self.add_error("file", _("Choose a file, or paste the rows below."))
        if file is not None and (file.size or 0) > UPLOAD_BYTES_MAX:
            self.add_error("file", _("This file is longer than 5 MiB; import it in parts."))
        if len(text.encode("utf-8", "replace")) > UPLOAD_BYTES_MAX:
            self.add_error("text", _("This is longer than 5 MiB; import it in parts."))
        return typed

    def to_request(self) -> JobRequest:
        """The draft of the job."""
        typed = self.cleaned_data
        file: UploadedFile[bytes] | None = typed["file"]
        if file is None:
            data, name = typed["text"].encode("utf-8", "replace"), ""
        else:
            data, name = file.read(), file.name or ""
        return JobRequest(kind=typed["kind"], upload=data, file_name=name)


class ChooseFile(DeskFormView[ImportFileForm]):
    """The first step."""

    needs = Right.IMPORTS_MAKE
    template_name = "desk/import_file.html"
    form_class = ImportFileForm
    draft: Job

    def get_initial(self) -> dict[str, Any]:
        wanted = self.request.GET.get("kind", "")
        return {"kind": wanted or next(iter(TABLE_IMPORTS))}

    def save(self, form: ImportFileForm) -> None:
        request = form.to_request()
        check_file(request)
        self.draft = jobs.create_draft(
            club_id=self.club.pk, request=request, by=self.by, at=self.at
        )

    def get_success_url(self) -> str:
        return address_of(self.draft)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**{"steps": STEPS, "step": 1, **kwargs})
        about = [*(one.help for one in TABLE_IMPORTS.values()), _ARCHIVE_HELP]
        kinds = zip(context["form"]["kind"], map(translate, about), strict=True)
        return {**context, "kinds": list(kinds)}


def check_file(request: JobRequest) -> None:
    """Raise RefusedError for a file that is not of its kind: better now than two steps later."""
    data = request.upload or b""
    foreign = describe_foreign(data) if request.kind == JobKind.ARCHIVE else None
    if foreign is not None:
        raise RefusedError(foreign, "file")
    head = mend_text(data[:_HEAD_BYTES].decode("utf-8", "replace").replace("\r", ""))[0]
    record = _RECORD_START.search(head)
    if request.kind == JobKind.ARCHIVE and record is None:
        raise RefusedError(Message("These are no records of hands."), "file")
    if request.kind != JobKind.ARCHIVE and record and not head[: record.start()].strip("\ufeff \n"):
        raise RefusedError(Message("These are records of hands. Choose them above."), "kind")
    if request.kind in TABLE_IMPORTS:
        fields = TABLE_IMPORTS[request.kind].fields
        open_import(data, fields, TableSettings(), request.file_name)


class ImportMixin(ButtonsMixin):
    """A page of an import: of the draft that keeps its file, or of a job that a worker does."""

    needs = Right.IMPORTS_MAKE
    job: Job
    draft: Job | None
    step: int

    def get_place(self) -> Place:
        job = jobs.find(self.kwargs["job_id"])
        if job is None or job.kind not in (JobKind.ARCHIVE, *TABLE_IMPORTS):
            return Place(None)
        self.job, self.draft = job, job
        if job.state != JobState.DRAFT:
            self.draft = jobs.find_draft(job)
        return Place(job.club)

    def get_draft(self) -> Job:
        """The draft. Raises NotThereError where it is not kept any more."""
        if self.draft is None or not self.draft.upload_path.is_file():
            raise NotThereError
        return self.draft

    def start(self, *, dry_run: bool) -> str:
        """Let a worker import the file, or only try it; return the address of its progress."""
        draft = self.get_draft()
        once = {ACCEPT: True} if not dry_run and self.request.POST.get(ACCEPT) else {}
        job = jobs.create_from_draft(
            draft=draft, dry_run=dry_run, by=self.by, at=self.at, once=once
        )
        return reverse("desk-import-result", args=[job.pk])

    def bring(self, _value: str) -> str:
        """Let a worker bring the file in."""
        self.following = self.start(dry_run=False)
        return ""

    following = ""

    def get_success_url(self) -> str:
        return self.following or super().get_success_url()

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        frame = {"job": self.job, "draft": self.draft, "title": title_of(self.job.kind)}
        if self.draft is not None:
            frame["first_page"] = address_of(self.draft)
        steps = {"steps": STEPS, "step": self.step}
        return super().get_context_data(**{**frame, **steps, **kwargs})


class ColumnsForm(DeskForm):
    """The reading of a table: where its heading is, and what its columns hold."""

    is_quiet = True

    def __init__(
        self,
        *args: Any,
        table: ImportTable,
        table_import: TableImport,
        club: Club,
        params: Mapping[str, Any],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.table = table
        if len(table.file.sheets) > 1:
            self.fields["sheet"] = forms.ChoiceField(
                label=_("Worksheet"),
                choices=[(name, name) for name in table.file.sheets],
                initial=table.file.sheet,
            )
        if table.file.previews:
            question = QUESTIONS["encoding"]
            known = [
                (one, f"{translate(question.choices[one])}: {text}")
                for one, text in table.file.previews.items()
            ]
            is_open = table.file.has_doubtful_letters
            self.fields["encoding"] = forms.ChoiceField(
                label=translate(question.text),
                choices=[*([("", _("please choose"))] if is_open else []), *known],
                initial="" if is_open else table.file.encoding,
            )
        rows = [*table.above, *([table.header] if table.header.cells else []), *table.first]
        headings = [
            (
                row.line,
                _("row %(line)d: %(cells)s") % {"line": row.line, "cells": _shorten(row.cells)},
            )
            for row in rows[:HEADER_ROWS]
        ]
        self.fields["header_row"] = forms.TypedChoiceField(
            label=_("Which row has the headings?"),
            choices=[*headings, (0, _("none: the first row is a row like the others"))],
            coerce=int,
            initial=table.header.line,
        )
        suggested = table_import.suggest(club, table)
        self.required = [one.key for one in table_import.options if one.is_required]
        self.optional = [one.key for one in table_import.options if not one.is_required]
        for option in table_import.options:
            about: dict[str, Any] = {
                "label": translate(option.label),
                "required": False,
                "initial": params.get(option.key) or suggested.get(option.key, ""),
                "help_text": translate(option.help),
            }
            if option.is_text:
                self.fields[option.key] = forms.CharField(max_length=60, **about)
            else:
                known = [(value, translate(words)) for value, words in option.choices(club)]
                empty = _("please choose") if option.is_required else NOTHING
                self.fields[option.key] = forms.ChoiceField(choices=[("", empty), *known], **about)
        fields = [(field.key, translate(field.label)) for field in table_import.fields]
        for column in range(1, table.width + 1):
            self.fields[f"column_{column}"] = forms.ChoiceField(
                label=_("Column %(letters)s holds") % {"letters": column_letters(column)},
                choices=[("", _("not used")), *fields],
                required=False,
                initial=table.holds(column),
            )
        self.repeated = {field.key for field in table_import.fields if field.is_repeated}
        self.labels = dict(fields)

    def columns(self) -> Iterator[tuple[str, str, forms.BoundField]]:
        """Yield of each column its letters, what stands above it, and the field that it holds."""
        for column in range(1, self.table.width + 1):
            heading = cell_text(self.table.heading(column))
            yield column_letters(column), heading, self[f"column_{column}"]

    def before_columns(self) -> list[forms.BoundField]:
        """The fields that stand above the table: those that always need a look."""
        seldom = {field.name for field in self.seldom}
        names = [name for name in self.fields if not name.startswith("column_")]
        return [self[name] for name in names if name not in seldom]

    @property
    def seldom(self) -> list[forms.BoundField]:
        """Options that matter only where the file leaves something open."""
        return [self[name] for name in self.optional]

    @property
    def has_seldom(self) -> bool:
        """Whether one of them is wrong, or was chosen."""
        return any(field.errors or field.value() for field in self.seldom)

    def chosen_columns(self) -> dict[str, str]:
        """Return the meaning of each column, by its number."""
        numbers = range(1, self.table.width + 1)
        return {str(number): self.cleaned_data.get(f"column_{number}", "") for number in numbers}

    @property
    def is_other_table(self) -> bool:
        """Whether another row or worksheet was chosen, whose columns were not shown yet."""
        typed = self.cleaned_data
        sheet = typed.get("sheet", self.table.file.sheet)
        return (typed.get("header_row"), sheet) != (self.table.header.line, self.table.file.sheet)

    def to_params(self) -> dict[str, Any]:
        """Return the typed values as parameters of the job."""
        typed = self.cleaned_data
        names = [name for name in self.fields if not name.startswith("column_")]
        params = {name: typed[name] for name in names}
        if params.get("sheet", self.table.file.sheet) != self.table.file.sheet:
            params["header_row"] = None
        return {**params, "columns": {} if self.is_other_table else self.chosen_columns()}

    def clean(self) -> dict[str, Any]:
        """Nothing is missing, and no two columns hold the same."""
        typed: dict[str, Any] = super().clean() or self.cleaned_data
        if self.is_other_table:
            return typed
        for key in self.required:
            if not typed.get(key):
                self.add_error(key, _("Please choose."))
        seen = dict[str, str]()
        for number, key in self.chosen_columns().items():
            if key in seen and key not in self.repeated:
                words = _("Column %(letters)s holds this already (%(field)s).")
                told = {"letters": seen[key], "field": self.labels[key]}
                self.add_error(f"column_{number}", words % told)
            if key:
                seen.setdefault(key, column_letters(int(number)))
        return typed


class Columns(ImportMixin, DeskFormView[ColumnsForm]):
    """The second step: the first rows, and what each column holds."""

    template_name = "desk/import_columns.html"
    form_class = ColumnsForm
    step = 2

    def get_form_kwargs(self) -> dict[str, Any]:
        draft = self.get_draft()
        request = request_from_params(draft.kind, draft.upload_path.read_bytes(), draft.params)
        fields = request.table_import.fields
        self.table = open_import(request.data, fields, request.settings, draft.file_name)
        own = {"table": self.table, "table_import": request.table_import, "params": draft.params}
        return {**super().get_form_kwargs(), **own, "club": self.club}

    def save(self, form: ColumnsForm) -> None:
        draft = self.get_draft()
        params = {**draft.params, **form.to_params()}
        request = request_from_params(draft.kind, draft.upload_path.read_bytes(), params)
        table_import = request.table_import
        table = open_import(request.data, table_import.fields, request.settings)
        if not form.is_other_table and (missing := table_import.require(table.columns.keys())):
            raise RefusedError(missing)
        is_long = (draft.total or 0) > AT_ONCE_BYTES
        if not form.is_other_table and not is_long:
            # What is refused is said at its field here, not one page later.
            plan_import(self.club, request, self.at)
        self.draft = jobs.change_draft(draft=draft, params=params)
        if not form.is_other_table:
            self.following = reverse("desk-import-check", args=[draft.pk])
            if is_long:
                self.following = self.start(dry_run=True)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        table: ImportTable = context["form"].table
        rows = [(row.line, _show_cells(row.cells, table.width)) for row in table.first[:ROWS_SHOWN]]
        return {**context, "rows": rows, "columns": list(context["form"].columns())}


class ArchiveForm(DeskForm):
    """The destination of records of hands."""

    event = forms.ChoiceField(
        label=gettext_lazy("Into the event"),
        required=False,
        help_text=gettext_lazy("Records of hands become games of it, and count in its standings."),
    )
    rules = forms.CharField(
        label=gettext_lazy("House rules of the records"),
        max_length=max_length(SharedRecord, "rules"),
        required=False,
        help_text=gettext_lazy("If empty: those that the records name."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tags = (BY_TAGS, _("that of their tags Event and Date"))
        self.set_choices("event", [("", _("none")), tags, *choose_places(club)["event"]])


class Archive(ImportMixin, DeskFormView[ArchiveForm]):
    """The second step of records of hands: where they go. A worker tries them first."""

    template_name = "desk/import_archive.html"
    form_class = ArchiveForm
    step = 2

    def get_form_kwargs(self) -> dict[str, Any]:
        params = self.get_draft().params
        return {"club": self.club, **super().get_form_kwargs(), "initial": params}

    def save(self, form: ArchiveForm) -> None:
        params = {name: text for name, text in form.cleaned_data.items() if text}
        read_options(params)
        self.draft = jobs.change_draft(draft=self.get_draft(), params=params)
        self.following = self.start(dry_run=True)


class AnswersMixin(ImportMixin):
    """A page that shows a plan, with what has to be answered before it can be carried out."""

    buttons: ClassVar[tuple[str, ...]] = ("bring", "answer")
    step = 3

    def answer(self, _value: str) -> str:
        """Answer the questions about the table."""
        draft = self.get_draft()
        typed = {key: self.request.POST.get(key, "") for key in QUESTIONS}
        answers = {key: value for key, value in typed.items() if value in QUESTIONS[key].choices}
        if self.request.POST.get("known") in MEMBERS_KNOWN:
            answers["known"] = self.request.POST["known"]
        names, decisions = (self.request.POST.getlist(key) for key in ("name", "who"))
        decided = {name: who for name, who in zip(names, decisions, strict=False) if who}
        people = {**draft.params.get("people", {}), **decided}
        self.draft = jobs.change_draft(
            draft=draft, params={**draft.params, **answers, "people": people}
        )
        self.following = reverse("desk-import-check", args=[draft.pk])
        if draft.kind == JobKind.ARCHIVE or (draft.total or 0) > AT_ONCE_BYTES:
            self.following = self.start(dry_run=True)
        return ""

    def describe(self, outcome: Mapping[str, Any], remarks: list[str]) -> dict[str, Any]:
        """Return the contents of a page about a plan, from its data."""
        rows = [_ShownRow.of(row) for row in outcome.get("plan", [])]
        names = {row.line: row.subject for row in rows}
        return {
            "counts": outcome,
            "figures": [
                (str(action), translate(title), outcome.get(action, 0))
                for action, title in ACTION_TITLES.items()
                if action != RowAction.CHANGED or outcome.get(action)
            ],
            "left_out": outcome.get("left_out", 0),
            "has_work": bool(outcome.get("new") or outcome.get("changed")),
            "remarks": remarks,
            "unused": outcome.get("unused", []),
            "questions": [
                _ShownQuestion.of(key, outcome.get("details", {}).get(key, {}))
                for key in outcome.get("questions", [])
            ],
            "understood": outcome.get("understood", []),
            "differences": [
                (
                    difference["line"],
                    names.get(difference["line"], ""),
                    column_letters(difference["column"]) if difference["column"] else "",
                    difference["message"],
                )
                for difference in outcome.get("differences", [])[:PROBLEMS_SHOWN]
            ],
            "difference_count": outcome.get("difference_count", 0),
            "similar": list({row.subject: row.similar for row in rows if row.similar}.items())[
                :PROBLEMS_SHOWN
            ],
            "known_choices": translate(dict(MEMBERS_KNOWN)) if any(map(_differs, rows)) else {},
            "known": self.job.params.get("known") or next(iter(MEMBERS_KNOWN)),
            "odd_rows": [row for row in rows if row.problems][:PROBLEMS_SHOWN],
            "plan_rows": rows[:PLAN_SHOWN],
            "more_rows": max(outcome.get("rows", 0) - PLAN_SHOWN, 0),
        }


class Check(AnswersMixin, DeskPage):
    """The third step: what would be done about every row. Nothing is written yet."""

    template_name = "desk/import_check.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        draft = self.get_draft()
        params = {**draft.params, "name": draft.file_name}
        request = request_from_params(draft.kind, draft.upload_path.read_bytes(), params)
        try:
            plan = plan_import(self.club, request, self.at)
        except RefusedError as error:
            return super().get_context_data(**{"why": translate(message_of(error)), **kwargs})
        remarks = [translate(remark.sentence) for remark in plan.remarks]
        found = self.describe(translate(plan.as_data()), remarks)
        return super().get_context_data(**{**found, **kwargs})


class Result(AnswersMixin, DeskPage):
    """The last step: the progress of the worker, then the result of every row."""

    template_name = "desk/import_result.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        job = self.job
        self.step = 3 if job.dry_run else 4
        remarks = [
            translate(problem["message"]) for problem in job.problems if not problem.get("line")
        ]
        found = self.describe(translate(job.outcome), remarks)
        if job.kind == JobKind.ARCHIVE:
            found["has_work"] = bool(job.outcome.get("hands"))
            found["figures"] = [
                (action, title, job.outcome.get(key, 0)) for action, title, key in _ARCHIVE_FIGURES
            ]
            found["remarks"] = []
            told = [translate(problem) for problem in job.problems]
            found["problems"] = [one for one in told if not one.get("conflict")][:PROBLEMS_SHOWN]
            found["conflicts"] = [one for one in told if one.get("conflict")][:PROBLEMS_SHOWN]
            found["notices"] = translate(job.outcome.get("notices", []))
            found["preview"] = job.outcome.get("preview", {})
            found["similar"] = [
                (person["name"], person["similar"])
                for person in found["preview"].get("new_people", [])
                if person["similar"] and person["name"] not in job.params.get("people", {})
            ][:PROBLEMS_SHOWN]
        found["why"] = translate(job.outcome.get("why", ""))
        return super().get_context_data(
            **{**found, "made": Import.objects.filter(job=job.pk).first(), **kwargs}
        )


@dataclass(frozen=True, slots=True)
class _ShownQuestion:
    """A question as a page asks it, with examples from the file."""

    key: str
    text: str
    choices: dict[str, str]
    examples: list[str]

    @classmethod
    def of(cls, key: str, details: Mapping[str, Any]) -> "_ShownQuestion":
        """From what the file has to do with it."""
        question = QUESTIONS[key]
        answers = details.get("answers") or question.choices
        choices = {answer: translate(question.choices[answer]) for answer in answers}
        for answer, text in details.get("previews", {}).items():
            choices[answer] += f": {text}"
        return cls(key, translate(question.text), choices, list(details.get("examples", ())))


@dataclass(frozen=True, slots=True)
class _ShownRow:
    """A row of a plan as a page shows it."""

    line: int
    action: str
    badge: str
    subject: str
    detail: str
    problems: list[tuple[str, str]]
    similar: list[Mapping[str, Any]]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "_ShownRow":
        """From its data, with the letters of columns beside the problems in them."""
        problems = [
            (column_letters(problem["column"]) if problem["column"] else "", problem["message"])
            for problem in row["problems"]
        ]
        action = RowAction(row["action"])
        return cls(
            line=row["line"],
            action=translate(ACTION_TITLES[action]),
            badge=str(action),
            subject=row["subject"],
            detail=row["detail"],
            problems=problems,
            similar=row.get("similar", []),
        )


def _differs(row: _ShownRow) -> bool:
    """Whether a row of members says something else of one who is known."""
    is_known = row.badge == RowAction.KNOWN and bool(row.problems)
    return is_known or row.badge == RowAction.CHANGED


def _shorten(cells: Any) -> str:
    """The first cells of a row in one line."""
    return _cut(", ".join(cell_text(cell) for cell in cells if cell != ""))


def _show_cells(cells: Any, width: int) -> list[str]:
    """The cells of a row, as many as there are columns."""
    return [_cut(cell_text(cell)) for cell in (*cells, *[""] * (width - len(cells)))]


def _cut(text: str) -> str:
    return text if len(text) <= CELL_SHOWN else f"{text[: CELL_SHOWN - 1]}…"
