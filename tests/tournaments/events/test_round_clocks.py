"""The clock of a round: nothing of its time is lost, whoever pauses it how often."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.club import DIRECTOR, at
from tests.tournaments.night import draw, make_event, make_night, play_round, start
from tournaments.core.errors import RefusedError
from tournaments.events import events, round_clocks, rounds
from tournaments.events.round_clocks import add_minutes, find_clock, pause_clock, resume_clock
from tournaments.models import AuditEntry, Event, RoundClock

START = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
steps = st.lists(
    st.tuples(
        st.integers(0, 600),
        st.one_of(st.sampled_from(["pause", "resume"]), st.integers(-5, 5).filter(bool)),
    ),
    max_size=30,
)


@given(st.integers(1, 600), steps)
def test_a_clock_never_loses_or_gains_a_second(minutes: int, taken: Any) -> None:
    """What is left is what was given, less the seconds during which it ran."""
    clock = RoundClock(seconds=minutes * 60, left=minutes * 60, running_since=START)
    now, left, runs = START, minutes * 60, True
    for wait, step in taken:
        now += timedelta(seconds=wait)
        left = max(0, left - wait) if runs else left
        assert clock.seconds_left(now) == left
        if step == "pause":
            clock.pause(now)
            runs = False
        elif step == "resume":
            clock.resume(now)
            runs = True
        else:
            clock.add(step * 60, now)
            left = max(0, left + step * 60)
        assert clock.seconds_left(now) == left
        assert clock.is_paused is not runs
        assert clock.ends_at == (now + timedelta(seconds=left) if runs and left else clock.ends_at)
        assert clock.seconds >= 0


@given(st.lists(st.integers(0, 10**7), max_size=40))
def test_pausing_at_any_fraction_of_a_second_drifts_by_less_than_one(waits: list[int]) -> None:
    clock = RoundClock(seconds=36_000, left=36_000, running_since=START)
    now = START
    for wait in waits:
        now += timedelta(microseconds=wait)
        clock.pause(now)
        clock.resume(now)
    elapsed = (now - START) // timedelta(seconds=1)
    assert clock.seconds_left(now) == 36_000 - elapsed


def test_what_is_added_when_the_time_is_up_counts_from_now_on() -> None:
    clock = RoundClock(seconds=60, left=60, running_since=START - timedelta(minutes=1))
    late = START + timedelta(minutes=3)
    assert clock.seconds_left(late) == 0
    clock.add(120, late)
    assert (clock.seconds_left(late), clock.seconds) == (120, 180)


def with_clock(**fields: Any) -> Event:
    event = make_night(8, round_minutes=35, break_minutes=10, **fields)
    draw(event)
    return event


@pytest.mark.django_db
def test_a_clock_starts_with_its_round_and_the_break_follows() -> None:
    event = with_clock(rounds=2)
    start(event, 1)
    clock = find_clock(event.pk)
    assert clock is not None
    assert (clock.seconds, clock.is_break, clock.ends_at) == (
        2100,
        False,
        at(1).replace(microsecond=0) + timedelta(minutes=35),
    )
    assert AuditEntry.objects.get(what="round begun").details == '{"minutes":35,"round":1}'
    rounds.close_round(event_id=event.pk, number=1, why="Late", by=DIRECTOR, at=at(2))
    clock = find_clock(event.pk)
    assert clock is not None
    assert (clock.seconds, clock.is_break) == (600, True)


@pytest.mark.django_db
def test_after_the_last_round_there_is_no_break() -> None:
    event = with_clock(rounds=1)
    play_round(event, 1)
    assert find_clock(event.pk) is None


@pytest.mark.django_db
def test_a_start_that_is_taken_back_takes_its_clock_along() -> None:
    event = with_clock()
    start(event, 1)
    rounds.take_back(event_id=event.pk, number=1, why="", by=DIRECTOR, at=at(2))
    assert find_clock(event.pk) is None


@pytest.mark.django_db
def test_a_clock_by_hand_waits_until_it_is_started() -> None:
    event = with_clock(starts_clock=False)
    start(event, 1)
    assert find_clock(event.pk) is None
    with pytest.raises(RefusedError, match="There is no clock"):
        pause_clock(event_id=event.pk, by=DIRECTOR, at=at(1))
    round_clocks.start_clock(event_id=event.pk, minutes=None, by=DIRECTOR, at=at(1))
    clock = find_clock(event.pk)
    assert clock is not None
    assert clock.seconds == 2100


@pytest.mark.django_db
def test_everything_that_is_done_to_a_clock_is_on_record_and_doing_it_twice_once() -> None:
    event = with_clock()
    start(event, 1)
    version = Event.objects.get().version
    for _ in range(2):
        pause_clock(event_id=event.pk, by=DIRECTOR, at=at(1) + timedelta(minutes=5))
    add_minutes(event_id=event.pk, minutes=1, by=DIRECTOR, at=at(2))
    add_minutes(event_id=event.pk, minutes=-2, by=DIRECTOR, at=at(2))
    for _ in range(2):
        resume_clock(event_id=event.pk, by=DIRECTOR, at=at(3))
        clock = find_clock(event.pk)
        assert clock is not None
        assert clock.seconds_left(at(3)) == 29 * 60
    for _ in range(2):
        round_clocks.stop_clock(event_id=event.pk, by=DIRECTOR, at=at(4))
    found = AuditEntry.objects.filter(what__startswith="clock").order_by("number")
    assert [(row.what, row.details) for row in found] == [
        ("clock paused", '{"left":1800}'),
        ("clock changed", '{"minutes":1}'),
        ("clock changed", '{"minutes":-2}'),
        ("clock resumed", '{"left":1740}'),
        ("clock stopped", "{}"),
    ]
    assert Event.objects.get().version == version


@pytest.mark.django_db
@pytest.mark.parametrize("minutes", [0, -1, 601])
def test_minutes_that_cannot_be_are_refused(minutes: int) -> None:
    event = make_event()
    with pytest.raises(RefusedError, match="1 to 600"):
        round_clocks.start_clock(event_id=event.pk, minutes=minutes, by=DIRECTOR, at=at())
    with pytest.raises(RefusedError, match="0 to 600") as refused:
        events.change_event(
            event_id=event.pk,
            changes={"break_minutes": 601},
            version=event.version,
            by=DIRECTOR,
            at=at(),
        )
    assert refused.value.field == "break_minutes"


@pytest.mark.django_db
def test_an_event_that_is_over_has_no_clock() -> None:
    event = with_clock(rounds=1)
    round_clocks.start_clock(event_id=event.pk, minutes=5, by=DIRECTOR, at=at())
    event.refresh_from_db()
    events.finish_event(event_id=event.pk, version=event.version, by=DIRECTOR, at=at(9))
    assert find_clock(event.pk) is None
    with pytest.raises(RefusedError, match="finished"):
        round_clocks.start_clock(event_id=event.pk, minutes=5, by=DIRECTOR, at=at(10))
