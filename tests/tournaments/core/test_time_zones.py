"""The clock on a club's wall: read, written, and put forward and back twice a year."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.errors import RefusedError
from tournaments.core.time_zones import (
    NoSuchTimeError,
    TwiceError,
    check,
    day,
    format_moment,
    instant,
    local,
    names,
    places,
    zone,
)

AMSTERDAM = "Europe/Amsterdam"
_MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2037, 12, 31))
_ZONES = st.sampled_from(
    [AMSTERDAM, "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "UTC"]
)


@given(_MOMENTS, _ZONES)
def test_what_the_clock_shows_names_one_moment_or_none(moment: datetime, name: str) -> None:
    wall = moment.replace(second=0, microsecond=0)
    clock = zone(name)
    shown_at = {
        at
        for minutes in range(-26 * 60, 26 * 60, 30)
        for at in [wall.replace(tzinfo=UTC) + timedelta(minutes=minutes)]
        if at.astimezone(clock).replace(tzinfo=None) == wall
    } | {
        wall.replace(tzinfo=clock, fold=fold).astimezone(UTC)
        for fold in (0, 1)
        if wall.replace(tzinfo=clock, fold=fold)
        .astimezone(UTC)
        .astimezone(clock)
        .replace(tzinfo=None)
        == wall
    }
    if len(shown_at) == 1:
        assert instant(wall, clock) in shown_at
    else:
        with pytest.raises(TwiceError if shown_at else NoSuchTimeError):
            instant(wall, clock)


@given(_MOMENTS, _ZONES)
def test_a_moment_reads_back_from_the_wall(moment: datetime, name: str) -> None:
    at = moment.replace(tzinfo=UTC)
    wall = local(at, name).replace(tzinfo=None)
    try:
        assert instant(wall, zone(name)) == at
    except TwiceError:
        assert local(at, name).utcoffset() is not None


def test_clocks_are_put_forward_and_back() -> None:
    clock = ZoneInfo(AMSTERDAM)
    with pytest.raises(NoSuchTimeError, match=r"put forward over 02:30 on 29 March 2026"):
        instant(datetime(2026, 3, 29, 2, 30), clock)
    with pytest.raises(TwiceError, match=r"02:30 comes twice on 25 October 2026"):
        instant(datetime(2026, 10, 25, 2, 30), clock)
    assert instant(datetime(2026, 3, 29, 3, 0), clock) == datetime(2026, 3, 29, 1, tzinfo=UTC)
    assert instant(datetime(2026, 10, 25, 3, 0), clock) == datetime(2026, 10, 25, 2, tzinfo=UTC)
    with pytest.raises(NoSuchTimeError):  # a whole day left out: Samoa crossed the date line
        instant(datetime(2011, 12, 30, 12), ZoneInfo("Pacific/Apia"))


def test_a_night_falls_on_the_day_that_the_club_says() -> None:
    late = datetime(2026, 11, 21, 0, 30, tzinfo=UTC)
    assert str(day(late, "America/New_York")) == "2026-11-20"
    assert str(day(late, "UTC")) == "2026-11-21"
    assert format_moment(late, AMSTERDAM) == "21 November 2026, 01:30 CET"
    with translation.override("de"):
        assert format_moment(late, AMSTERDAM) == "21. November 2026, 01:30 CET"


def test_a_zone_that_only_another_machine_knows_is_utc() -> None:
    for name in ("Nowhere/Town", "", "../../etc/passwd", "/etc/localtime", "x" * 64, "Europe"):
        assert zone(name) == UTC
        with pytest.raises(RefusedError) as refused:
            check(name)
        assert refused.value.field == "time_zone"
    assert check(AMSTERDAM) == AMSTERDAM
    assert "localtime" not in names()


def test_the_ends_of_the_calendar_are_days_too() -> None:
    last = datetime.max.replace(tzinfo=UTC)
    first = datetime.min.replace(tzinfo=timezone(timedelta(0)))
    assert day(last, AMSTERDAM).year == 9999
    assert day(first, "America/New_York").year == 1


def test_everybody_finds_his_place() -> None:
    listed = [name for _, found in places() for name in found]
    assert len(listed) == len(set(listed)) > 300
    assert {AMSTERDAM, "America/Argentina/Buenos_Aires", "Asia/Kolkata"} <= set(listed)
