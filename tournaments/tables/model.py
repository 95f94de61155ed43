"""The model of tables: a table is declared once, and pages and files of every format show it.

A `Column` says what is read above it, of which kind its cells are, and how a cell comes from a
record; a `Table` is columns and the records in their order; a `Workbook` is the tables of one file
and what the file says of itself.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from fractions import Fraction
from itertools import islice
from types import GeneratorType
from typing import Any, Generic, NamedTuple, TypeVar


def _iso_moment(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M %Z}".rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLocale:
    """A language: its ``code``, such as "de", and how numbers and `Message`s are said in it.

    ``say_moment`` writes a moment by its own clock, as people of that language do.
    """

    code: str = "en"
    decimal_sign: str = "."
    say: Callable[[str], str] = str
    say_moment: Callable[[datetime], str] = _iso_moment


ENGLISH = TableLocale()


ROWS_MAX = 1_048_576
"""Rows of one worksheet, the heading included; more go on in the next worksheet."""
UPRIGHT_MAX = 90
"""Characters side by side on upright paper; a wider worksheet is printed across."""
EPOCH = datetime(2000, 1, 1)
"""The moment that files carry where nobody names one, so that equal content is equal bytes."""


class ColumnKind(StrEnum):
    """Kinds of cells of a column, and so the way to write them; None is an empty cell."""

    TEXT = "text"
    INTEGER = "integer"
    DECIMAL = "decimal"
    """A `Fraction` or an integer, shown with the decimal places of its column."""
    FRACTION = "fraction"
    """An exact `Fraction`, written as a mixed number: 4 9/11."""
    MONEY = "money"
    """An integer in minor units of the currency of its column."""
    DATE = "date"
    DATETIME = "datetime"
    BOOLEAN = "boolean"
    RANK = "rank"
    """A `RankCell`."""
    LINK = "link"
    """A `LinkCell`."""


class RankCell(NamedTuple):
    """A place in an order; ``shared``: others have it too, and it is shown as such."""

    place: int
    shared: bool = False

    def __str__(self) -> str:
        """Show the place: 2, or 2= where it is shared."""
        return f"{self.place}=" if self.shared else str(self.place)


class LinkCell(NamedTuple):
    """A text that leads to a page; ``url`` is absolute in files."""

    text: str
    url: str

    def __str__(self) -> str:
        """Show the text alone."""
        return self.text


class DroppedCell(NamedTuple):
    """A score that does not count towards the total: a number that is struck through."""

    score: int | Fraction


Value = str | int | Fraction | datetime | date | bool | RankCell | LinkCell | DroppedCell | None
Row = tuple[Value, ...]
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(Generic[Record]):
    """One column: the key that programs know it by, the title that people read, and its kind.

    ``value`` gives the cell of a record. ``currency``: of money, with ``minor_digits`` behind the
    point. ``decimal_places``: how many of them a decimal number shows. ``width``: in characters, a
    hint; 0 leaves it to the writer. ``description`` says in a few words what is in it.
    ``is_exact``: files for programs have all decimals of its numbers, so that they can be brought
    in again. ``is_id``: an identifier, a code or a digest, for programs; files for people leave it
    out unless it is asked for, and it stands after the others. ``day``: on which fell what it is
    about. ``is_heading``: many rows in a row share its cell, such as their event; where people read
    the table it is told once, above them.
    """

    key: str
    title: str
    value: Callable[[Record], Value]
    kind: ColumnKind = ColumnKind.TEXT
    currency: str = ""
    minor_digits: int = 2
    decimal_places: int = 2
    width: int = 0
    description: str = ""
    is_exact: bool = False
    is_id: bool = False
    day: date | None = None
    is_heading: bool = False

    @property
    def is_number(self) -> bool:
        """Whether its cells are numbers, which stand on the right."""
        return self.kind in _NUMBERS

    @property
    def characters(self) -> int:
        """Return the width of a spreadsheet's column, in characters."""
        usual = {ColumnKind.TEXT: 26, ColumnKind.DATETIME: 17, ColumnKind.DATE: 12}
        return min(self.width or max(usual.get(self.kind, 10), len(self.heading) + 2), 80)

    @property
    def heading(self) -> str:
        """Give its title, with the currency of money."""
        return f"{self.title} ({self.currency})" if self.currency else self.title


_NUMBERS = frozenset(
    {
        *(ColumnKind.INTEGER, ColumnKind.DECIMAL, ColumnKind.FRACTION),
        *(ColumnKind.MONEY, ColumnKind.RANK),
    }
)


@dataclass(frozen=True, slots=True)
class Table(Generic[Record]):
    """One table; its records are asked for once, in order, and may come from a generator.

    ``is_detail``: it only says more of the table before it; a CSV file, which programs read as one
    table, is without it.
    """

    title: str
    columns: tuple[Column[Record], ...]
    records: Iterable[Record]
    is_detail: bool = False

    def __post_init__(self) -> None:
        """Check the columns. Raises ValueError."""
        keys = [column.key for column in self.columns]
        if not keys or len(set(keys)) != len(keys):
            raise ValueError("A table needs columns, each with a key of its own.")

    def drop_empty_columns(self, most: int = 5000) -> "Table[Record]":
        """Leave out columns that are empty in all rows.

        A table of more than ``most`` rows keeps them, so that its rows can go out while they come.
        """
        with ExitStack() as stack:
            if isinstance(self.records, GeneratorType):
                stack.enter_context(closing(self.records))
            rest = iter(self.records)
            known = list(islice(rest, most + 1))
            if len(known) > most:
                stack.pop_all()
                return replace(self, records=_chain(known, rest))
        filled = tuple(
            column
            for column in self.columns
            if any(column.value(record) not in (None, "") for record in known)
        )
        columns = filled or (self.columns[:1] if known else self.columns)
        return replace(self, columns=columns, records=known)

    @contextmanager
    def open_rows(self) -> Iterator[Iterator[Row]]:
        """Open the rows as tuples of cells; close a generator of records afterwards."""
        values = [column.value for column in self.columns]
        rows = (tuple(value(record) for value in values) for record in self.records)
        if isinstance(self.records, GeneratorType):
            with closing(self.records):
                yield rows
        else:
            yield rows


def _chain(known: Iterable[Record], rest: Iterator[Record]) -> Iterator[Record]:
    """The records that were read already, then the rest; closing it closes the rest."""
    try:
        yield from known
        yield from rest
    finally:
        if isinstance(rest, GeneratorType):
            rest.close()


class Detail(NamedTuple):
    """A line at the head of a file: what it is called, and what is said; ``key`` is for programs.

    For example ``Detail("date", "Date", "24 November 2026")``; ``at`` is the moment that it says
    in words, for programs.
    """

    key: str
    label: str
    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Properties:
    """The properties of a file.

    ``title`` is the event, the league or what else is in it; ``subject`` what is in it, such as
    Standings; ``author`` the club. ``details`` are the lines of its head: date, place, rules,
    scoring, version, director. ``status`` is a word that every page bears, such as Provisional,
    ``status_since`` when that began; ``made_at`` the moment that the file is true of.
    ``address`` is where the live version stands, ``digest`` what proves the state that the file
    was made from; both go into the QR code at the foot of a page. ``locale`` is the reader's
    language.
    """

    title: str = ""
    subject: str = ""
    author: str = ""
    details: tuple[Detail, ...] = ()
    status: str = ""
    status_since: datetime | None = None
    made_at: datetime | None = None
    address: str = ""
    digest: str = ""
    locale: TableLocale = ENGLISH

    @property
    def keywords(self) -> tuple[str, ...]:
        """Give what a search for the file should find it by."""
        return tuple(filter(None, (self.subject, self.author, self.title, self.status)))

    @property
    def link(self) -> str:
        """Give what the QR code at the foot says: the address, with the digest behind it."""
        return "#".join(filter(None, (self.address, self.digest)))

    @property
    def created(self) -> datetime:
        """Give the moment that files carry: in UTC, and without a time zone."""
        moment = self.made_at
        if moment is None:
            return EPOCH
        by_utc = moment.astimezone(UTC) if moment.tzinfo else moment
        return by_utc.replace(tzinfo=None, microsecond=0)


@dataclass(frozen=True, slots=True)
class Workbook:
    """Tables that go into one file. Raises ValueError where there is none."""

    tables: tuple[Table[Any], ...]
    properties: Properties = field(default_factory=Properties)

    def __post_init__(self) -> None:
        """Check that there is a table."""
        if not self.tables:
            raise ValueError("A workbook needs a table.")

    @property
    def title(self) -> str:
        """Give what a reader calls it: of what it is, and what."""
        about = self.properties
        return ": ".join(filter(None, (about.title, about.subject))) or self.tables[0].title
