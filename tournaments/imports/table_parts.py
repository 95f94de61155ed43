"""Parts of a table: tables below each other, their titles, and rows at the foot about nobody.

Below a sum, and where a row is called *Teilnehmer*, *Check* or the like or has the sums or the
counts of the rows above, nobody is meant, most likely: it is asked (`QUESTIONS`, ``footer``).
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from engine.core.messages import MessageError
from tournaments.imports.fields import FieldKind, fold_heading
from tournaments.imports.numbers import is_absent, parse_number
from tournaments.imports.table import ImportRow, ImportTable
from tournaments.tables.input_model import Cell, cell_text, column_letters

_SUMMED_LEAST: Final = 3
_COLUMNS_LEAST: Final = 2
"""In fewer rows or columns a sum is found by chance."""
_FOOTERS_MAX: Final = 5
_FOOTERS: Final = frozenset(
    [
        *("check", "checksum", "check sum", "control", "count", "headcount", "players", "present"),
        *("participants", "attendance", "avg", "median", "signature", "signatures", "signed"),
        *("date", "legend", "note", "notes", "remark", "remarks", "source", "director", "zero sum"),
        *("kontrolle", "probe", "prufsumme", "spieler", "anwesend", "anwesende", "schnitt"),
        *("unterschrift", "unterschriften", "datum", "stand", "hinweis", "hinweise", "quelle"),
        *("bemerkung", "bemerkungen", "leiter", "differenz", "difference", "rest", "total players"),
    ]
)
_BEGINNING: Final = re.compile(
    r"anzahl|(?:number|no|count|sum) of\b|teilnehm|unterschrift|signature|signed by|legend|hinweis"
    r"|kontroll|prufsumm|check ?sum|stand (?:vom|per|am|[0-9])|as of\b|printed|gedruckt|erstellt"
    r"|(?:seite|page) [0-9]|fur die richtigkeit|spielleit|turnierleit|schriftfuhrer|ort datum"
    r"|place date|gez\b|streich|www\b|https?\b|copyright|spieler (?:gesamt|anzahl)"
)
_STATISTIC: Final = re.compile(
    r"average|avg|mean|schnitt|durchschnitt|mittel|best|worst|last|diff|abstand|place|platz|rang|rank"
    r"|pos|game|spiel|partie|played|event|night|abende|anzahl|count|wins?\b|sieg|gewonn|lost|lose"
    r"|verlor|trick|hand|chip|sum|total|gesamt|zwischen|[0-9]+(?:st|nd|rd|th|\.)?$|nr|no|number|id\b"
    r"|jahr|year|alter|age|rating|elo|handicap|quote|percent|prozent"
)
"""Headings of numbers that are no night."""


def divide_table(table: ImportTable, rows: Sequence[ImportRow]) -> None:
    """Say of each row whether it is a title of a part or at a foot; titles are divisions.

    Tables below each other under the same headings are one; their titles become the divisions of a
    table of nights that has no column of them.
    """
    sections = [
        [row for row in rows if row.section == number]
        for number in sorted({row.section for row in rows if row.section >= 0})
    ]
    titles = [_title_above(table)]
    for rows_of_section in sections[:-1]:
        last = rows_of_section[-1]
        last.is_title = sum(cell != "" for cell in last.cells) == 1 and not last.is_total
        titles.append(_first_text(last.cells) if last.is_title else "")
    for rows_of_section in sections:
        _mark_footers(table, [row for row in rows_of_section if not row.is_title])
    if len(sections) > 1 and all(titles) and "night" in table.columns:
        _fill_divisions(table, sections, titles)


def find_unused_nights(table: ImportTable, rows: Sequence[ImportRow]) -> list[str]:
    """The headings of columns beside nights that hold numbers, but no field that anybody chose."""
    nights = table.columns.get("night", ())
    used = {column for columns in table.columns.values() for column in columns} | {*table.chosen}
    if not nights:
        return []
    unused: list[str] = []
    first = nights[0]
    while first > 1 and first - 1 not in used:
        first -= 1
    for column in range(first, len(table.header.cells) + 1):
        heading = table.heading(column)
        if column in used:
            if column > nights[-1]:
                break
            continue
        if _STATISTIC.match(fold_heading(heading)):
            continue
        numbers = sum(_number(table, row.cells, column) is not None for row in rows)
        if numbers and numbers * 2 >= len(rows):
            unused.append(cell_text(heading) or column_letters(column))
    return unused


def _title_above(table: ImportTable) -> str:
    """The title right above the headings, which begins the first part."""
    cells = table.above[-1].cells if table.above else ()
    return _first_text(cells) if sum(cell != "" for cell in cells) == 1 else ""


def _fill_divisions(
    table: ImportTable, sections: Sequence[Sequence[ImportRow]], titles: Sequence[str]
) -> None:
    if "division" in table.columns:
        return
    column = max(table.width, *(len(row.cells) for rows in sections for row in rows)) + 1
    table.columns = {**table.columns, "division": (column,)}
    table.above = table.above[:-1]
    for rows, title in zip(sections, titles, strict=True):
        for row in rows:
            if not row.is_title:
                row.fill("division", title)


def _mark_footers(table: ImportTable, rows: Sequence[ImportRow]) -> None:
    """Mark the rows of one part that are about nobody."""
    is_below = False
    people: list[ImportRow] = []
    for row in rows:
        name = fold_heading(_first_text(row.cells))
        if row.is_total:
            # Where each row has its night, it may sum up one of them.
            is_below = is_below or (bool(people) and "day" not in table.columns)
        elif is_below or name in _FOOTERS or _BEGINNING.match(name):
            row.is_footer = True
        else:
            people.append(row)
    sums = _ColumnSums(table, people)
    for count in range(min(_FOOTERS_MAX, len(people) - _SUMMED_LEAST), 0, -1):
        end = len(people) - count
        if all(sums.holds(place, end) for place in range(end, len(people))):
            for row in people[end:]:
                row.is_footer = True
            return


class _ColumnSums:
    """The numbers in the columns of a table, each read once, to find rows that sum them up."""

    def __init__(self, table: ImportTable, rows: Sequence[ImportRow]) -> None:
        self._table, self._rows = table, rows
        self._numbers: dict[int, list[Fraction | None]] = {}
        keys = [field.key for field in table.fields if field.kind is FieldKind.NUMBER]
        checks = {field.key for field in table.fields if field.is_check}
        self._columns = sorted(
            column for key in keys if key not in checks for column in table.columns.get(key, ())
        )

    def holds(self, place: int, end: int) -> bool:
        """Whether a row has the sums, or the counts, of the first rows in each column it fills."""
        cells = self._rows[place].cells
        columns = [
            column for column in self._columns if _number(self._table, cells, column) is not None
        ]
        if len(columns) < _COLUMNS_LEAST:
            return False
        is_sum = is_count = True
        for column in columns:
            if column not in self._numbers:
                rows = self._rows
                self._numbers[column] = [_number(self._table, row.cells, column) for row in rows]
            numbers = self._numbers[column]
            values = [value for value in numbers[:end] if value is not None]
            is_sum = is_sum and numbers[place] == sum(values, Fraction())
            is_count = is_count and numbers[place] == len(values)
            if not (is_sum or is_count):
                return False
        return True


def _number(table: ImportTable, cells: Sequence[Cell], column: int) -> Fraction | None:
    text = cell_text(cells[column - 1]) if column <= len(cells) else ""
    try:
        return None if is_absent(text) else parse_number(text, table.decimals)
    except MessageError:
        return None


def _first_text(cells: Sequence[Cell]) -> str:
    return next((cell_text(cell) for cell in cells if cell != ""), "")
