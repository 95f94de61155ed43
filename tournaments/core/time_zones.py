"""Time zones of clubs (IANA names), and moments and days as people write them.

Moments are stored in UTC; tables, books and URLs have days in ISO 8601.
"""

from datetime import UTC, date, datetime, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.utils.formats import date_format
from django.utils.translation import gettext

from engine.core.messages import Message
from tournaments.core.errors import RefusedError

USUAL: Final = "UTC"
LONGEST: Final = 64
_NOT_PLACES: Final = frozenset({"Factory", "localtime", "posixrules"})
_AREAS: Final = (
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe",
    "Indian", "Pacific",
)  # fmt: skip


class NoSuchTimeError(RefusedError):
    """Clocks are put forward over this time."""


class TwiceError(RefusedError):
    """Clocks are put back over this time, so that it comes twice."""


@lru_cache(maxsize=1)
def names() -> frozenset[str]:
    """Every zone that this machine knows."""
    return frozenset(available_timezones()) - _NOT_PLACES | {USUAL}


@lru_cache(maxsize=1)
def places() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The zones that are named for a place, by area, for people to choose from."""
    return tuple(
        (area, tuple(sorted(name for name in names() if name.startswith(f"{area}/"))))
        for area in _AREAS
    )


def check(name: str) -> str:
    """The name of a zone. Raises RefusedError for one that nobody knows."""
    if name not in names():
        words = Message(
            "{name} is no time zone that we know; write one as Europe/Amsterdam.",
            name=name[:LONGEST],
        )
        raise RefusedError(words, "time_zone")
    return name


def zone(name: str) -> tzinfo:
    """A zone by its name; UTC for one that another machine knew and this one does not.

    >>> zone("UTC"), zone("Nowhere/At all")
    (datetime.timezone.utc, datetime.timezone.utc)
    """
    if name == USUAL:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def local(at: datetime, name: str) -> datetime:
    """A moment by the clock on the wall; as it is where no calendar reaches so far."""
    try:
        return at.astimezone(zone(name))
    except OverflowError:
        return at


def day(at: datetime, name: str) -> date:
    """The day that the clock on the wall shows.

    >>> print(day(datetime(2026, 11, 21, 0, 30, tzinfo=UTC), "UTC"))
    2026-11-21
    """
    return local(at, name).date()


def format_moment(at: datetime, name: str) -> str:
    """A moment in a sentence, by the clock on the wall."""
    return format_wall(local(at, name))


def format_wall(wall: datetime) -> str:
    """Return the time on the wall clock, as the active language writes it, and its zone."""
    return f"{date_format(wall, gettext('j F Y, H:i'))} {wall:%Z}".rstrip()


def format_day(wall: date) -> str:
    """A day in a sentence, as the active language writes dates."""
    return date_format(wall, gettext("j F Y"))


def instant(wall: datetime, clock: tzinfo) -> datetime:
    """The moment at which a clock on the wall shows this; ``wall`` says no zone.

    Raises NoSuchTimeError in the gap when clocks are put forward, TwiceError in the hour that
    comes twice when they are put back.
    """
    first, second = (wall.replace(tzinfo=clock, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first == second:
        return first
    if first.astimezone(clock).replace(tzinfo=None) != wall:
        raise NoSuchTimeError(
            Message(
                "Clocks are put forward over {time} on {day}.",
                time=f"{wall:%H:%M}",
                day=format_day(wall),
            )
        )
    raise TwiceError(
        Message(
            "{time} comes twice on {day}: clocks are put back.",
            time=f"{wall:%H:%M}",
            day=format_day(wall),
        )
    )


def day_and_year(day: str) -> str:
    """A day as a text has it: 28 Mar 2025. Raises ValueError for what is no day of ISO 8601."""
    return date_format(date.fromisoformat(day), gettext("j M Y"))


def short_day(day: str) -> str:
    """A day below a plot: 28 Mar. Raises ValueError for what is no day of ISO 8601."""
    return date_format(date.fromisoformat(day), gettext("j M"))
