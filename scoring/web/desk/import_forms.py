"""Forms of an import at the desk: the file, how its table is read, where its hands go."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.core.messages import Message
from engine.notation.foreign_files import describe_foreign
from engine.notation.pasted_text import mend_text
from scoring.models import SharedRecord
from scoring.transfer.importing import BY_TAGS
from scoring.web.desk.jobs import ARCHIVE_TITLE, choose_places
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.imports import (
    QUESTIONS,
    TABLE_IMPORTS,
    TableImport,
    TableSettings,
    open_import,
)
from tournaments.imports.table import HEADER_ROWS, ImportTable
from tournaments.jobs import UPLOAD_BYTES_MAX, JobRequest
from tournaments.models import Club, JobKind
from tournaments.models.limits import max_length
from tournaments.tables.input_model import cell_text, column_letters
from tournaments.web.desk.forms import DeskForm
from tournaments.web.number_format import NOTHING

ROWS_SHOWN: Final = 8
"""The number of rows that are shown under the heading where columns are chosen."""
CELL_SHOWN: Final = 60
_HEAD_BYTES: Final = 8192
_RECORD_START: Final = re.compile(r"^\ufeff?(?:% P[HB]N|\[\w+[ \t]+\")", re.MULTILINE)


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
        self.table, self.table_import = table, table_import
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
                choices=[*([("", _("I am asked later"))] if is_open else []), *known],
                required=not is_open,
                initial="" if is_open else table.file.encoding,
            )
        rows = [*table.above, *([table.header] if table.header.cells else []), *table.first]
        headings = [
            (
                row.line,
                _("row %(line)d: %(cells)s")
                % {
                    "line": row.line,
                    "cells": _cut(", ".join(cell_text(cell) for cell in row.cells if cell != "")),
                },
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
        self.options = [option.key for option in table_import.options]
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
                empty = _("I am asked later") if option.is_required else NOTHING
                self.fields[option.key] = forms.ChoiceField(choices=[("", empty), *known], **about)
        fields = [(field.key, translate(field.label)) for field in table_import.fields]
        for column in range(1, table.width + 1):
            self.fields[f"column_{column}"] = forms.ChoiceField(
                label=_column_label(table, column),
                choices=[("", _("not used")), *fields],
                required=False,
                initial=table.holds(column),
            )
        self.repeated = {field.key for field in table_import.fields if field.is_repeated}
        self.labels = dict(fields)
        self.badges = {field.key: translate(field.badge) for field in table_import.fields}

    def columns(self) -> Iterator[tuple[str, str, str]]:
        """Yield of each column its heading, the key of what it holds, and the badge for that."""
        for column in range(1, self.table.width + 1):
            key = self[f"column_{column}"].value() or ""
            yield cell_text(self.table.heading(column)), key, self.badges.get(key, "")

    def rows(self) -> list[tuple[int, list[str]]]:
        """Return the first rows under the heading, each with its number."""
        width, first = self.table.width, self.table.first[:ROWS_SHOWN]
        filled = [(row.line, (*row.cells, *[""] * (width - len(row.cells)))) for row in first]
        return [(line, [_cut(cell_text(cell)) for cell in cells]) for line, cells in filled]

    def reading(self) -> list[forms.BoundField]:
        """The fields about the table as a whole."""
        return [field for field in self if not field.name.startswith("column_")]

    def meanings(self) -> list[forms.BoundField]:
        """The fields about its columns."""
        return [field for field in self if field.name.startswith("column_")]

    def chosen_columns(self) -> dict[str, str]:
        """Return the meaning of each column, by its number."""
        numbers = range(1, self.table.width + 1)
        return {str(number): self.cleaned_data.get(f"column_{number}", "") for number in numbers}

    def chosen_options(self) -> dict[str, str]:
        """Return the options as they stand on the page."""
        return {key: self[key].value() or "" for key in self.options}

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
        """No two columns hold the same."""
        typed: dict[str, Any] = super().clean() or self.cleaned_data
        if self.is_other_table:
            return typed
        seen = dict[str, str]()
        for number, key in self.chosen_columns().items():
            if key in seen and key not in self.repeated:
                words = _("Column %(letters)s holds this already (%(field)s).")
                told = {"letters": seen[key], "field": self.labels[key]}
                self.add_error(f"column_{number}", words % told)
            if key:
                seen.setdefault(key, column_letters(int(number)))
        return typed


class ArchiveForm(DeskForm):
    """The destination of records of hands."""

    event = forms.ChoiceField(
        label=gettext_lazy("Into the night"),
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


def _column_label(table: ImportTable, column: int) -> str:
    """Return the label of the field that says what a column holds."""
    letters, heading = column_letters(column), cell_text(table.heading(column))
    if not heading:
        return _("Column %(letters)s holds") % {"letters": letters}
    return _("Column %(letters)s, %(heading)s, holds") % {"letters": letters, "heading": heading}


def _cut(text: str) -> str:
    return text if len(text) <= CELL_SHOWN else f"{text[: CELL_SHOWN - 1]}…"
