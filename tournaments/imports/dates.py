"""Days as people write them: `2026-11-21`, `21.11.2026`, `11/21/2026`, `21. November 2026`.

`03/04/2026` is the third of April to some and the fourth of March to others. The other cells of its
column decide (`find_date_order`); where they do not, whoever brings the table has to say which.
"""

import re
from collections.abc import Iterable
from datetime import date, datetime, time
from enum import StrEnum
from typing import Final

from engine.messages import Message, MessageError
from tournaments.core.name_folding import fold_text
from tournaments.tables.input_model import Cell


class DateOrder(StrEnum):
    """What stands first in a day that is written in numbers alone."""

    DAY_FIRST = "day-first"
    MONTH_FIRST = "month-first"


class AmbiguousDateError(MessageError):
    """A day such as `03/04/2026`, where nothing says which of the two is the month."""


_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january januar janner jan",
            "february februar feber feb",
            "march marz maerz mar mrz",
            "april apr",
            "may mai",
            "june juni jun",
            "july juli jul",
            "august aug",
            "september sept sep",
            "october oktober oct okt",
            "november nov",
            "december dezember dec dez",
        ),
        1,
    )
    for name in names.split()
}
_DIGITS: Final = re.compile(r"(\d{1,2})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{4}|\d{2})", re.ASCII)
_BY_NAME: Final = re.compile(
    r"(?:(?P<before>\d{1,2})(?:\.|st|nd|rd|th)?[ .-]*(?:of )?(?P<first>[a-z]+)"
    r"|(?P<second>[a-z]+)[ .-]*(?P<after>\d{1,2})(?:st|nd|rd|th)?)"
    r"[ .,-]+(?P<year>\d{4}|\d{2})",
    re.ASCII,
)
_WEEKDAY: Final = re.compile(
    r"(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)[a-z]*[.,]*\s+(?=\d|[a-z]+ \d)"
)
_CLOCK: Final = re.compile(r"(.*\S)[ ,T]+(\d{1,2}):(\d{2})(?::\d{2})?(?: ?uhr)?", re.ASCII | re.I)
_CENTURY: Final = 2000
_LONGEST: Final = 60


def parse_day(cell: Cell, order: DateOrder | None = None) -> date:
    """Read a day, a datetime where the time is said too; ``order`` decides where both may be meant.

    Raises AmbiguousDateError, and MessageError for what is no day.

    >>> [str(parse_day(text)) for text in ("2026-11-21", "21.11.26", "11/21/2026")]
    ['2026-11-21', '2026-11-21', '2026-11-21']
    >>> [str(parse_day(text)) for text in ("21. November 2026", "Nov 21, 2026", "Sa, 21 Nov 2026")]
    ['2026-11-21', '2026-11-21', '2026-11-21']
    >>> str(parse_day("03/04/2026", DateOrder.DAY_FIRST)), str(parse_day("3.4.2026 19:30"))
    ('2026-04-03', '2026-04-03 19:30:00')
    """
    if isinstance(cell, date):
        return cell
    text = str(cell)[:_LONGEST].strip()
    try:
        found: date = datetime.fromisoformat(text)
        # A day alone is one.
        return found if len(text) > 10 else found.date()  # type: ignore[attr-defined]
    except ValueError:
        pass
    clock = None
    if parts := _CLOCK.fullmatch(text):
        hour, minute = int(parts[2]), int(parts[3])
        clock = time(hour, minute) if hour < 24 and minute < 60 else None
        text = parts[1]
    days = _readings(text)
    if len({*days.values()}) == 1:
        found = next(iter(days.values()))
    elif order in days:
        found = days[order]
    elif days:
        raise AmbiguousDateError(
            Message(
                "{text} can be read in two ways; say whether the day or the month comes first",
                text=repr(str(cell)[:40]),
            )
        )
    else:
        raise MessageError(
            Message("{text} is no date; write it as 2026-11-21", text=repr(str(cell)[:40]))
        )
    return found if clock is None else datetime.combine(found, clock)


def find_date_order(cells: Iterable[Cell]) -> DateOrder | None:
    """What comes first in the days of a column; None: its cells do not say, or contradict.

    >>> find_date_order(["03/04/2026", "11/21/2026"]), find_date_order(["03/04/2026"])
    (<DateOrder.MONTH_FIRST: 'month-first'>, None)
    """
    orders = set[DateOrder]()
    for cell in cells:
        readings = _readings(cell[:_LONGEST]) if isinstance(cell, str) else {}
        if len(readings) == 1:
            orders |= readings.keys()
    return orders.pop() if len(orders) == 1 else None


def _readings(text: str) -> dict[DateOrder, date]:
    """The days that a text may mean, by what comes first in it."""
    if parts := _DIGITS.fullmatch(text.strip()):
        first, second, year = int(parts[1]), int(parts[3]), _year(parts[4])
        days = {DateOrder.DAY_FIRST: (second, first)}
        # Nobody writes the month first before points.
        if parts[2] != ".":
            days[DateOrder.MONTH_FIRST] = (first, second)
        return {
            order: date(year, month, day)
            for order, (month, day) in days.items()
            if _is_day(year, month, day)
        }
    plain = _WEEKDAY.sub("", fold_text(text), count=1)
    named = _BY_NAME.fullmatch(plain)
    if named is None:
        return {}
    month = _MONTHS.get(named["first"] or named["second"], 0)
    day, year = int(named["before"] or named["after"]), _year(named["year"])
    order = DateOrder.DAY_FIRST if named["before"] else DateOrder.MONTH_FIRST
    return {order: date(year, month, day)} if _is_day(year, month, day) else {}


def _year(text: str) -> int:
    return int(text) + (_CENTURY if len(text) == 2 else 0)


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
