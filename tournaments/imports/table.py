"""An imported table: find its heading, map its columns to fields, then read its rows.

Problems are collected row by row (`ImportRow.problems`); settings that are needed because a cell
can be read in two ways are collected as questions (`ImportTable.questions`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice
from typing import Final

from engine.core.messages import Message, MessageError, message_of
from tournaments.core.errors import RefusedError
from tournaments.imports.dates import AmbiguousDateError, DateOrder, find_date_order, parse_day
from tournaments.imports.fields import (
    NAMES,
    TOTALS,
    FieldKind,
    ImportField,
    fold_heading,
    map_columns,
)
from tournaments.imports.heading_rows import Heading, find_players, join_headings, turn_table
from tournaments.imports.numbers import (
    AmbiguousNumberError,
    DecimalMark,
    ReadAs,
    find_decimal_mark,
    is_absent,
    is_rounded,
    is_unfinished,
    parse_number,
)
from tournaments.imports.questions import OpenQuestion
from tournaments.tables.cells import decimal_text
from tournaments.tables.input_model import (
    Cell,
    CellRemark,
    TableError,
    TableFile,
    TableRow,
    cell_text,
    column_number,
)
from tournaments.tables.table_reader import open_table

HEADER_ROWS: Final = 30
"""In how many rows that are not empty the heading is looked for."""
HEADER_ROW_MAX: Final = 1000
"""Nobody has the heading further down."""
_EXAMPLE_LENGTH: Final = 40
SHEETS_MAX: Final = 12
"""In how many worksheets a table is looked for."""
NOTES_MAX: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """Somebody's settings for reading a table; what they leave out is guessed.

    ``header_row``: the number of the row with the headings, 0 for none. ``columns``: what columns
    hold, by their numbers from 1, and ``mapping`` by their headings or letters; an empty field
    leaves one out. ``answers``: those of `QUESTIONS`, by key. ``people``: who the names are that
    are like those of members (`MemberRoll`).
    """

    header_row: int | None = None
    columns: Mapping[int, str] = field(default_factory=dict)
    mapping: Mapping[str, str] = field(default_factory=dict)
    dates: DateOrder | None = None
    decimals: DecimalMark | None = None
    sheet: str | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    people: Mapping[str, str] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class ImportRow:
    """A row under the heading, and what is wrong in it.

    ``section``: how many times the heading came again above it; -1 for a row of another table,
    whose problem says so. ``is_title`` and ``is_footer``: it is about the table (`table_parts`).
    ``similar``: names and numbers of members whom it may be about.
    """

    line: int
    cells: Sequence[Cell]
    table: "ImportTable"
    problems: list[CellRemark]
    section: int = 0
    is_title: bool = False
    is_footer: bool = False
    similar: tuple[tuple[str, int], ...] = ()
    origin: int = 0

    def refuse(self, words: str, key: str = "", *, column: int = 0) -> None:
        """Note what is wrong, at the column of a field or at one by its number."""
        columns = self.table.columns.get(key, ())
        column = self.place_of(column or (columns[0] if columns else 0))
        remark = CellRemark(self.line, column, words)
        if remark not in self.problems:
            self.problems.append(remark)

    def place_of(self, column: int) -> int:
        """The column of the file that a column of this row was."""
        return self.origin if self.origin and column > 1 else column

    def each(self, key: str) -> Iterator[tuple[int, Cell]]:
        """The columns that hold a field, with the cells of this row."""
        for column in self.table.columns.get(key, ()):
            yield column, self.cells[column - 1] if column <= len(self.cells) else ""

    def cell(self, key: str) -> Cell:
        """The cell of a field, empty where no column holds it."""
        return next((cell for _column, cell in self.each(key)), "")

    def fill(self, key: str, cell: Cell) -> None:
        """Put a cell where a field is empty."""
        for column in self.table.columns.get(key, ())[:1]:
            cells = [*self.cells, *[""] * (column - len(self.cells))]
            cells[column - 1] = cell
            self.cells = cells

    def text(self, key: str) -> str:
        """The cell of a field as people saw it."""
        return cell_text(self.cell(key))

    @property
    def is_total(self) -> bool:
        """Whether it sums up the rows above it."""
        first = next((cell for cell in self.cells if cell != ""), "")
        return fold_heading(first) in TOTALS

    def day(self, key: str) -> date | None:
        """The day of a field, or the moment; None where there is none, or none that is right."""
        cell = self.cell(key)
        if cell == "":
            return None
        try:
            return self.table.parse_day(cell)
        except MessageError as error:
            self.refuse(message_of(error), key)
        return None

    def number(self, key: str) -> Fraction | None:
        """The number of a field; None where there is none, or none that is right."""
        column, cell = next(self.each(key), (0, ""))
        return self.number_in(cell, column)

    def number_in(self, cell: Cell, column: int) -> Fraction | None:
        """The number in a cell of this row, as `number`."""
        try:
            number = self.table.parse_number(cell)
        except MessageError as error:
            self.refuse(message_of(error), column=column)
            return None
        if number is not None and is_rounded(cell_text(cell), number):
            words = Message(
                "{text} was rounded to {number}",
                text=repr(cell_text(cell)[:40]),
                number=decimal_text(number),
            )
            self.table.note(CellRemark(self.line, self.place_of(column), words))
        return number


@dataclass(eq=False, kw_only=True)
class ImportTable:
    """A table with its heading and its columns.

    ``columns``: the numbers of the columns that hold each field. ``above``: rows over the heading;
    ``first``: the first rows under it. ``questions``: settings that somebody has to make, because
    a cell that was read can be read in two ways; ``details``: what the file says of them,
    ``answers``: those that somebody gave. ``today``: the day on which it is brought in.
    ``raw_headings``: the rows of headings as they stand, and ``upper`` the first of two that name
    the nights. ``is_turned``: its players were columns. ``chosen``: the columns that somebody spoke
    of, with their fields.
    """

    fields: Sequence[ImportField]
    file: TableFile
    header: TableRow
    above: Sequence[TableRow]
    first: Sequence[TableRow]
    columns: Mapping[str, tuple[int, ...]]
    dates: DateOrder | None
    decimals: DecimalMark | None
    people: Mapping[str, str]
    questions: set[str] = field(default_factory=set)
    answers: Mapping[str, str] = field(default_factory=dict)
    details: dict[str, OpenQuestion] = field(default_factory=dict)
    today: date | None = None
    upper: TableRow | None = None
    raw_headings: Sequence[TableRow] = ()
    is_turned: bool = False
    chosen: Mapping[int, str] = field(default_factory=dict)

    def ask(self, key: str, example: Cell = "", answers: Sequence[str] = ()) -> None:
        """Ask a question of `QUESTIONS`, with a cell that it is about."""
        self.questions.add(key)
        details = self.details.setdefault(key, OpenQuestion())
        details.add_example(cell_text(example)[:_EXAMPLE_LENGTH])
        details.answers = answers or details.answers

    @property
    def width(self) -> int:
        """Return the number of columns of the first rows."""
        return max(len(row.cells) for row in (self.header, *self.first))

    def heading(self, column: int) -> Cell:
        """Return the text above a column."""
        cells = self.header.cells
        return cells[column - 1] if column <= len(cells) else ""

    def holds(self, column: int) -> str:
        """The field that a column holds, empty for none."""
        return next((key for key, columns in self.columns.items() if column in columns), "")

    def parse_number(self, cell: Cell) -> Fraction | None:
        """Read a number, None where nobody was there. Raises MessageError."""
        text, factor = cell_text(cell), 1
        if isinstance(cell, date):
            raise MessageError(Message("{text} is a date, no number", text=repr(text)))
        if isinstance(cell, str):
            if self.is_absent(cell):
                return None
            if is_unfinished(cell):
                return Fraction()
            if text.rstrip().endswith("%"):
                text = text.rstrip()[:-1].rstrip()
                factor = self._factor_of_percent(cell)
        mark = self.decimals if isinstance(cell, str) else DecimalMark.POINT
        try:
            number = parse_number(text, mark)
        except AmbiguousNumberError:
            self.ask("decimals", cell)
            raise
        return number / factor

    def is_absent(self, text: str) -> bool:
        """Whether a cell says that there is no result. Raises MessageError where it is asked."""
        if not is_unfinished(text):
            return is_absent(text)
        answer = self.answers.get("unfinished")
        if not answer:
            self.ask("unfinished", text)
            raise MessageError(Message("{text} is no number", text=repr(text[:40])))
        return answer == ReadAs.ABSENT

    def _factor_of_percent(self, cell: str) -> int:
        answer = self.answers.get("percent")
        if not answer:
            self.ask("percent", cell)
            raise MessageError(Message("{text} is no number", text=repr(cell[:40])))
        return 100 if answer == ReadAs.SHARE else 1

    def note(self, remark: CellRemark) -> None:
        """Add a remark to those on the file, once."""
        if remark not in self.file.remarks[-NOTES_MAX:]:
            self.file.remarks.append(remark)

    def parse_day(self, cell: Cell) -> date:
        """Read a day, in a heading too. Raises MessageError."""
        try:
            return parse_day(cell, self.dates, self.today)
        except AmbiguousDateError:
            self.ask("dates", cell)
            raise

    def rows(self) -> Iterator[ImportRow]:
        """The rows under the heading, once. Raises RefusedError: the file breaks off."""
        section = other = 0
        try:
            for row in chain(self.first, self.file.rows):
                if row.cells and row.cells in self._heading_cells:
                    section += row.cells == self._heading_cells[0]
                    continue
                other = other or self._line_of_other_heading(row)
                problems = [] if other else list(self._find_problems(row))
                if other:
                    words = Message(
                        "another table begins in row {row}, with other headings; import it as a"
                        " file of its own",
                        row=other,
                    )
                    problems.append(CellRemark(row.line, 0, words))
                import_row = ImportRow(
                    row.line, row.cells, self, problems, -1 if other else section
                )
                import_row.origin = row.origin
                yield import_row
        except TableError as error:
            raise RefusedError(error.message, "file") from error

    @cached_property
    def _heading_cells(self) -> Sequence[Sequence[Cell]]:
        """The headings as they stand in the file, which may come again."""
        return [row.cells for row in self.raw_headings] or [self.header.cells]

    def _line_of_other_heading(self, row: TableRow) -> int:
        """The number of a row that is a heading, but not that of this table; else 0."""
        places = {0, *(self.columns[key][0] - 1 for key in NAMES & self.columns.keys())}
        names = {fold_heading(row.cells[place]) for place in places if place < len(row.cells)}
        if not self.header.cells or self.is_turned or not names & self._names_of_fields:
            return 0
        mapped = map_columns(row.cells, self.fields, {})
        width, full = sum(map(len, mapped.values())), sum(cell != "" for cell in row.cells)
        is_heading = width > 1 and width * 2 > full and not NAMES.isdisjoint(mapped)
        return row.line if is_heading else 0

    @cached_property
    def _used_columns(self) -> Mapping[int, ImportField]:
        fields = {field.key: field for field in self.fields}
        return {column: fields[key] for key, columns in self.columns.items() for column in columns}

    @cached_property
    def _names_of_fields(self) -> frozenset[str]:
        return frozenset(name for field in self.fields for name in field.headings)

    def _find_problems(self, row: TableRow) -> Iterator[CellRemark]:
        """Find faults in cells that are used, and in a row that is longer than its headings."""
        used = self._used_columns
        for fault in row.faults:
            if fault.column in used and used[fault.column].is_check:
                self.note(fault)
            elif fault.column in used or not fault.column:
                yield fault
        for fault in row.merged:
            if fault.column in used and not used[fault.column].fills_down:
                yield fault
        width = len(self.header.cells)
        for column, cell in enumerate(row.cells[width:], width + 1):
            is_cell = cell != "" if not self.file.sheets else isinstance(cell, Decimal)
            if width and is_cell and column not in used:
                words = Message(
                    "there are more cells than headings, such as {text}; is a comma inside a "
                    "number?",
                    text=repr(cell_text(cell)[:40]),
                )
                yield CellRemark(row.line, column, words)
                return


def open_import(
    data: bytes, fields: Sequence[ImportField], settings: TableSettings, name: str = ""
) -> ImportTable:
    """Open a table, find its heading and map its columns. Raises RefusedError."""
    try:
        return _open(data, fields, settings, name)
    except TableError as error:
        raise RefusedError(error.message, "file") from error


def _open(
    data: bytes, fields: Sequence[ImportField], settings: TableSettings, name: str
) -> ImportTable:
    encoding = settings.answers.get("encoding", "")
    file = open_table(data, name, sheet=settings.sheet, encoding=encoding)
    if settings.sheet is not None:
        return _open_sheet(file, fields, settings)
    others = file.sheets[1:SHEETS_MAX]
    tables = chain([file], (open_table(data, name, sheet=sheet) for sheet in others))
    first: ImportTable | None = None
    for one in tables:
        try:
            table = _open_sheet(one, fields, settings)
        except TableError:
            # Another worksheet may have a table.
            if not others:
                raise
            continue
        is_table = table.is_turned or not NAMES.isdisjoint(table.columns)
        first = table if is_table or first is None else first
        if is_table:
            break
    if first is None:
        raise TableError(Message("There is no table in the file."))
    if others:
        words = Message(
            "Only the worksheet {sheet} was read; there are also {others}.",
            sheet=repr(first.file.sheet),
            others=", ".join(repr(sheet) for sheet in file.sheets if sheet != first.file.sheet),
        )
        first.note(CellRemark(0, 0, words))
    return first


def _open_sheet(
    file: TableFile, fields: Sequence[ImportField], settings: TableSettings
) -> ImportTable:
    most = max(HEADER_ROWS, min(settings.header_row or 0, HEADER_ROW_MAX) + 1)
    rows = list(islice(file.rows, most))
    if not rows:
        raise TableError(Message("There is no table in the file."))
    players = find_players(rows, fields) if settings.header_row is None else None
    if players is not None:
        header, file.rows = turn_table(chain(rows, file.rows), rows[players])
        words = Message(
            "The nights are the rows of this table and the players its columns: each result was "
            "read as a row."
        )
        file.remarks.append(CellRemark(rows[players].line, 0, words))
        heading = Heading(row=header, place=players)
        first: list[TableRow] = list(islice(file.rows, HEADER_ROWS))
    else:
        heading = _find_header(rows, fields, settings.header_row)
        first = rows[heading.place + heading.count :]
    cells = heading.row.cells
    chosen = _chosen_columns(cells, fields, settings)
    table = ImportTable(
        fields=fields,
        file=file,
        header=heading.row,
        above=rows[: heading.place],
        first=first,
        columns=map_columns(cells, fields, {**heading.guessed, **chosen}),
        dates=settings.dates,
        decimals=settings.decimals,
        answers=settings.answers,
        people=settings.people,
        upper=heading.upper,
        raw_headings=rows[heading.place : heading.place + heading.count],
        is_turned=players is not None,
        chosen=chosen,
    )
    if file.has_doubtful_letters:
        table.ask("encoding", answers=list(file.previews))
        table.details["encoding"].previews = file.previews
    return table


def _find_header(
    rows: Sequence[TableRow], fields: Sequence[ImportField], wanted: int | None
) -> Heading:
    """The headings: in the row that is wanted, else in the row or the two that name most fields."""
    if wanted == 0:
        return Heading(row=TableRow(0, ()), place=0, count=0)
    single = [
        Heading(row=row, place=place)
        for place, row in enumerate(rows)
        if wanted is None or row.line == wanted
    ]
    if not single:
        raise TableError(Message("Row {row} is empty, or there is none.", row=wanted or 0))
    joined = [join_headings(rows, one.place, fields) for one in single]
    headings = [*filter(None, joined), *single]
    counts = [
        sum(map(len, map_columns(heading.row.cells, fields, heading.guessed).values()))
        for heading in headings
    ]
    most = max(counts)
    if most:
        return headings[counts.index(most)]
    # No heading that anybody knows: the first row with more than a title in it.
    wide = (one for one in single if sum(cell != "" for cell in one.row.cells) > 1)
    return next(wide, single[0])


def _chosen_columns(
    header: Sequence[Cell], fields: Sequence[ImportField], settings: TableSettings
) -> dict[int, str]:
    """Return the meaning of columns as somebody says it. Raises RefusedError."""
    chosen = dict(settings.columns)
    folded = [fold_heading(cell) for cell in header]
    for name, key in settings.mapping.items():
        if fold_heading(name) in folded:
            chosen[folded.index(fold_heading(name)) + 1] = key
        elif column := column_number(name):
            chosen[column] = key
        else:
            words = Message(
                "No column is called {name}; there are {names}.",
                name=repr(name[:60]),
                names=", ".join(repr(cell_text(cell)[:60]) for cell in header if cell != ""),
            )
            raise RefusedError(words, "mapping")
    known = {field.key: field.is_repeated for field in fields}
    for key in filter(None, chosen.values()):
        if key not in known:
            words = Message(
                "There is no field {key}; there are {keys}.",
                key=repr(key[:40]),
                keys=", ".join(known),
            )
            raise RefusedError(words, "mapping")
        if not known[key] and list(chosen.values()).count(key) > 1:
            words = Message("Two columns say the same: {key}. One must go.", key=key)
            raise RefusedError(words, "mapping")
    return chosen


def decide_marks(table: ImportTable, data: bytes, settings: TableSettings) -> None:
    """Let all cells of days and of numbers decide how the unclear ones among them are read.

    The file is read a second time for it, as whoever wants its first rows only need not wait.
    Raises RefusedError: the file breaks off.
    """
    kinds = {field.key: field.kind for field in table.fields}
    columns: dict[FieldKind, list[int]] = {FieldKind.DAY: [], FieldKind.NUMBER: []}
    for key, places in table.columns.items():
        if kinds[key] in columns:
            columns[kinds[key]] += places
    if settings.dates is not None:
        columns[FieldKind.DAY] = []
    if settings.decimals is not None:
        columns[FieldKind.NUMBER] = []
    if not any(columns.values()):
        return
    days: set[Cell] = {cell for row in (*table.above, table.header) for cell in row.cells}
    marks = set[DecimalMark | None]()
    begins = max((row.line for row in table.raw_headings), default=0)
    try:
        encoding = settings.answers.get("encoding", "")
        rows = open_table(data, sheet=table.file.sheet or None, encoding=encoding).rows
        if table.is_turned:
            _header, rows = turn_table(rows, table.raw_headings[0])
        for row in rows:
            if row.line > begins:
                days.update(_pick(row, columns[FieldKind.DAY]))
                marks |= {
                    find_decimal_mark([cell])
                    for cell in _pick(row, columns[FieldKind.NUMBER])
                    if isinstance(cell, str)
                }
    except TableError as error:
        raise RefusedError(error.message, "file") from error
    marks.discard(None)
    table.dates = table.dates or find_date_order(days)
    table.decimals = table.decimals or (marks.pop() if len(marks) == 1 else None)


def _pick(row: TableRow, columns: Sequence[int]) -> Iterator[Cell]:
    return (row.cells[column - 1] for column in columns if column <= len(row.cells))
