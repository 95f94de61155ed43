"""Days in every usual way of writing, above a column and in a cell: as meant, or a question."""

from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.core.messages import MessageError
from tournaments.core.errors import RefusedError
from tournaments.imports.dates import DateOrder, find_date_order, find_day, parse_day
from tournaments.imports.headings import MEMBER_FIELDS, NIGHT_FIELDS
from tournaments.imports.night_days import (
    NightDay,
    SeasonYears,
    complete_days,
    find_years,
    is_night,
    read_night,
)
from tournaments.imports.table import TableSettings, open_import

_MONTHS: Final = (
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
)
_GERMAN: Final = _MONTHS.split()
_WEEKDAYS: Final = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")
Write = Callable[[date], str]
WITH_YEAR: Mapping[str, Write] = {
    "ISO": date.isoformat,
    "ISO without zeros": lambda day: f"{day.year}-{day.month}-{day.day}",
    "year first, points": lambda day: f"{day.year}.{day.month}.{day.day}",
    "year first, points and zeros": lambda day: f"{day:%Y.%m.%d}",
    "year first, slashes": lambda day: f"{day.year}/{day.month}/{day.day}",
    "year first, slashes and zeros": lambda day: f"{day:%Y/%m/%d}",
    "year first, blanks": lambda day: f"{day:%Y %m %d}",
    "year first, long dashes": lambda day: f"{day:%Y\u2013%m\u2013%d}",
    "year first, a name": lambda day: f"{day:%Y-%b-%d}",
    "eight digits": lambda day: f"{day:%Y%m%d}",
    "points": lambda day: f"{day:%d.%m.%Y}",
    "points without zeros": lambda day: f"{day.day}.{day.month}.{day.year}",
    "points and blanks": lambda day: f"{day.day}. {day.month}. {day.year}",
    "points, two digits": lambda day: f"{day:%d.%m.%y}",
    "points, two digits, an apostrophe": lambda day: f"{day:%d.%m.}'{day:%y}",
    "a German name": lambda day: f"{day.day}. {_GERMAN[day.month - 1]} {day.year}",
    "a German name in capitals": lambda day: (
        f"{day.day}. {_GERMAN[day.month - 1]} {day.year}".upper()
    ),
    "a short German name": lambda day: f"{day.day}. {_GERMAN[day.month - 1][:3]}. {day.year}",
    "a German weekday": lambda day: f"{_WEEKDAYS[day.weekday()]}., {day:%d.%m.%Y}",
    "an English name": lambda day: f"{day.day} {day:%B %Y}",
    "an English name, 1st": lambda day: f"{_ordinal(day.day)} of {day:%B %Y}",
    "an English name first": lambda day: f"{day:%B} {day.day}, {day.year}",
    "an English name first, 1st": lambda day: f"{day:%B} {_ordinal(day.day)}, {day.year}",
    "an English name first, short": lambda day: f"{day:%b} {day.day}, {day.year}",
    "an English name first, no comma": lambda day: f"{day:%b} {day.day} {day.year}",
    "an English weekday": lambda day: f"{day:%A}, {day.day} {day:%B %Y}",
    "an English weekday, name first": lambda day: f"{day:%a}, {day:%b} {day.day}, {day.year}",
    "as spreadsheets show it": lambda day: f"{day:%d-%b-%y}",
    "as spreadsheets show it, four digits": lambda day: f"{day:%d-%b-%Y}",
    "nothing between": lambda day: f"{day:%d%b%Y}",
    "a name, two digits": lambda day: f"{day.day} {day:%b} '{day:%y}",
    "as spreadsheets count": lambda day: str((day - date(1899, 12, 30)).days),
}
IN_ORDER: Mapping[str, tuple[DateOrder, Write]] = {
    "slashes, day first": (DateOrder.DAY_FIRST, lambda day: f"{day:%d/%m/%Y}"),
    "slashes, month first": (DateOrder.MONTH_FIRST, lambda day: f"{day:%m/%d/%Y}"),
    "slashes, month first, two digits": (DateOrder.MONTH_FIRST, lambda day: f"{day:%m/%d/%y}"),
    "dashes, day first": (DateOrder.DAY_FIRST, lambda day: f"{day:%d-%m-%Y}"),
    "dashes, two digits": (DateOrder.DAY_FIRST, lambda day: f"{day:%d-%m-%y}"),
    "year first, two digits": (DateOrder.YEAR_FIRST, lambda day: f"{day:%y-%m-%d}"),
}
WITHOUT_YEAR: Mapping[str, Write] = {
    "points": lambda day: f"{day:%d.%m.}",
    "points without zeros": lambda day: f"{day.day}.{day.month}.",
    "no point behind": lambda day: f"{day:%d.%m}",
    "as spreadsheets show it": lambda day: f"{day:%d-%b}",
    "an English name": lambda day: f"{day.day} {day:%B}",
    "an English name first": lambda day: f"{day:%b} {day.day}",
    "an English name first, 1st": lambda day: f"{day:%B} {_ordinal(day.day)}",
    "a German name": lambda day: f"{day.day}. {_GERMAN[day.month - 1]}",
    "a weekday": lambda day: f"Fr {day:%d.%m.}",
}
DAYS = st.dates(date(2001, 1, 1), date(2035, 12, 31))


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 10 < number < 20 else ending}"


def night_of(*cells: str | date, dates: DateOrder | None = None) -> NightDay:
    table = open_import(b"Name;2025-09-12", NIGHT_FIELDS, TableSettings(dates=dates))
    return read_night(cells, table)


@given(DAYS)
def test_a_day_is_read_as_it_is_meant_in_a_cell_and_above_a_column(day: date) -> None:
    for name, write in WITH_YEAR.items():
        text = write(day)
        assert parse_day(text) == day, name
        assert is_night(text), name
        assert night_of(text) == NightDay("", day), name


@given(DAYS, st.sampled_from(["Night 3", "R3", "3. Abend", "Wk 3", "Final"]))
def test_a_day_beside_other_words_is_the_same_day_and_they_are_the_name(
    day: date, words: str
) -> None:
    for name, write in WITH_YEAR.items():
        if name != "as spreadsheets count":
            for text in (
                f"{words} {write(day)}",
                f"{write(day)} {words}",
                f"{words} ({write(day)})",
            ):
                night = night_of(text)
                assert (night.day, night.error) == (day, ""), text
                assert night.name.startswith(words), (name, night.name)


@given(DAYS)
def test_two_readings_are_asked_about_and_the_answer_decides(day: date) -> None:
    for name, (order, write) in IN_ORDER.items():
        text = write(day)
        assert parse_day(text, order) == day, name
        assert night_of(text, dates=order) == NightDay("", day), name
        try:
            unasked = parse_day(text)
        except MessageError as error:
            assert "two ways" in str(error), name  # noqa: PT017
        else:
            assert unasked == day or "two digits" in name, name


@given(DAYS)
def test_a_day_without_a_year_is_a_day_of_the_year(day: date) -> None:
    for name, write in WITHOUT_YEAR.items():
        assert is_night(write(day)) or name == "no point behind", name
        night = night_of(write(day))
        assert night.name == "", name
        assert night.day_of_year == day.replace(year=2000), name


@given(DAYS, st.times())
def test_a_moment_is_read_beside_days(day: date, clock: time) -> None:
    clock = clock.replace(second=0, microsecond=0)
    moment = datetime.combine(day, clock)
    for text in (
        f"{moment:%Y-%m-%d %H:%M}",
        f"{moment:%Y-%m-%dT%H:%M:%S}",
        f"{moment:%d.%m.%Y %H:%M}",
        f"{moment:%d.%m.%Y, %H:%M} Uhr",
        f"{moment:%d.%m.%Y} {moment.hour}.{moment:%M} Uhr",
        f"{moment:%d-%b-%y %H:%M}",
        f"{moment:%B %d, %Y %I:%M %p}",
    ):
        assert parse_day(text) == moment, text
        assert night_of(text) == NightDay("", moment), text
    nights = [NightDay("", day), NightDay("", moment + timedelta(7)), NightDay("", None, moment)]
    for order in (nights, nights[::-1]):
        assert all(night.day for night in complete_days(order, years=None, first=None))


@given(st.integers(10_000, 10**9), DAYS, st.sampled_from(list(WITH_YEAR.values())))
def test_no_day_is_found_inside_a_longer_number(number: int, day: date, write: Write) -> None:
    text = write(day)
    assume(text[0].isdigit() and text[-1].isdigit() and not {*text} & {*" '"})
    for longer in (f"{number}{text}", f"{text}{number}", f"{number}.{text}", f"{text}.{number}"):
        found = find_day(longer)
        assert found is None or not found.readings, longer


def test_what_is_no_day_is_no_night_of_another_one() -> None:
    assert night_of("2025-13-45").day is None
    assert "no date" in night_of("2025-13-45").error
    for text in ("September 2025", "Sep-25", "09/2025", "2025-09", "Okt."):
        assert is_night(text)
        assert "says no day" in night_of(text).error, text


def test_two_days_in_one_and_months_with_a_year_are_named() -> None:
    for text in ("12./13.9.2025", "19.-20.9.25", "12+13 Sep 2025"):
        assert "two days" in night_of(text).error, text
    months = [night_of(text) for text in ("Sep 25", "Oct 25", "Jan 26")]
    years = SeasonYears(2025, is_sure=True)
    assert all(night.day for night in complete_days(months[2:], years=years, first=None))
    found = complete_days(months[:2], years=years, first=None)
    assert [night.error for night in found] == [
        "'Sep 25' is a month and says no day", "'Oct 25' is a month and says no day",
    ]  # fmt: skip


def test_a_century_is_the_one_that_is_not_far_in_the_future() -> None:
    today = date(2026, 11, 26)
    for text, day in (
        ("12/21/68", date(1968, 12, 21)),
        ("13.01.37", date(1937, 1, 13)),
        ("13.01.26", date(2026, 1, 13)),
        ("13.01.35", date(2035, 1, 13)),
    ):
        assert parse_day(text, None, today) == day


def test_years_of_two_digits_are_told_from_days_by_the_other_cells() -> None:
    days = [date(2025, 9, 12), date(2025, 9, 19), date(2025, 9, 26), date(2025, 10, 3)]
    for order in (DateOrder.DAY_FIRST, DateOrder.YEAR_FIRST):
        texts = [f"{day:%d-%m-%y}" if order == "day-first" else f"{day:%y-%m-%d}" for day in days]
        assert find_date_order(texts) is order
        assert [parse_day(text, order) for text in texts] == days
    assert find_date_order(["25-09-12"]) is None


@pytest.mark.parametrize(
    ("labels", "weeks"),
    [
        (["Round 1", "Rd 2", "Wk 3", "R4", "5. Abend", "#6"], [0, 1, 2, 3, 4, 5]),
        (["Night 3", "Night 2", "Night 1"], [2, 1, 0]),
        (["Runde I", "Runde II", "Runde IV"], [0, 1, 3]),
        (["Session 1", "Final 2026"], [0, 1]),
        (["KW 51", "KW 52", "KW 2"], [0, 1, 3]),
        (["2025-W51", "2025-W52", "2026-W02"], [0, 1, 3]),
        (["KW 2", "KW 52", "KW 51"], [3, 1, 0]),
        (["KW 51/25", "CW 1 2026"], [0, 2]),
    ],
)
def test_nights_without_days_follow_the_first_one(labels: list[str], weeks: list[int]) -> None:
    first = date(2025, 12, 19)
    nights = [night_of(label) for label in labels]
    with pytest.raises(RefusedError, match="no days"):
        complete_days(nights, years=None, first=None)
    found = complete_days(nights, years=None, first=first)
    assert [(night.day - first).days // 7 for night in found if night.day] == weeks


def test_a_first_day_in_another_week_is_refused() -> None:
    nights = [night_of("KW 51"), night_of("KW 52")]
    with pytest.raises(RefusedError, match="not in week 51"):
        complete_days(nights, years=None, first=date(2025, 12, 12))


@pytest.mark.parametrize(
    ("title", "days", "expected"),
    [
        ("Season 2025/26", "12.09. 09.01.", 2025),
        ("Season 2025/26", "09.01. 06.02.", 2026),
        ("Season 2025/26", "12.09. 10.10.", 2025),
        ("Season 2025/26", "09.01. 12.09.", 2025),
        ("Season 2025/26", "09.05. 12.09.", None),
        ("Saison 25/26", "12.09. 09.01.", 2025),
        ("League 2025-2026", "12.09. 09.01.", 2025),
        ("Season 2025", "12.09. 10.10.", 2025),
        ("Season 2025", "12.09. 09.01.", None),
        ("Stand: 12.01.2026", "12.09. 10.10.", None),
        ("Saison 2025/26, Stand 12.01.2026", "12.09. 09.01.", 2025),
        ("", "12.09. 10.10.", None),
    ],
)
def test_a_season_takes_its_years_from_its_title_or_asks(
    title: str, days: str, expected: int | None
) -> None:
    nights = [night_of(text) for text in days.split()]
    years = find_years([title])
    if expected is None:
        with pytest.raises(RefusedError, match="which year"):
            complete_days(nights, years=years, first=None)
        years = SeasonYears(2024, is_sure=True)
    first, second = complete_days(nights, years=years, first=None)
    assert first.day is not None
    assert second.day is not None
    assert min(first.day, second.day).year == expected or 2024
    assert abs((second.day - first.day).days) < 250


def test_a_member_has_joined_since_any_of_these_days() -> None:
    day = date(2019, 4, 23)
    for name, write in WITH_YEAR.items():
        text = write(day)
        table = open_import(f'Name;Since\nBo;"{text}"\n'.encode(), MEMBER_FIELDS, TableSettings())
        (row,) = table.rows()
        assert row.day("since") == day, name
