"""Access to a document while its meaning is read, with the place of every word.

Readers of values raise `WordError`; the sheet turns that into a diagnostic at the word and goes
on with nothing in its place.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final, TypeVar

from ..core.cards import EMPTY, CardSet
from ..core.faults import Severity
from ..core.messages import NO_MESSAGE, Message
from ..core.seats import COMPASS, Seat
from ..record.record import Claim, Paper
from .diagnostics import DiagnosticCollector, NotationRule, Spot, did_you_mean
from .document import Document, Tag, cell_text
from .lexer import cell_spans
from .names import COLUMNS
from .values import (
    WordError,
    make_word_error,
    plain_numbers,
    read_amount,
    read_cards,
    split_annotations,
)

T = TypeVar("T")

ROWS_MAX: Final = 256
"""How many rows of a table are understood."""
NOTHING: Final = ("", "?", "-")
"""Values and cells that say nothing."""


def hint_of_east(text: str, seats: Sequence[str]) -> Message:
    """East is O in German, Dutch and French; nothing for any other word."""
    is_east = text.strip().upper() == "O" and "E" in seats
    return Message("O is no seat; East is E") if is_east else NO_MESSAGE


class DocumentReader:
    """One document, its lines and the report that its defects go to."""

    def __init__(
        self, document: Document, lines: list[str], first: int, report: DiagnosticCollector
    ) -> None:
        self.document = document
        self.report = report
        self.tags = {tag.name: tag for tag in reversed(document.tags)}
        self.seats: tuple[str, ...] = ()
        self.seat_of: Mapping[str, Seat] = {}
        self._lines = lines
        self._first = first
        self._spans: tuple[int, list[tuple[int, int]]] = (0, [])

    def sit(self, seats: tuple[str, ...]) -> None:
        """Say who sits at the table, so that seats can be read."""
        self.seats = seats
        self.seat_of = {name: Seat(place) for place, name in enumerate(seats)}

    # Tags

    def value(self, name: str) -> str:
        """The value of a tag; nothing when it is missing or says nothing."""
        tag = self.tags.get(name)
        return "" if tag is None or tag.value == "?" else tag.value

    def read(self, name: str, reader: Callable[[str], T], *, strip: bool = True) -> T | None:
        """The meaning of a tag's value; None when it has none."""
        value = self.value(name)
        if strip:
            value = value.strip()
        if not value or value == "-":
            return None
        return self.meaning(value, reader, lambda: self.tags[name].value_spot)

    def meaning(
        self, text: str, reader: Callable[[str], T], find_spot: Callable[[], Spot]
    ) -> T | None:
        """Return the meaning of a word; None, and reported, when it means nothing."""
        try:
            found = reader(text)
        except WordError as error:
            self.report_word_error(find_spot(), error, text)
            return None
        if isinstance(found, int | Claim | Paper) or reader is read_amount:
            self._check_numbers(text, find_spot)
        return found

    def _check_numbers(self, text: str, find_spot: Callable[[], Spot]) -> None:
        """Report a number with a plus sign or with zeros in front."""
        written = split_annotations(text)[0]
        plain = plain_numbers(written)
        if plain != written:
            spot = find_spot()
            message = Message(
                "{tag}: {written} is read as {plain}",
                tag=spot.tag,
                written=repr(written),
                plain=plain,
            )
            hint = Message("write {text}", text=plain)
            self.report.add(
                NotationRule.NUMBER, spot, message, hint=hint, severity=Severity.WARNING
            )

    def report_word_error(self, spot: Spot, error: WordError, text: str) -> None:
        """Report a word that means nothing."""
        message = error.message
        if spot.tag and not message.startswith(spot.tag):
            message = Message("{tag}: {message}", tag=spot.tag, message=message)
        del text
        self.report.add(error.rule, spot, message, hint=error.hint)

    def cards(self, text: str, spot: Spot) -> CardSet:
        """A list of cards; one that is written twice is reported."""
        cards, twice = read_cards(text)
        for name in dict.fromkeys(twice):
            message = Message("{card} is written twice in {text}", card=name, text=repr(text))
            self.report.card_twice(spot, message)
        return cards

    def cards_tag(self, name: str) -> CardSet | None:
        """The cards that a tag lists; a dash says that there are none."""
        tag = self.tags.get(name)
        if tag is not None and tag.value.strip() == "-":
            return EMPTY
        spot = tag.value_spot if tag else Spot(1, 1, 2)
        return self.read(name, lambda text: self.cards(text, spot))

    def seat(self, text: str) -> Seat:
        """A seat of this table. Raises WordError."""
        name = text if text in self.seat_of else text.upper()
        if name in self.seat_of:
            return self.seat_of[name]
        seats = Message("the seats are {seats}", seats=" ".join(self.seats))
        hint = hint_of_east(text, self.seats) or did_you_mean(text, self.seats) or seats
        if name in COMPASS:
            raise WordError(NotationRule.SEAT, Message("nobody sits at {seat}", seat=name), hint)
        raise make_word_error(NotationRule.SEAT, text, Message("a seat"), hint)

    # Tables

    def table(self, name: str, *needed: str) -> "NotedTable | None":
        """A table, if it is there with the columns that it needs."""
        tag = self.tags.get(name)
        if tag is None:
            return None
        columns = tag.columns
        for column in needed:
            if column not in columns:
                message = Message("{table} has no column {column}", table=name, column=column)
                hint = Message("its columns are {columns}", columns=";".join(needed))
                self.report.add(NotationRule.VALUE, tag.value_spot, message, hint=hint)
                return None
        if name in COLUMNS:
            self._check_columns(tag, columns, COLUMNS[name])
        return NotedTable(self, tag, columns)

    def _check_columns(self, tag: Tag, columns: tuple[str, ...], known: Set[str]) -> None:
        """Report columns that nothing is read from."""
        line, col, *_ = tag.value_spot
        for name, written in zip(columns, tag.value.split(";"), strict=True):
            if name not in known and not name.startswith("X_"):
                hint = did_you_mean(name, sorted(known - {*columns}))
                message = Message(
                    "{column} is no column of {table}; it is kept, but not read",
                    column=name or Message("nothing"),
                    table=tag.name,
                )
                self.report.add(
                    NotationRule.VALUE,
                    Spot(line, col, col + len(written), tag.name),
                    message,
                    hint=hint or Message("begin private names with X_"),
                    severity=Severity.WARNING if hint else Severity.INFO,
                )
            col += len(written) + 1

    def cell_spot(self, tag: Tag, row: int, cell: int) -> Spot:
        """Return the place of a cell; the end of its row if the row is too short."""
        if row >= len(tag.row_lines):
            return tag.value_spot
        number = tag.row_lines[row]
        if row < len(tag.cell_words) and cell < len(tag.cell_words[row]):
            number, cell = tag.cell_words[row][cell]
        if self._spans[0] != number:
            at = number - self._first
            line = self._lines[at] if 0 <= at < len(self._lines) else ""
            # A tag and its first row may stand on one line.
            start = tag.value_spot.end if tag.value_spot.line == number else 0
            self._spans = (number, [span for span in cell_spans(line) if span[0] > start])
        spans = self._spans[1]
        if cell < len(spans):
            return Spot(number, *spans[cell], tag.name)
        end = spans[-1][1] if spans else 1
        return Spot(number, end, end + 1, tag.name)


@dataclass(frozen=True, slots=True)
class NotedTable:
    """A table whose columns are known."""

    sheet: DocumentReader
    tag: Tag
    columns: tuple[str, ...]

    def lines(self) -> Iterator["NotedRow"]:
        """The rows; one of the wrong length is reported, and filled up or cut."""
        for index, row in enumerate(self.tag.rows[:ROWS_MAX]):
            if len(row) != len(self.columns):
                self._wrong_length(index, len(row))
            yield NotedRow(self, index, dict(zip(self.columns, row, strict=False)))

        if len(self.tag.rows) > ROWS_MAX:
            spot = self.sheet.cell_spot(self.tag, ROWS_MAX, 0)
            message = Message(
                "{table} has more than {most} rows; the others are not read",
                table=self.tag.name,
                most=ROWS_MAX,
            )
            hint = Message("no hand needs so many")
            self.sheet.report.add(NotationRule.ROW_LENGTH, spot, message, hint=hint)

    def only_line(self) -> "NotedRow | None":
        """The row of a table that has just one; another number of rows is reported."""
        lines = list(self.lines())
        if len(lines) != 1:
            name = self.tag.name
            spot = self.sheet.cell_spot(self.tag, 1, 0)
            message = Message("{table} has {rows} rows; one is read", table=name, rows=len(lines))
            self.sheet.report.add(
                NotationRule.ROW_LENGTH, spot, message, hint=Message("write one row")
            )
        return lines[0] if lines else None

    def _wrong_length(self, index: int, cells: int) -> None:
        wide = len(self.columns)
        last = self.sheet.cell_spot(self.tag, index, max(cells - 1, 0))
        spot = self.sheet.cell_spot(self.tag, index, wide) if cells > wide else last
        message = Message(
            "{table}: this row has {cells} cells, its {columns} columns ask for {columns}",
            table=self.tag.name,
            cells=cells,
            columns=wide,
        )
        self.sheet.report.add(
            NotationRule.ROW_LENGTH, Spot(spot.line, spot.col, last.end, spot.tag), message
        )


@dataclass(frozen=True, slots=True)
class NotedRow:
    """A row of a table, by column."""

    table: NotedTable
    index: int
    cells: Mapping[str, str]

    def text(self, column: str) -> str:
        """Return the text of a cell."""
        return cell_text(self.cells.get(column, ""))

    def spot(self, column: str) -> Spot:
        """Return the place of a cell."""
        place = self.table.columns.index(column)
        return self.table.sheet.cell_spot(self.table.tag, self.index, place)

    def read(self, column: str, reader: Callable[[str], T]) -> T | None:
        """The meaning of a cell; None for an empty one, or one that is reported."""
        text = self.text(column)
        if text in NOTHING:
            return None
        return self.table.sheet.meaning(text, reader, lambda: self.spot(column))

    def cards(self, column: str) -> CardSet:
        """The cards that a cell lists."""
        sheet = self.table.sheet
        return self.read(column, lambda text: sheet.cards(text, self.spot(column))) or EMPTY

    def seat(self, column: str = "Seat") -> Seat | None:
        """The seat that a cell names; an empty cell is reported as well."""
        seat = self.read(column, self.table.sheet.seat)
        if seat is None and self.text(column) in NOTHING:
            message = Message("{table}: this row names no seat", table=self.table.tag.name)
            self.table.sheet.report.add(
                NotationRule.SEAT, self.spot(column), message, severity=Severity.ERROR
            )
        return seat
