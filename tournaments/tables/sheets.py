"""What is written: a workbook of sheets, a sheet of typed columns, and rows that may flow."""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from fractions import Fraction
from types import GeneratorType
from typing import NamedTuple

ROWS_MAX = 1_048_576
"""Rows of one worksheet, the heading included; more go on in the next worksheet."""
EPOCH = datetime(2000, 1, 1)
"""The moment that files carry where nobody names one, so that equal content is equal bytes."""


class CellKind(StrEnum):
    """What the cells of a column hold, and so how they are written; None is an empty cell."""

    TEXT = "text"
    WHOLE = "whole"
    EXACT = "exact"
    MONEY = "money"
    MOMENT = "moment"
    DAY = "day"
    FLAG = "flag"
    RANK = "rank"


class RankCell(NamedTuple):
    """A place in an order; ``shared``: others have it too, and it is shown as such."""

    place: int
    shared: bool = False

    def __str__(self) -> str:
        """Show the place: 2, or 2= where it is shared."""
        return f"{self.place}=" if self.shared else str(self.place)


Value = str | int | Fraction | datetime | date | bool | RankCell | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: what people read above it, the key that programs know it by, and its kind.

    ``currency`` and ``minor``: of money, which is held in minor units; ``minor`` says how many of
    their digits stand behind the point. ``places``: how many places of an exact number people see.
    ``width``: in characters, a hint; 0 leaves it to the writer.
    """

    name: str
    key: str
    kind: CellKind = CellKind.TEXT
    currency: str = ""
    minor: int = 2
    places: int = 2
    width: int = 0

    @property
    def is_number(self) -> bool:
        """Whether its cells stand on the right."""
        return self.kind in (CellKind.WHOLE, CellKind.EXACT, CellKind.MONEY, CellKind.RANK)

    @property
    def characters(self) -> int:
        """How wide a spreadsheet makes it, in characters."""
        usual = {CellKind.TEXT: 26, CellKind.MOMENT: 17, CellKind.DAY: 12}.get(self.kind, 10)
        return min(self.width or max(usual, len(self.heading) + 2), 80)

    @property
    def heading(self) -> str:
        """Give its name, with the currency of money."""
        return f"{self.name} ({self.currency})" if self.currency else self.name


Row = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class TableSheet:
    """One table; its rows are asked for once, in order, and may come from a generator."""

    title: str
    columns: tuple[Column, ...]
    rows: Iterable[Row]

    def __post_init__(self) -> None:
        """Check the columns. Raises ValueError."""
        keys = [column.key for column in self.columns]
        if not keys or len(set(keys)) != len(keys):
            raise ValueError("A sheet needs columns, each with a key of its own.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Properties:
    """What a file says of itself; ``made_at``: the moment that it is true of.

    ``mark``: a word that every page bears, such as Provisional. ``seal``: what proves the state
    that the file was made from, such as the hash at the head of a chain.
    """

    title: str = ""
    subject: str = ""
    author: str = ""
    made_at: datetime | None = None
    mark: str = ""
    seal: str = ""
    notes: tuple[str, ...] = ()

    @property
    def stamp(self) -> datetime:
        """Give the moment that files carry: in UTC, and without a time zone."""
        moment = self.made_at
        if moment is None:
            return EPOCH
        by_utc = moment.astimezone(UTC) if moment.tzinfo else moment
        return by_utc.replace(tzinfo=None, microsecond=0)


@dataclass(frozen=True, slots=True)
class Workbook:
    """Sheets that go into one file. Raises ValueError where there is none."""

    sheets: tuple[TableSheet, ...]
    properties: Properties = field(default_factory=Properties)

    def __post_init__(self) -> None:
        """Check that there is a sheet."""
        if not self.sheets:
            raise ValueError("A workbook needs a sheet.")

    @property
    def title(self) -> str:
        """Give what a reader calls it."""
        return self.properties.title or self.sheets[0].title


@contextmanager
def flowing(sheet: TableSheet) -> Iterator[Iterator[Row]]:
    """Lend the rows of a sheet, checked; a generator behind them is closed whatever happens."""
    rows = sheet.rows
    if isinstance(rows, GeneratorType):
        with closing(rows):
            yield _check_rows(sheet, rows)
    else:
        yield _check_rows(sheet, rows)


def _check_rows(sheet: TableSheet, rows: Iterable[Row]) -> Iterator[Row]:
    wanted = len(sheet.columns)
    for number, row in enumerate(rows, 1):
        if len(row) != wanted:
            words = f"Row {number} of {sheet.title!r} has {len(row)} cells for {wanted} columns."
            raise ValueError(words)
        yield row
