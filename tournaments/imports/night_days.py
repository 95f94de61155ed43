"""The nights of a table: their names and days, as they stand above columns or in a column.

People write `12.09.`, `Night 3`, `R3 2025-09-12`, `KW 51` or `Finale (28. Juni)`. A year that is
missing is that of the nights beside it, else that of the season, or the next where the months begin
again. Nights without days follow the first one by their numbers or weeks, else week by week.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final

from engine.core.messages import Message, MessageError
from tournaments.core.errors import RefusedError
from tournaments.imports.dates import (
    LEAP_YEAR,
    WEEKDAY,
    AmbiguousDateError,
    find_day,
    is_month_alone,
    read_serial,
)
from tournaments.imports.table import ImportTable
from tournaments.tables.input_model import Cell, cell_text

_WORDS: Final = (
    r"game ?nights?|club ?nights?|nights?|evenings?|sessions?|sess|rounds?|rnd|events?|meetings?"
    r"|match ?days?|weeks?|wks?|tournaments?|heats?|legs?|stages?|(?:club|spiel)? ?abende?"
    r"|spiel ?tage?|tage?|runden?|rde|turniere?|wochen?|termine?|treffen|durchgang|sitzung|etappe"
    r"|speel ?avonden?|avond|ronde|soiree|soir[ée]e|manche|tour"
)
_LABEL: Final = re.compile(
    rf"(?<![^\W_])(?:{_WORDS}|rd|[nrstw])\s*[-.:#]?\s*(?:no\.?|nr\.?)?\s*"
    r"(?P<after>[0-9]{1,3}|[ivx]{1,5})\b(?![./-]\s?[0-9])\.?"
    rf"|(?<![^\W_])(?P<before>[0-9]{{1,3}})(?:\.|st|nd|rd|th)?\s*(?:{_WORDS})\b"
    r"|#\s?(?P<hash>[0-9]{1,3})\b",
    re.IGNORECASE,
)  # fmt: skip
_CALENDAR_WEEK: Final = re.compile(
    r"(?P<year>20[0-9]{2})[ -]?(?:W|KW|CW)[ -]?(?P<week>[0-9]{1,2})(?![0-9])"
    r"|\b(?:KW|CW)\s?[.:]?\s?(?P<alone>[0-9]{1,2})(?![0-9])"
    r"(?:\s?[,/ -]\s?(?P<after>20[0-9]{2}|'?[0-9]{2})(?![0-9]))?"
    r"|\bW(?P<short>[0-9]{1,2})\s?[,/ -]\s?(?P<last>20[0-9]{2})(?![0-9])",
    re.IGNORECASE,
)  # fmt: skip
_ANOTHER_DAY: Final = re.compile(r"(?<![0-9])[0-9]{1,2}\.?\s?[-/+&\u2013]\s?$")
"""Before a day: `12./13.9.` are two of them."""
_YEAR_LEAST: Final = 20
_ROMAN: Final = {"i": 1, "v": 5, "x": 10}
_SEASON: Final = re.compile(
    r"(?<![0-9])(?P<first>(?:19|20)?[0-9]{2})\s?[/\u2013-]\s?(?P<second>(?:19|20)?[0-9]{2})(?![0-9])"
    r"|(?<![0-9])(?P<year>(?:19|20)[0-9]{2})(?![0-9])"
)
_BRACKETS: Final = re.compile(r"\(\s*\)|\[\s*\]")
_HELD: Final = re.compile(
    r"(?P<night>.*\S)[\s:,;/|-]+(?:(?P<place>places?|rank|platz|rang|pos|pl|rg)"
    r"|pts|points?|punkte?|pkte?|score|chips?)\.?",
    re.IGNORECASE,
)
_WEIGHT: Final = re.compile("\u00d7\\s*[0-9.,/]+")
"""The weight of a night in a heading of our own files, whose points include it already."""
_SEASON_WORDS: Final = re.compile(
    r"season|saison|spielzeit|spieljahr|lig|leag|serie|winter|meister|championship", re.IGNORECASE
)
_WEEK: Final = timedelta(days=7)
_HALF: Final = 6
"""A season of two years begins after this month, and ends with it or before."""
_DAYS: Final = 366


@dataclass(frozen=True, slots=True)
class NightDay:
    """A night as it is written: its name and its day, in `LEAP_YEAR` without a year.

    ``number``: that of a night or a round; ``week``: a year, 0 for none, and a calendar week.
    ``may_be_month``: it is written as `Sep 25`, which may be a month of 2025. ``error`` says why
    the day cannot be read.
    """

    name: str
    day: date | None = None
    day_of_year: date | None = None
    error: str = ""
    number: int | None = None
    week: tuple[int, int] | None = None
    may_be_month: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it says nothing of its day."""
        return self.day is None and self.day_of_year is None and not self.error


@dataclass(frozen=True, slots=True)
class SeasonYears:
    """The year that is said of a season: its first one, and whether the next one belongs to it.

    ``is_sure``: it is that of the first night, as somebody says; a title may mean another one.
    """

    first: int
    spans_two: bool = False
    is_sure: bool = False


def split_heading(cell: Cell) -> tuple[Cell, bool]:
    """The heading of a night without what its column holds, and whether these are places.

    >>> split_heading("Night 1 (5.9.25) Pts"), split_heading("12.9. Platz"), split_heading("12.9.")
    (('Night 1 (5.9.25)', False), ('12.9.', True), ('12.9.', False))
    """
    found = _HELD.fullmatch(cell.strip()) if isinstance(cell, str) else None
    return (cell, False) if found is None else (found["night"], found["place"] is not None)


def is_place_of_night(cell: Cell) -> bool:
    """Whether a heading is that of the places of a night."""
    night, has_places = split_heading(cell)
    return has_places and is_night(night)


def is_night(cell: Cell) -> bool:
    """Whether a heading is that of a night.

    >>> [is_night(text) for text in ("12.09.", "Night 3", "R3", "Sep 12", "2025-09-12 Final")]
    [True, True, True, True, True]
    >>> [is_night(text) for text in ("12-Sep", "Wk 3", "Rd 2", "KW 51", "2025-W37", "12.09")]
    [True, True, True, True, True, True]
    >>> [is_night(text) for text in ("Name", "3", "Total 2025", "Nr", "1.5", "2025/26")]
    [False, False, False, False, False, False]
    """
    if isinstance(cell, date):
        return True
    cell = split_heading(cell)[0]
    text = cell_text(cell).strip()
    if read_serial(text):
        return True
    # A mere 1.5 is a number.
    if not isinstance(cell, str) or re.fullmatch(r"[0-9]+\.[0-9]", text):
        return False
    if _LABEL.fullmatch(text) or _CALENDAR_WEEK.search(text) or is_month_alone(text):
        return True
    return find_day(text) is not None


def read_night(cells: Sequence[Cell], table: ImportTable) -> NightDay:
    """Read a night from the cells that name it, such as its heading and the one above."""
    night = NightDay("")
    rest: list[str] = []
    for cell in cells:
        if isinstance(cell, date):
            night = replace(night, day=night.day or cell)
        elif isinstance(cell, str):
            night, words = _read_text(night, str(split_heading(cell)[0]), table)
            rest.append(words)
        elif serial := read_serial(cell_text(cell)):
            night = replace(night, day=night.day or serial)
        else:
            rest.append(cell_text(cell))
    name = " ".join(_WEIGHT.sub("", _BRACKETS.sub("", " ".join(rest))).split()).strip(
        " ,;:-\u2013/|()"
    )
    if WEEKDAY.fullmatch(name):
        name = ""
    if night.day is not None:
        night = replace(night, day_of_year=None)
    return replace(night, name=name)


def _read_text(night: NightDay, text: str, table: ImportTable) -> tuple[NightDay, str]:
    """A night with what one more text says of it, and the words that are left for its name."""
    if serial := read_serial(text):
        return replace(night, day=night.day or serial), ""
    label = _LABEL.search(text)
    if label is not None and night.number is None:
        night = replace(night, number=_number(label))
    plain = text
    if match := _CALENDAR_WEEK.search(text):
        year = (match["year"] or match["after"] or match["last"] or "0").strip("'")
        week = int(match["week"] or match["alone"] or match["short"])
        full_year = int(year) + (2000 if len(year) == 2 else 0)
        night = replace(night, week=(full_year, week))
        plain = f"{text[: match.start()]}{' ' * len(match[0])}{text[match.end() :]}"
    # "Night 2 Sep 12" is the twelfth, not the second.
    start = label.end() if label is not None and find_day(plain[label.end() :]) else 0
    written = find_day(plain[start:], table.today)
    if written is None:
        if is_month_alone(plain):
            words = Message("{text} is a month and says no day", text=repr(text[:40]))
            night = replace(night, error=words)
        return night, text
    if _ANOTHER_DAY.search(plain[: start + written.start]):
        words = Message("{text} names two days", text=repr(text[:40]))
        return replace(night, error=words), text
    try:
        day = written.choose(table.dates)
    except MessageError as problem:
        if isinstance(problem, AmbiguousDateError):
            table.ask("dates", text)
        night = replace(night, error=problem.message)
    else:
        if written.has_year:
            night = replace(night, day=night.day or day)
        else:
            is_doubtful = written.text[written.start :][:1].isalpha() and day.day >= _YEAR_LEAST
            night = replace(night, day_of_year=day, may_be_month=is_doubtful)
    return night, f"{text[: start + written.start]} {text[start + written.end :]}"


def _number(label: re.Match[str]) -> int:
    digits = label["after"] or label["before"] or label["hash"]
    if digits.isdecimal():
        return int(digits)
    values = [_ROMAN[letter] for letter in digits.lower()]
    return sum(-one if one < max(values[place:]) else one for place, one in enumerate(values))


def find_years(cells: Sequence[Cell]) -> SeasonYears | None:
    """The years that are named first, in a title such as "Season 2025/26"; None for none.

    A day of a title, such as that of its printing, says nothing of the season.
    """
    for cell in cells:
        text = cell if isinstance(cell, str) else ""
        while (written := find_day(text)) and written.has_year:
            text = f"{text[: written.start]} {text[written.end :]}"
        for found in _SEASON.finditer(text):
            if found["year"]:
                return SeasonYears(int(found["year"]))
            first, second = int(found["first"]), int(found["second"])
            if second % 100 == (first + 1) % 100 and (first > 100 or _SEASON_WORDS.search(text)):
                return SeasonYears(first + (2000 if first < 100 else 0), spans_two=True)
    return None


def complete_days(
    nights: Sequence[NightDay], *, years: SeasonYears | None, first: date | None
) -> list[NightDay]:
    """Give the nights, in the order of the table, the days that are not written in full.

    ``years`` are those of the season where no night has a year, ``first`` is the first day where
    none has a day. Raises RefusedError naming the option that is missing.
    """
    if all(night.is_open for night in nights):
        return _count_weeks(nights, first)
    nights = _refuse_months(nights)
    full_days = [day_of_moment(night.day) for night in nights if night.day is not None]
    days = [
        day_of_moment(day).replace(year=LEAP_YEAR)
        for night in nights
        if (day := night.day or night.day_of_year)
    ]
    # The newest night may come first.
    is_reversed = _span(days[::-1]) < _span(days)
    if len(full_days) > 1:
        is_reversed = full_days[-1] < full_days[0]
    ordered = list(reversed(nights) if is_reversed else nights)
    open_days = [day_of_moment(one.day_of_year) for one in ordered if one.day_of_year is not None]
    year = 0
    if open_days:
        year = _first_year(ordered) if full_days else _year_of_season(open_days, years)
    completed: list[NightDay] = []
    before: date | None = None
    for night in ordered:
        if night.day is not None:
            before, year = day_of_moment(night.day).replace(year=LEAP_YEAR), night.day.year
            completed.append(night)
        elif night.day_of_year is not None:
            if before is not None and day_of_moment(night.day_of_year) < before:
                year += 1
            before = day_of_moment(night.day_of_year)
            completed.append(_with_year(night, night.day_of_year, year))
        elif not night.error:
            completed.append(replace(night, error=_no_day(night)))
        else:
            completed.append(night)
    return completed[::-1] if is_reversed else completed


def _refuse_months(nights: Sequence[NightDay]) -> Sequence[NightDay]:
    """Refuse `Sep 25, Oct 25`: the same number beside each month is that of a year."""
    nights = [
        replace(night, may_be_month=night.may_be_month and night.day is None) for night in nights
    ]
    doubtful = [night.day_of_year for night in nights if night.may_be_month and night.day_of_year]
    if len({day.month for day in doubtful}) < 2 or len({day.day for day in doubtful}) > 1:
        return nights
    for place, one in enumerate(nights):
        if one.may_be_month and one.day_of_year:
            text = f"{one.day_of_year:%b} {one.day_of_year.day}"
            words = Message("{text} is a month and says no day", text=repr(text))
            nights[place] = replace(one, day_of_year=None, may_be_month=False, error=words)
    return nights


def _no_day(night: NightDay) -> Message:
    return Message("{night} has no day, but others have", night=repr(night.name[:60]))


def _count_weeks(nights: Sequence[NightDay], first: date | None) -> list[NightDay]:
    """Count the days of nights from the first one: by calendar weeks, numbers, or in their order.

    Raises RefusedError: the first day is missing, or is in another week.
    """
    if first is None:
        words = Message("The nights have no days. Say when the first of them was.")
        raise RefusedError(words, "first")
    if any(night.week for night in nights):
        return _count_calendar_weeks(nights, first)
    numbers = [night.number for night in nights if night.number is not None]
    if len({*numbers}) < len(nights):
        numbers = list(range(len(nights)))
    least = min(numbers)
    return [
        replace(night, day=first + (number - least) * _WEEK)
        for night, number in zip(nights, numbers, strict=True)
    ]


def _count_calendar_weeks(nights: Sequence[NightDay], first: date) -> list[NightDay]:
    weeks = [night.week for night in nights if night.week is not None]
    # A week without a year is one of the year of the week before, or the next one.
    days = [date(LEAP_YEAR, 1, 1) + (week - 1) * _WEEK for _year, week in weeks]
    is_reversed = _span(days[::-1]) < _span(days)
    if weeks[0][0] and weeks[-1][0]:
        is_reversed = weeks[-1] < weeks[0]
    year, (first_year, first_week) = first.isocalendar().year, weeks[-1 if is_reversed else 0]
    if first.isocalendar().week != first_week or first_year not in (0, year):
        words = Message(
            "{day} is not in week {week}", day=str(day_of_moment(first)), week=first_week
        )
        raise RefusedError(words, "first")
    completed: list[NightDay] = []
    before = 0
    for night in reversed(nights) if is_reversed else nights:
        if night.week is None:
            completed.append(replace(night, error=_no_day(night)))
            continue
        own_year, week = night.week
        year = own_year or year + (week < before)
        before = week
        try:
            monday = date.fromisocalendar(year, week, 1)
        except ValueError:
            words = Message("there is no week {week} in {year}", week=week, year=str(year))
            completed.append(replace(night, error=words))
        else:
            away = monday - day_of_moment(first) + timedelta(days=first.weekday())
            completed.append(replace(night, day=first + away))
    return completed[::-1] if is_reversed else completed


def _year_of_season(days: Sequence[date], years: SeasonYears | None) -> int:
    """The year of the first night of a season. Raises RefusedError where nothing says it."""
    if years is None:
        raise RefusedError(Message("Say in which year the first night was."), "year")
    is_over_new_year = any(after < before for before, after in pairwise(days))
    if years.is_sure or is_over_new_year == years.spans_two:
        return years.first
    if not is_over_new_year:
        # One half of a season of two years.
        if min(days).month > _HALF:
            return years.first
        if max(days).month <= _HALF:
            return years.first + 1
    words = Message(
        "The title says {year}, which can be the year of the first night or of the last. Say in "
        "which year the first night was.",
        year=str(years.first),
    )
    raise RefusedError(words, "year")


def _first_year(nights: Sequence[NightDay]) -> int:
    """The year of the first night that has a day, told from the first one that has a year."""
    number, day = next((number, one.day) for number, one in enumerate(nights) if one.day)
    days = [
        day_of_moment(night.day_of_year)
        for night in nights[:number]
        if night.day_of_year is not None
    ]
    days.append(day_of_moment(day).replace(year=LEAP_YEAR))
    return day.year - sum(after < before for before, after in pairwise(days))


def day_of_moment(moment: date) -> date:
    """A day of what may be a moment: the two cannot be compared."""
    return moment.date() if isinstance(moment, datetime) else moment


def _span(days: Sequence[date]) -> int:
    """Return the days from the first to the last, where each comes after the one before."""
    if not days:
        return 0
    turns = sum(after < before for before, after in pairwise(days))
    return (days[-1] - days[0]).days + turns * _DAYS


def _with_year(night: NightDay, day: date, year: int) -> NightDay:
    try:
        return replace(night, day=day.replace(year=year))
    except ValueError:
        words = Message("there is no 29 February in {year}", year=str(year))
        return replace(night, error=words)
