"""The nights of a table: their names and days, as they stand above columns or in a column.

People write `12.09.`, `Night 3`, `R3 2025-09-12` or `Finale (28. Juni)`. A year that is missing is
that of the nights beside it, else that of the first night, or the next where the months begin
again; nights without days follow the first one week by week.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from engine.messages import Message, MessageError
from tournaments.core.errors import RefusedError
from tournaments.imports.table import ImportTable
from tournaments.tables.input_model import Cell, cell_text

_MONTH: Final = r"(?:jan|feb|feber|m[aä]r|mrz|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zä]*"
_WITH_YEAR: Final = re.compile(
    rf"\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}([./-])\d{{1,2}}\1\d{{2}}(?:\d{{2}})?(?!\d)"
    rf"|\d{{1,2}}\.?\s*{_MONTH}\.?,?\s*\d{{4}}|{_MONTH}\.?\s*\d{{1,2}},\s*\d{{4}}",
    re.IGNORECASE,
)
_WITHOUT_YEAR: Final = re.compile(
    rf"(?<![\d.])\d{{1,2}}\.\s?\d{{1,2}}\.?(?!\d)|(?<!\d)\d{{1,2}}/\d{{1,2}}(?![\d/])"
    rf"|\d{{1,2}}\.?\s*{_MONTH}\b\.?|\b{_MONTH}\.?\s*\d{{1,2}}\b",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"(?:night|club ?night|evening|session|round|event|week|abend|clubabend|spielabend|spieltag"
    r"|runde|turnier|woche|termin|[nrst])\s*[-.:#]?\s*(?:no\.?|nr\.?)?\s*\d{1,3}\.?"
    r"|\d{1,3}\.\s*(?:night|evening|session|round|abend|clubabend|spielabend|spieltag|runde)",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_WEEKDAY: Final = re.compile(
    r"(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)[a-z]*[.,]?", re.IGNORECASE
)
_BRACKETS: Final = re.compile(r"\(\s*\)|\[\s*\]")
_WEIGHT: Final = re.compile("\u00d7\\s*[0-9.,/]+")
"""The weight of a night in a heading of our own files, whose points include it already."""
_WEEK: Final = timedelta(days=7)
_DAYS: Final = 366
_LEAP_YEAR: Final = 2000
"""A year in which every day of a year exists."""


@dataclass(frozen=True, slots=True)
class NightDay:
    """A night as it is written: its name and its day, in `_LEAP_YEAR` without a year.

    ``error`` says why the day cannot be read.
    """

    name: str
    day: date | None = None
    day_of_year: date | None = None
    error: str = ""


def is_night(cell: Cell) -> bool:
    """Whether a heading is that of a night.

    >>> [is_night(text) for text in ("12.09.", "Night 3", "R3", "Sep 12", "2025-09-12 Final")]
    [True, True, True, True, True]
    >>> [is_night(text) for text in ("Name", "3", "Total 2025", "Nr", "1.5")]
    [False, False, False, False, False]
    """
    if not isinstance(cell, str):
        return isinstance(cell, date)
    text = cell.strip()
    if _LABEL.fullmatch(text) or _WITH_YEAR.search(text):
        return True
    found = _WITHOUT_YEAR.search(text)
    # A mere 1.5 is a number.
    return found is not None and not re.fullmatch(r"\d+\.\d+", text)


def read_night(cells: Sequence[Cell], table: ImportTable) -> NightDay:
    """Read a night from the cells that name it, such as its heading and the one above."""
    day: date | None = None
    rest: list[str] = []
    error = ""
    day_of_year: date | None = None
    for cell in cells:
        if isinstance(cell, date):
            day = day or cell
            continue
        text = cell_text(cell)
        full = _WITH_YEAR.search(text)
        found = full or _WITHOUT_YEAR.search(text)
        try:
            if full:
                day = day or table.parse_day(full[0])
            elif found:
                day_of_year = table.parse_day(_add_year(found[0]))
        except MessageError as problem:
            error = problem.message
        rest.append(text if found is None else f"{text[: found.start()]} {text[found.end() :]}")
    name = " ".join(_WEIGHT.sub("", _BRACKETS.sub("", " ".join(rest))).split()).strip(
        " ,;:-\u2013/|()"
    )
    if _WEEKDAY.fullmatch(name):
        name = ""
    return NightDay(name, day, None if day else day_of_year, error)


def _add_year(text: str) -> str:
    plain = text.strip().rstrip(".").replace(" ", "") if text[0].isdigit() else text
    if "/" in plain:
        return f"{plain}/{_LEAP_YEAR}"
    if re.fullmatch(r"\d+\.\d+", plain):
        return f"{plain}.{_LEAP_YEAR}"
    return f"{text.rstrip('.')} {_LEAP_YEAR}"


def find_year(cells: Sequence[Cell]) -> int | None:
    """The first year that is named, in a title such as "Season 2025/26"; None for none."""
    for cell in cells:
        if found := _YEAR.search(cell_text(cell)):
            return int(found[0])
    return None


def complete_days(
    nights: Sequence[NightDay], *, year: int | None, first: date | None
) -> list[NightDay]:
    """Give the nights, in the order of the table, the days that are not written in full.

    ``year`` is that of the first night where none of them has a year, ``first`` its day where none
    has a day. Raises RefusedError naming the one that is missing.
    """
    if all(one.day is None and one.day_of_year is None and not one.error for one in nights):
        if first is None:
            words = Message("The nights have no days. Say when the first of them was.")
            raise RefusedError(words, "first")
        return [replace(one, day=first + number * _WEEK) for number, one in enumerate(nights)]
    open_days = [one.day_of_year for one in nights if one.day_of_year is not None]
    full_days = [one.day for one in nights if one.day is not None]
    if open_days and not full_days and year is None:
        raise RefusedError(Message("Say in which year the first night was."), "year")
    # The newest night may come first.
    days = [day.replace(year=_LEAP_YEAR) for one in nights if (day := one.day or one.day_of_year)]
    is_reversed = _span(days[::-1]) < _span(days)
    if len(full_days) > 1:
        is_reversed = full_days[-1] < full_days[0]
    ordered = list(reversed(nights) if is_reversed else nights)
    if full_days and open_days:
        year = _first_year(ordered)
    found: list[NightDay] = []
    before: date | None = None
    for one in ordered:
        if one.day is not None:
            before, year = one.day.replace(year=_LEAP_YEAR), one.day.year
            found.append(one)
        elif one.day_of_year is not None and year is not None:
            if before is not None and one.day_of_year < before:
                year += 1
            before = one.day_of_year
            found.append(_with_year(one, one.day_of_year, year))
        elif not one.error:
            words = Message("{night} has no day, but others have", night=repr(one.name[:60]))
            found.append(replace(one, error=words))
        else:
            found.append(one)
    return found[::-1] if is_reversed else found


def _first_year(nights: Sequence[NightDay]) -> int:
    """The year of the first night that has a day, told from the first one that has a year."""
    number, day = next((number, one.day) for number, one in enumerate(nights) if one.day)
    days = [one.day_of_year for one in nights[:number] if one.day_of_year is not None]
    days.append(day.replace(year=_LEAP_YEAR))
    return day.year - sum(after < before for before, after in pairwise(days))


def _span(days: Sequence[date]) -> int:
    """How many days pass from the first to the last, where each comes after the one before."""
    if not days:
        return 0
    turns = sum(after < before for before, after in pairwise(days))
    return (days[-1] - days[0]).days + turns * _DAYS


def _with_year(one: NightDay, day: date, year: int) -> NightDay:
    try:
        return replace(one, day=day.replace(year=year))
    except ValueError:
        words = Message("there is no 29 February in {year}", year=str(year))
        return replace(one, error=words)
