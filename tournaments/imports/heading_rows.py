"""Find the headings of a table: in one row, in two, or nights in its first column.

Two rows of headings are joined: nights with *Points* and *Place* below them, or rounds with their
days below. A table whose nights are rows and whose players are columns is read as one with a row
for each player and night.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.core.messages import MessageError
from tournaments.imports.dates import find_day, is_month_alone
from tournaments.imports.fields import NAMES, TOTALS, ImportField, fold_heading, map_columns
from tournaments.imports.numbers import DecimalMark, is_absent, parse_number
from tournaments.tables.input_model import Cell, CellRemark, TableRow, cell_text

_RESULTS: Final = frozenset(["points", "place", "games"])
"""The fields that stand below a night in a second row of headings."""
_NUMBER_OF_DAY: Final = re.compile(r"(?:0?[1-9]|[12][0-9]|3[01])\.?")
_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}")
_LEAST: Final = 2
"""So many players and nights at least, where the players are columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The headings of a table: those in one row, or joined from two that follow each other.

    ``place``: that of the first row in a list, and ``count`` how many they are. ``upper``: the
    first of two rows that both name the nights. ``guessed``: fields that only both rows tell.
    """

    row: TableRow
    place: int
    count: int = 1
    upper: TableRow | None = None
    guessed: Mapping[int, str] = field(default_factory=dict)


def join_headings(
    rows: Sequence[TableRow], place: int, fields: Sequence[ImportField]
) -> Heading | None:
    """Join the headings in a row and the next one; None where the next one has none."""
    night = next((field.matches for field in fields if field.key == "night"), None)
    if night is None or place + 1 >= len(rows):
        return None
    pair = rows[place : place + 2]
    width = max(len(row.cells) for row in pair)
    upper, lower = ([*row.cells, *[""] * (width - len(row.cells))] for row in pair)
    names = {name: field.key for field in fields for name in field.headings}
    keys = [names.get(fold_heading(cell), "") for cell in lower]
    groups = _groups(upper, night)
    below = [column for column, cell in enumerate(lower) if cell != ""]
    in_groups = [column for column in below if groups[column] != ""]
    if in_groups and all(keys[column] for column in below):
        if not any(keys[column] in _RESULTS - {"games"} for column in in_groups):
            return None
        if any(keys[column] in NAMES for column in in_groups):
            return None
        return _join_results(pair[0], place, upper, lower, keys, groups)
    combined = _combine(upper, lower, names)
    if combined is not None:
        return Heading(row=TableRow(pair[0].line, combined), place=place, count=2)
    is_named = any(names.get(fold_heading(cell)) in NAMES for cell in upper)
    if is_named and below and all(night(lower[each]) and upper[each] != "" for each in below):
        if any(night(cell) and lower[column] == "" for column, cell in enumerate(upper)):
            return None
        cells = tuple(low if low != "" else high for high, low in zip(upper, lower, strict=True))
        guessed = {column + 1: "night" for column in below}
        row = TableRow(pair[0].line, cells)
        return Heading(row=row, place=place, count=2, upper=pair[0], guessed=guessed)
    return None


def _groups(upper: Sequence[Cell], night: Callable[[Cell], bool]) -> list[Cell]:
    """The night of each column: its heading holds for the columns without one to its right."""
    groups: list[Cell] = []
    current: Cell = ""
    for cell in upper:
        if cell != "":
            current = cell if night(cell) else ""
        groups.append(current)
    return groups


def _combine(
    upper: Sequence[Cell], lower: Sequence[Cell], names: Mapping[str, str]
) -> tuple[Cell, ...] | None:
    """Headings of days below their months, or without a year below it; None for others."""
    cells: list[Cell] = []
    above: Cell = ""
    count = 0
    for high, low in zip(upper, lower, strict=True):
        above = high if high != "" else above
        day = _day_of(cell_text(above).strip(), cell_text(low).strip()) if low != "" else ""
        if low != "" and not day and (high != "" or fold_heading(low) not in names):
            return None
        cells.append(day or (high if high != "" else low))
        count += bool(day)
    return tuple(cells) if count > 1 else None


def _day_of(above: str, text: str) -> str:
    """The day that a text below a month or a year is, or nothing."""
    if is_month_alone(above) and _NUMBER_OF_DAY.fullmatch(text):
        return f"{text.rstrip('.')}. {above}"
    written = find_day(text) if _YEAR.fullmatch(above) else None
    if written is None or written.has_year:
        return ""
    # "5.9" lacks the point before its year.
    joint = "" if text.endswith(".") else "." if "." in text else " "
    return f"{text}{joint}{above}"


def _join_results(
    top: TableRow,
    place: int,
    upper: Sequence[Cell],
    lower: Sequence[Cell],
    keys: Sequence[str],
    groups: Sequence[Cell],
) -> Heading:
    """Join a row of nights with one that says what stands below each: points, a place."""
    cells: list[Cell] = []
    guessed: dict[int, str] = {}
    for column, (key, group) in enumerate(zip(keys, groups, strict=True)):
        if group == "" or not key:
            cells.append(upper[column] if upper[column] != "" else lower[column])
            continue
        has_points = any(
            other == group and keys[number] == "points" for number, other in enumerate(groups)
        )
        if key == "points" or (key == "place" and not has_points):
            guessed[column + 1] = "night"
        else:
            guessed[column + 1] = "night_place" if key == "place" else ""
        is_result = key in ("points", "place")
        cells.append(group if is_result else f"{cell_text(group)}: {cell_text(lower[column])}")
    row = TableRow(top.line, tuple(cells))
    return Heading(row=row, place=place, count=2, guessed=guessed)


def find_players(rows: Sequence[TableRow], fields: Sequence[ImportField]) -> int | None:
    """The place of a row of players above nights in the first column; None for a usual table."""
    night = next((field.matches for field in fields if field.key == "night"), None)
    if night is None:
        return None
    for place, row in enumerate(rows[:-_LEAST]):
        names = [cell for cell in row.cells[1:] if cell != ""]
        first = row.cells[0] if row.cells else ""
        body = rows[place + 1 : place + 1 + _LEAST]
        if (
            len(names) >= _LEAST
            and not night(first)
            and all(isinstance(cell, str) and not night(cell) for cell in names)
            and not any(_is_number(cell) for cell in names)
            and NAMES.isdisjoint(map_columns(row.cells, fields, {}))
            and len(map_columns(row.cells[1:], fields, {})) * 2 <= len(names)
            and all(one.cells and night(one.cells[0]) for one in body)
            and _hold_results(body)
        ):
            return place
    return None


def turn_table(rows: Iterable[TableRow], players: TableRow) -> tuple[TableRow, Iterator[TableRow]]:
    """Turn a table of nights and players: its headings, and a row for each result."""
    return TableRow(players.line, ("Date", "Name", "Points")), _turn(rows, players)


def _turn(rows: Iterable[TableRow], players: TableRow) -> Iterator[TableRow]:
    names = {
        column: cell
        for column, cell in enumerate(players.cells, 1)
        if column > 1 and cell != "" and fold_heading(cell) not in TOTALS
    }
    for row in rows:
        if row.line <= players.line or not row.cells or fold_heading(row.cells[0]) in TOTALS:
            continue
        faults = {remark.column: remark for remark in (*row.faults, *row.merged)}
        for column, name in names.items():
            cell = row.cells[column - 1] if column <= len(row.cells) else ""
            remark = faults.get(column) or faults.get(1)
            if cell != "" or column in faults:
                own = () if remark is None else (CellRemark(row.line, 3, remark.words),)
                yield TableRow(row.line, (row.cells[0], name, cell), own, (), column)
        for column, cell in enumerate(row.cells[len(players.cells) :], len(players.cells) + 1):
            if cell != "":
                yield TableRow(row.line, (row.cells[0], "", cell), (), (), column)


def _hold_results(body: Sequence[TableRow]) -> bool:
    """Whether most of the cells behind the first ones are results."""
    cells = [cell for row in body for cell in row.cells[1:] if cell != ""]
    results = sum(_is_number(cell) or is_absent(cell_text(cell)) for cell in cells)
    return results * 2 > len(cells)


def _is_number(cell: Cell) -> bool:
    try:
        parse_number(cell_text(cell), DecimalMark.POINT)
    except MessageError:
        return False
    return True
