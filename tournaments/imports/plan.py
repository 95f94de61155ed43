"""Plans of imports: what is done about each row, worked out first, shown, then carried out.

A dry run is a plan that is not carried out, so nothing is computed twice. A kind of table is a
`TableImport`: the fields that its columns may hold, and two functions, ``plan`` and ``apply``.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from operator import attrgetter
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import NO_MESSAGE, Message, PluralMessage
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.core.time_zones import day as day_of
from tournaments.imports.fields import ImportField
from tournaments.imports.log import ImportLog
from tournaments.imports.planned_standings import PlannedStandings
from tournaments.imports.questions import QUESTIONS, FooterRows, OpenQuestion
from tournaments.imports.table import (
    ImportRow,
    ImportTable,
    TableSettings,
    decide_marks,
    open_import,
)
from tournaments.imports.table_parts import divide_table, find_unused_nights
from tournaments.models import Club
from tournaments.tables.input_model import CellRemark, cell_text

ACCEPT: Final = "accept_differences"
"""The parameter by which somebody accepts totals and places that differ from the file."""
_ROWS_MAX: Final = 1000
"""How many rows of a plan are listed; all are counted."""


class RowAction(StrEnum):
    """Actions of an import on a row."""

    NEW = "new"
    CHANGED = "changed"
    KNOWN = "known"
    LEFT_OUT = "left_out"


ACTION_TITLES: Final = {
    RowAction.NEW: Message("new"),
    RowAction.CHANGED: Message("changed"),
    RowAction.KNOWN: Message("known already"),
    RowAction.LEFT_OUT: Message("left out"),
}
"""What people read for each action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowPlan:
    """The plan for one row.

    ``subject``: who or what it is about, as the row says it. ``detail``: more than the action
    says, such as "known as number 17". ``problems``: why it is left out, or what is done
    otherwise than the row wants. ``similar``: members whom it may be about, with their numbers.
    ``value``: what the importer's ``apply`` needs.
    """

    line: int
    action: RowAction
    subject: str = ""
    detail: str = NO_MESSAGE
    problems: tuple[CellRemark, ...] = ()
    similar: tuple[tuple[str, int], ...] = ()
    value: Any = None

    def as_data(self) -> dict[str, Any]:
        """The row as plain data."""
        problems = [
            {"column": problem.column, "message": problem.words}
            for problem in sorted(self.problems)
        ]
        found = {
            "line": self.line,
            "action": str(self.action),
            "subject": self.subject,
            "detail": self.detail,
            "problems": problems,
        }
        if self.similar:
            found["similar"] = [{"name": name, "number": number} for name, number in self.similar]
        return found


def leave_out(row: ImportRow, subject: str, detail: str = NO_MESSAGE) -> RowPlan:
    """Plan to leave a row out, because of its problems or for the reason in ``detail``."""
    return RowPlan(
        line=row.line,
        action=RowAction.LEFT_OUT,
        subject=subject,
        detail=detail,
        problems=tuple(row.problems),
        similar=row.similar,
    )


@dataclass(slots=True, kw_only=True)
class ImportPlan:
    """The plan for each row of an import. Of ``value`` only the importer knows what it is.

    ``remarks``: what is odd about the file as a whole. ``unused``: headings of columns that are
    left out. ``questions``: keys of `QUESTIONS` that are to be answered first, ``details`` what the
    file has to do with them. ``understood``: sentences about what the file says, to be confirmed.
    ``differences``: totals and places that are others than those in the file, to be accepted.
    ``newcomers``: the names of people who are new to the club; ``new_nights``, ``new_leagues``:
    how many of them it gets. ``standings``: the league as it will be, where all its nights are in
    the table.
    """

    rows: list[RowPlan]
    value: Any = None
    remarks: Sequence[CellRemark] = ()
    unused: Sequence[str] = ()
    questions: Collection[str] = ()
    details: Mapping[str, OpenQuestion] = field(default_factory=dict)
    understood: Sequence[str] = ()
    differences: Sequence[CellRemark] = ()
    newcomers: Sequence[str] = ()
    new_nights: int = 0
    new_leagues: int = 0
    standings: PlannedStandings | None = None
    counts: Counter[RowAction] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Count the rows."""
        self.counts = Counter(row.action for row in self.rows)

    @property
    def has_work(self) -> bool:
        """Whether carrying it out changes anything."""
        return bool(self.counts[RowAction.NEW] or self.counts[RowAction.CHANGED])

    @property
    def problems(self) -> list[CellRemark]:
        """All that is wrong, in the order of the rows; what concerns the whole file comes first."""
        of_rows = (problem for row in self.rows for problem in sorted(row.problems))
        return [
            *self.remarks,
            *sorted([*of_rows, *self.differences], key=attrgetter("row", "column")),
        ]

    def counts_as_data(self) -> dict[str, int]:
        """Count the rows, and those of each action."""
        counts = {str(action): self.counts[action] for action in RowAction}
        return {"rows": len(self.rows), **counts}

    def as_data(self) -> dict[str, Any]:
        """The plan as plain data, to be stored and answered."""
        rows = {"plan": self.rows_as_data(), "unused": list(self.unused)}
        more = {
            "questions": list(self.questions),
            "details": {key: one.as_data() for key, one in self.details.items()},
            "understood": list(self.understood),
            "differences": [
                _remark_as_data(difference) for difference in self.differences[:_ROWS_MAX]
            ],
            "difference_count": len(self.differences),
            "newcomers": list(self.newcomers[:_ROWS_MAX]),
            "new_nights": self.new_nights,
            "new_leagues": self.new_leagues,
            "standings": self.standings,
        }
        return {**self.counts_as_data(), **rows, **{key: one for key, one in more.items() if one}}

    def problems_as_data(self) -> list[dict[str, Any]]:
        """The problems as plain data, by line and column."""
        return [_remark_as_data(problem) for problem in self.problems]

    def rows_as_data(self, most: int = _ROWS_MAX) -> list[dict[str, Any]]:
        """The rows as plain data; if there are too many, those with problems before the others."""
        rows = self.rows
        if len(rows) > most:
            rows = sorted(
                sorted(rows, key=lambda row: not row.problems)[:most], key=attrgetter("line")
            )
        return [row.as_data() for row in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOption:
    """Something to choose beside the table, such as the league of opening balances.

    ``is_text``: it is typed, such as a day, and there is nothing to choose from.
    """

    key: str
    label: Message
    choices: Callable[[Club], Sequence[tuple[str, str]]] = lambda _club: ()
    help: Message = NO_MESSAGE
    is_required: bool = False
    is_text: bool = False


PlanRows = Callable[
    [Club, ImportTable, Iterable[ImportRow], Mapping[str, str], datetime], ImportPlan
]
"""Plans the rows of a table, with the options of `ImportOption` by key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableImport:
    """A kind of table that can be imported.

    ``require`` gets the fields that columns hold, and says what is missing. ``plan`` reads the
    rows and writes nothing; ``apply`` writes what a plan says and notes it in a log, in the same
    transaction, with the club locked. Both may raise RefusedError. ``suggest`` says what the first
    rows make clear of the options.
    """

    kind: str
    title: Message
    help: Message = NO_MESSAGE
    fields: tuple[ImportField, ...]
    plan: PlanRows
    apply: Callable[[Club, ImportPlan, ImportLog, Actor, datetime], None]
    require: Callable[[Collection[str]], str] = lambda _keys: ""
    options: tuple[ImportOption, ...] = ()
    suggest: Callable[[Club, ImportTable], Mapping[str, str]] = lambda _club, _table: {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """A table to import, with the settings and options that somebody chose.

    ``accepts_differences``: that totals and places may be others than those in the file.
    """

    table_import: TableImport
    data: bytes
    name: str = ""
    settings: TableSettings = field(default_factory=TableSettings)
    options: Mapping[str, str] = field(default_factory=dict)
    accepts_differences: bool = False


def plan_import(club: Club, request: ImportRequest, at: datetime) -> ImportPlan:
    """Work out what an import would do. Raises RefusedError: nothing of the file can be used."""
    kind = request.table_import
    table = open_import(request.data, kind.fields, request.settings, request.name)
    table.today = day_of(at, club.time_zone)
    if missing := kind.require(table.columns.keys()):
        raise RefusedError(missing, "columns")
    decide_marks(table, request.data, request.settings)
    rows, others = _divide_rows(table)
    plan = kind.plan(club, table, rows, request.options, at)
    if not table.answers.get("unused"):
        for heading in find_unused_nights(table, rows):
            table.ask("unused", heading)
    used = {column for columns in table.columns.values() for column in columns}
    plan.rows = sorted([*plan.rows, *others], key=attrgetter("line"))
    plan.counts = Counter(row.action for row in plan.rows)
    plan.remarks = [*table.file.remarks, *plan.remarks]
    plan.unused = [
        cell_text(cell)
        for column, cell in enumerate(table.header.cells, 1)
        if column not in used and cell != ""
    ]
    plan.questions = sorted({*plan.questions, *table.questions})
    plan.details = table.details
    return plan


def _divide_rows(table: ImportTable) -> tuple[list[ImportRow], list[RowPlan]]:
    """The rows that are about somebody, and plans of all others, whose cells harm nobody."""
    rows, others = [], list[RowPlan]()
    found = list(table.rows())
    divide_table(table, found)
    takes_footers = table.answers.get("footer") == FooterRows.TAKE
    for row in found:
        first = cell_text(next((cell for cell in row.cells if cell != ""), ""))
        if row.section < 0:
            others.append(leave_out(row, first))
            continue
        if row.is_total:
            words = Message("it sums up other rows")
        elif row.is_title:
            words = Message("it is the title of the rows below")
        elif row.is_footer and not takes_footers:
            words = Message("it is at the foot of the table")
            if not table.answers.get("footer"):
                table.ask("footer", first)
        else:
            rows.append(row)
            continue
        plan = RowPlan(line=row.line, action=RowAction.LEFT_OUT, subject=first, detail=words)
        others.append(plan)
    return rows, others


def run_import(
    *, club_id: UUID, request: ImportRequest, by: Actor, at: datetime, log: ImportLog | None = None
) -> ImportPlan:
    """Plan an import and carry it out, whole or not at all; ``log``: one that was begun for it.

    Raises RefusedError: nothing of the file can be used, or a question is open.
    """
    with transaction.atomic():
        club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
        plan = plan_import(club, request, at)
        for question in plan.questions:
            refusal = QUESTIONS[question].refusal
            if question in plan.details and (examples := plan.details[question].examples):
                refusal = Message(
                    "{refusal} In the file: {examples}.",
                    refusal=refusal,
                    examples=", ".join(map(repr, examples)),
                )
            raise RefusedError(refusal, question)
        if plan.has_work and plan.differences and not request.accepts_differences:
            raise RefusedError(_describe_differences(plan.differences), ACCEPT)
        kind, name = request.table_import, request.name
        log = log or ImportLog.begin(club_id=club_id, kind=kind.kind, by=by, at=at, file_name=name)
        if plan.has_work:
            kind.apply(club, plan, log, by, at)
        log.note_progress(plan.counts_as_data(), at)
        return plan


def _describe_differences(differences: Sequence[CellRemark]) -> Message:
    count = PluralMessage(
        "{count} total or place differs from the file",
        "{count} totals or places differ from the file",
        count=len(differences),
    )
    return Message(
        "{count}. First: {first}. Correct the file, or accept the differences.",
        count=count,
        first=differences[0].sentence,
    )


def _remark_as_data(remark: CellRemark) -> dict[str, Any]:
    return {"line": remark.row, "column": remark.column, "message": remark.words}
