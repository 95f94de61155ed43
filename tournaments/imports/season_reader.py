"""Read what a table of nights states of a season, before any row is planned.

Nothing is reported here: what is wrong in a cell is said where its row is planned.
"""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from engine.core.messages import MessageError
from tournaments.imports.names import name_in
from tournaments.imports.night_units import PLACES, POINTS, StatedRow
from tournaments.imports.numbers import is_absent, is_unfinished
from tournaments.imports.season_counting import FileResults, SeasonCounting, SeasonResult
from tournaments.imports.table import ImportRow, ImportTable
from tournaments.tables.cells import decimal_text
from tournaments.tables.input_model import Cell, cell_text

_MARKED: Final = re.compile(r"[(\[]\s*(.*?)\s*[)\]]\s*\*?|(.*\S)\s*\*")
"""A result in brackets or with a star; what that means `season_counting` decides."""
PLACE: Final = re.compile(r"=?\s*([1-9][0-9]{0,3})\s*(?:=|\.|st|nd|rd|th)?")


def split_mark(cell: Cell) -> tuple[Cell, str]:
    """A result without its brackets or star, and as it was written if it had them."""
    text = cell_text(cell).strip() if isinstance(cell, str) else ""
    is_word = is_absent(text or "0") or is_unfinished(text)
    found = None if is_word else _MARKED.fullmatch(text)
    return (cell, "") if found is None else (found[1] or found[2] or "", text)


class SeasonReader:
    """Reads results, totals and places that a table states; ``unit`` is what its nights hold."""

    def __init__(self, table: ImportTable) -> None:
        self._table = table
        self.unit = POINTS
        self._values: dict[tuple[str, Cell], Fraction | None] = {}

    @property
    def total_key(self) -> str:
        """The field of the totals."""
        return "total" if "total" in self._table.columns else "points"

    def marks(self, rows: Sequence[ImportRow]) -> list[str]:
        """The results in brackets or with a star, as they are written."""
        cells = [cell for row in rows for _column, cell in row.each("night")]
        return [mark for cell in cells if (mark := split_mark(cell)[1])]

    def values_of_nights(
        self, rows: Sequence[ImportRow], night_of: Callable[[ImportRow], object]
    ) -> list[list[Fraction]]:
        """The numbers of each night; ``night_of`` tells the night of a row with one result."""
        held: dict[object, list[Fraction]] = {}
        for row in rows:
            cells: list[tuple[object, Cell]] = [*row.each("night")]
            for key, cell in cells or [(night_of(row), row.cell("points"))]:
                value = self._value_of(cell)
                if value is not None:
                    held.setdefault(key, []).append(value)
        return list(held.values())

    def stated_row(self, row: ImportRow) -> StatedRow:
        """The name, total and place in a row."""
        is_wide = "night" in self._table.columns
        place = PLACE.fullmatch(row.text("place").strip())
        return StatedRow(
            name_in(row),
            self._value_of(row.cell(self.total_key)) if is_wide else None,
            int(place[1]) if place else None,
        )

    def season_row(self, row: ImportRow) -> FileResults:
        """The results in a row, with all that counts beside them."""
        results = []
        for _column, cell in row.each("night"):
            plain, mark = split_mark(cell)
            value = self._value_of(plain)
            if value is not None:
                results.append(SeasonResult(value, mark))
        counted = self._value_of(row.cell("counted"))
        has_total = self.unit != PLACES and "night" in self._table.columns
        return FileResults(
            results=results,
            penalties=self._sum_of(row, "penalty"),
            bonuses=self._sum_of(row, "bonus"),
            total=self._value_of(row.cell(self.total_key)) if has_total else None,
            counted=None if counted is None else int(counted),
        )

    def describe_totals(
        self, rows: Sequence[ImportRow], held: Sequence[FileResults], counting: SeasonCounting
    ) -> list[str]:
        """Rows whose total is not that of all nights, as examples."""
        return [
            f"{name_in(row)}: {decimal_text(one.total)}"
            for row, one in zip(rows, held, strict=True)
            if one.total is not None
            and one.results
            and one.total - one.bonuses - one.penalties * counting.sign.factor
            != sum(one.values(counting.marked), Fraction())
        ]

    def _value_of(self, cell: Cell) -> Fraction | None:
        key = (self.unit, cell)
        if key not in self._values:
            self._values[key] = self._read_value(cell)
        return self._values[key]

    def _read_value(self, cell: Cell) -> Fraction | None:
        try:
            if self.unit == PLACES:
                place = PLACE.fullmatch(cell_text(cell).strip())
                return Fraction(place[1]) if place else None
            return self._table.parse_number(cell)
        except MessageError:
            return None

    def _sum_of(self, row: ImportRow, key: str) -> Fraction:
        return sum((self._value_of(cell) or Fraction() for _at, cell in row.each(key)), Fraction())
