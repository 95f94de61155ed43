"""Days as people write them: `2026-11-21`, `21.11.2026`, `11/21/2026`, `21. November`, `21-Nov`.

`03/04/2026` is the third of April to some and the fourth of March to others. The other cells of its
column decide (`find_date_order`); where they do not, whoever brings the table has to say which.
A day may stand among other words (`find_day`), but never inside a longer number.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Final

from engine.core.messages import Message, MessageError
from tournaments.core.name_folding import fold_text
from tournaments.tables.input_model import Cell, cell_text


class DateOrder(StrEnum):
    """The order of a day that is written in numbers alone."""

    DAY_FIRST = "day-first"
    MONTH_FIRST = "month-first"
    YEAR_FIRST = "year-first"


class AmbiguousDateError(MessageError):
    """A day such as `03/04/2026`, where nothing says which of the two is the month."""


LEAP_YEAR: Final = 2000
"""A year in which every day of a year exists; a day without a year is one of it."""
_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january januar jänner januari janvier jan jän janv",
            "february februar feber februari février feb feber févr",
            "march märz maerz maart mars mar mär mrz mrt",
            "april avril apr avr",
            "may mai mei",
            "june juni juin jun",
            "july juli juillet jul juil",
            "august augustus août aug aou",
            "september septembre sept sep",
            "october oktober octobre oct okt",
            "november novembre nov",
            "december dezember décembre dec dez déc",
        ),
        1,
    )
    for spelled in names.split()
    for name in {spelled, fold_text(spelled)}
}
_MONTH: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_PLAIN: Final = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\u00a0\u2007\u2009\u202f", " ")
    | dict.fromkeys("\u2019\u2018\u02bc", "'")
)
_CLOCK: Final = (
    r"(?:\s*[,@T]?\s*(?:(?:um|at)\s+)?(?<!\d)"
    r"(?P<hour>\d{1,2})(?:(?:[:.](?P<half_past>\d{2}))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|:(?P<minute>\d{2})(?::\d{2}(?:\.\d+)?)?(?:\s?(?:h|uhr)\b)?"
    r"|(?:[.h](?P<parted>\d{2}))?\s?(?:h|uhr)\b))?"
)
_BEFORE: Final = r"(?<![\d])(?<!\d[-./,:])"
_AFTER: Final = rf"(?![\d])(?![-./,]\d)(?![-./,]?\s?'?\d{{5}}){_CLOCK}"
_YEAR: Final = r"(?P<year>\d{4}|'?\d{2})(?![\d:h])"
_NAME: Final = rf"(?P<name>{_MONTH})(?![^\W\d_])\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:\.|st|nd|rd|th|er)?"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(f"{_BEFORE}{text}{_AFTER}", re.IGNORECASE)


_PATTERNS: Final = (
    # With a year: 2025-9-12, 20250912, 2025 Sep 12, 12.9.25, 12 September 2025, Sep 12, 2025
    _pattern(
        r"(?P<year>\d{4})\s?(?P<sign>[-./ ])\s?(?P<month>\d{1,2})\s?(?P=sign)\s?(?P<day>\d{1,2})\.?"
    ),
    _pattern(r"(?P<year>(?:19|20)\d{2})(?P<month>\d{2})(?P<day>\d{2})"),
    _pattern(rf"(?P<year>\d{{4}})[ ./-]+{_NAME}[ ./-]*{_DAY}"),
    _pattern(rf"(?P<first>\d{{1,2}})\s?(?P<sign>[-./])\s?(?P<second>\d{{1,2}})\s?(?P=sign)\s?{_YEAR}"),
    _pattern(rf"{_DAY}[ ./-]*(?:of )?{_NAME}[ ,./-]*{_YEAR}"),
    _pattern(rf"\b{_NAME}[ ./-]*{_DAY}(?:\s?[,./-]\s?| ){_YEAR}"),
    # Without a year: 12.9., 9/12, 12-Sep, Sep 12
    _pattern(r"(?P<first>\d{1,2})\s?(?P<sign>/)\s?(?P<second>\d{1,2})"),
    _pattern(r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.?"),
    _pattern(rf"{_DAY}[ ./-]*(?:of )?{_NAME}"),
    _pattern(rf"\b{_NAME}(?P<joint>[ ./'-]*){_DAY}"),
)  # fmt: skip
_MONTH_ALONE: Final = re.compile(
    rf"(?P<name>{_MONTH})\b\.?\s*[-/']?\s*(?:'?\d{{2}}|\d{{4}})?"
    r"|\d{1,2}\s?[/.-]\s?(?:19|20)\d{2}|(?:19|20)\d{2}\s?[/.-]\s?(?:0\d|1[0-2])",
    re.IGNORECASE,
)
WEEKDAY: Final = re.compile(
    r"\b(?:mon(?:day|tag)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?|mo|di(?:enstag|nsdag)?|mi(?:ttwoch)?|do(?:nnerstag|nderdag)?"
    r"|fr(?:eitag)?|sa(?:mstag)?|sonnabend|so(?:nntag)?|ma(?:andag)?|wo(?:ensdag)?|vr(?:ijdag)?"
    r"|za(?:terdag)?|zo(?:ndag)?)\b[.,]*\s*$",
    re.IGNORECASE,
)
"""A weekday at the end of a text, such as one before a day."""
_MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d.*", re.ASCII)
_SERIALS: Final = range(10_959, 73_050)
"""The days from 1930 to 2099 as spreadsheets count them."""
_FIRST_SERIAL: Final = datetime.combine(date(1899, 12, 30), time())
_CENTURY: Final = 2000
_EXPECTED: Final = 10
"""A year of two digits is one of so many years to come, else of the last hundred."""
_LONGEST: Final = 60


@dataclass(frozen=True, slots=True)
class WrittenDay:
    """A day among other words: where it stands, and the days that it may be, by their order.

    The order is None where the day is written in one way only, such as 2025-09-12. Without a year
    the days are those of `LEAP_YEAR`.
    """

    text: str
    start: int
    end: int
    has_year: bool
    readings: Mapping[DateOrder | None, date]
    clock: time | None = None

    def choose(self, order: DateOrder | None) -> date:
        """The day that is meant, with its time if it has one. Raises MessageError."""
        shown = repr(self.text[self.start : self.end].strip()[:40])
        if not self.readings:
            raise MessageError(Message("{text} is no date; write it as 2026-11-21", text=shown))
        if len({*self.readings.values()}) == 1:
            day = next(iter(self.readings.values()))
        elif order in self.readings:
            day = self.readings[order]
        else:
            raise AmbiguousDateError(
                Message(
                    "{text} can be read in two ways; say whether the day or the month comes first",
                    text=shown,
                )
            )
        return day if self.clock is None else datetime.combine(day, self.clock)


def find_day(text: str, today: date | None = None) -> WrittenDay | None:
    """Find the day that stands in a text, or None.

    ``today`` decides on the century of a year of two digits.

    >>> found = find_day("Finale (28. Juni 2025)")
    >>> str(found.choose(None)), found.has_year
    ('2025-06-28', True)
    >>> find_day("12345.6.78"), find_day("Night 3")
    (None, None)
    """
    plain = text.translate(_PLAIN)
    for pattern in _PATTERNS:
        for found in pattern.finditer(plain):
            if set("-'/") & set(found.groupdict().get("joint") or ""):
                continue  # Sep-25 or Sep '25, where the number is that of the year
            readings = dict(_readings(found.groupdict(), today))
            if readings or "year" in found.re.groupindex:
                has_year = "year" in found.re.groupindex
                weekday = WEEKDAY.search(text[: found.start()])
                start = weekday.start() if weekday else found.start()
                return WrittenDay(text, start, found.end(), has_year, readings, _clock(found))
    return None


def is_month_alone(text: str) -> bool:
    """Whether a text names a month, and perhaps its year, but no day.

    >>> [is_month_alone(text) for text in ("September 2025", "Sep-25", "09/2025", "Sep 12")]
    [True, True, True, False]
    """
    plain = text.translate(_PLAIN).strip()
    return _MONTH_ALONE.fullmatch(plain) is not None and find_day(text) is None


def parse_day(cell: Cell, order: DateOrder | None = None, today: date | None = None) -> date:
    """Read a day, a datetime where the time is said too; ``order`` decides where both may be meant.

    ``today`` decides on the century of a year of two digits, which is this one where it is missing.
    A bare number is a day as spreadsheets count them. Raises AmbiguousDateError, and MessageError
    for what is no day.

    >>> [str(parse_day(text)) for text in ("2026-11-21", "2026.11.21", "21.11.26", "11/21/2026")]
    ['2026-11-21', '2026-11-21', '2026-11-21', '2026-11-21']
    >>> [str(parse_day(text)) for text in ("21. November 2026", "Nov 21, 2026", "Sa, 21 Nov 2026")]
    ['2026-11-21', '2026-11-21', '2026-11-21']
    >>> str(parse_day("03/04/2026", DateOrder.DAY_FIRST)), str(parse_day("3.4.2026 19:30"))
    ('2026-04-03', '2026-04-03 19:30:00')
    """
    if isinstance(cell, date):
        return cell
    text = cell_text(cell)[:_LONGEST].strip()
    if serial := read_serial(text):
        return serial
    if _MOMENT.fullmatch(text):
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            pass
    written = find_day(text, today)
    if written is None or not written.has_year or not _is_whole(written):
        raise MessageError(
            Message("{text} is no date; write it as 2026-11-21", text=repr(text[:40]))
        )
    return written.choose(order)


def read_serial(text: str) -> date | None:
    """The day that a spreadsheet means by a bare number; None for any other text.

    >>> str(read_serial("45912")), str(read_serial("45912.75")), read_serial("4591")
    ('2025-09-12', '2025-09-12 18:00:00', None)
    """
    whole, _, rest = text.partition(".")
    if not (whole.isascii() and whole.isdecimal() and len(whole) == 5 and int(whole) in _SERIALS):
        return None
    if rest and not (rest.isascii() and rest.isdecimal()):
        return None
    moment = _FIRST_SERIAL + timedelta(seconds=round(Decimal(text) * 86_400))
    return moment if moment.time() != time() else moment.date()


def find_date_order(cells: Iterable[Cell]) -> DateOrder | None:
    """Return the order of days in a column; None: its cells do not say, or contradict.

    >>> find_date_order(["03/04/2026", "11/21/2026"]), find_date_order(["03/04/2026"])
    (<DateOrder.MONTH_FIRST: 'month-first'>, None)
    >>> find_date_order(["12-09-25", "19-09-25"])
    <DateOrder.DAY_FIRST: 'day-first'>
    """
    written = [day for cell in cells if isinstance(cell, str) and (day := find_day(cell))]
    orders = {order for one in written if len(one.readings) == 1 for order in one.readings}
    orders.discard(None)
    if orders:
        return orders.pop() if len(orders) == 1 else None
    # Where two digits before a month may be a year or a day, the years of a table are close.
    unclear = [one.readings for one in written if DateOrder.YEAR_FIRST in one.readings]
    close = [
        order
        for order in DateOrder
        if len(unclear) > 1
        and all(order in readings for readings in unclear)
        and len({readings[order].year for readings in unclear}) == 1
    ]
    return close[0] if len(close) == 1 else None


def _is_whole(written: WrittenDay) -> bool:
    """Whether nothing stands beside a day."""
    before, after = written.text[: written.start], written.text[written.end :]
    return not before.strip(" ,.") and not after.strip(" .,")


def _readings(
    parts: Mapping[str, str | None], today: date | None
) -> Iterator[tuple[DateOrder | None, date]]:
    """The days that the parts of a date may mean, by what comes first."""
    written = parts.get("year")
    year = LEAP_YEAR if written is None else _full_year(written, today)
    if (first := parts.get("first")) is None:
        month = parts.get("month") or _MONTHS[fold_text(parts.get("name") or "")]
        numbers: list[tuple[DateOrder | None, int, int, int]] = [
            (None, year, int(month), int(parts["day"] or 0))
        ]
    else:
        second, sign = int(parts["second"] or 0), parts["sign"]
        numbers = [(DateOrder.DAY_FIRST, year, second, int(first))]
        # Nobody writes the month first before points.
        if sign != ".":
            numbers.append((DateOrder.MONTH_FIRST, year, int(first), second))
        if sign == "-" and written is not None and len(written) == 2:
            year = _full_year(first, today)
            numbers.append((DateOrder.YEAR_FIRST, year, second, int(written)))
    for order, full_year, number, day in numbers:
        try:
            yield order, date(full_year, number, day)
        except ValueError:
            continue


def _full_year(text: str, today: date | None) -> int:
    """A year of two digits is not far in the future."""
    digits = text.strip("'")
    if len(digits) == 4:
        return int(digits)
    year = int(digits) + _CENTURY
    return year if today is None or year <= today.year + _EXPECTED else year - 100


def _clock(found: re.Match[str]) -> time | None:
    if found["hour"] is None:
        return None
    hour, minute = (
        int(found["hour"]),
        int(found["minute"] or found["parted"] or found["half_past"] or 0),
    )
    if found["half"] and hour <= 12:
        hour = hour % 12 + (12 if found["half"].lower() == "p" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None
