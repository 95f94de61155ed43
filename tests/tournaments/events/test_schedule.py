"""Nights that do not take place as planned: called off, moved, set up by mistake."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from scoring.games.fees import list_fees, mark_fee
from scoring.games.table_codes import find_cancelled_tonight, make_event_codes
from scoring.models import TableCode
from scoring.transfer.verifying import look_at_club
from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.tournaments.night import check_in, draw, make_event, make_night, start
from tournaments.core.errors import EventCancelledError, GoneError, RefusedError, StaleError
from tournaments.events import (
    door,
    entries,
    events,
    leagues,
    recorded_results,
    round_clocks,
    schedule,
)
from tournaments.events.adjustments import adjust_score
from tournaments.events.entries import NewEntry
from tournaments.models import AuditEntry, Entry, Event, League, LeagueEvent, RoundClock, Status
from tournaments.publishing.league_standings import read_league_inputs

pytestmark = pytest.mark.django_db
WEEK = timedelta(days=7)


def cancel(event: Event, why: str = "Too few players.") -> Event:
    return schedule.cancel_event(event_id=event.pk, why=why, version=None, by=DIRECTOR, at=at(1))


def reinstate(event: Event, minutes: int = 2) -> Event:
    return schedule.reinstate_event(event_id=event.pk, version=None, by=DIRECTOR, at=at(minutes))


def move(event: Event, by: timedelta = WEEK, why: str = "The room is taken.") -> Event:
    return schedule.move_event(
        event_id=event.pk,
        starts_at=event.starts_at + by,
        why=why,
        version=None,
        by=DIRECTOR,
        at=at(1),
    )


def remove(event: Event) -> None:
    schedule.remove_event(event_id=event.pk, version=None, by=DIRECTOR, at=at(1))


def season_of(event: Event) -> League:
    league = leagues.create_league(
        club_id=event.club_id, new={"name": "Spring"}, by=DIRECTOR, at=at()
    )
    leagues.add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=at())
    return league


def deeds(event: Event) -> list[tuple[str, str]]:
    return list(
        AuditEntry.objects.filter(chain=event.pk).order_by("number").values_list("what", "why")
    )


def test_a_night_is_called_off_with_a_reason_that_stays_on_record() -> None:
    event = cancel(make_event(), " The hall is flooded. ")
    event.refresh_from_db()
    assert (event.status, event.cancel_reason) == (Status.CANCELLED, "The hall is flooded.")
    assert event.version == 2
    assert deeds(event)[-1] == ("event called off", "The hall is flooded.")


def test_nobody_calls_a_night_off_without_a_reason() -> None:
    with pytest.raises(RefusedError, match="Say why") as caught:
        cancel(make_event(), "  ")
    assert caught.value.field == "why"


def test_a_night_that_changed_meanwhile_is_looked_at_again_first() -> None:
    event = make_event()
    with pytest.raises(StaleError):
        schedule.cancel_event(
            event_id=event.pk, why="Snow.", version=event.version + 1, by=DIRECTOR, at=at()
        )


def enter_again(event: Event) -> object:
    player = make_players(event.club, 5)[-1]
    return entries.enter(event_id=event.pk, new=NewEntry(player=player.pk), by=DIRECTOR, at=at(3))


def leave(event: Event) -> object:
    entry = event.entries.get(number=1)
    return entries.change_entry(
        entry_id=entry.pk, changes={"presence": "left"}, by=DIRECTOR, at=at(3)
    )


def open_door(event: Event) -> object:
    return door.open_door(event_id=event.pk, by=DIRECTOR, at=at(3))


def change(event: Event) -> object:
    return events.change_event(
        event_id=event.pk, changes={"rounds": 2}, version=event.version, by=DIRECTOR, at=at(3)
    )


def finish(event: Event) -> object:
    return events.finish_event(event_id=event.pk, version=None, by=DIRECTOR, at=at(3))


@pytest.mark.parametrize(
    "act",
    [
        enter_again,
        leave,
        draw,
        lambda event: start(event, 1),
        open_door,
        change,
        finish,
        cancel,
        move,
    ],
)
def test_a_night_that_is_called_off_takes_nothing_more(act: Callable[[Event], object]) -> None:
    event = make_night(4)
    draw(event)
    event = cancel(event, "Snow.")
    with pytest.raises(EventCancelledError) as caught:
        act(event)
    assert str(caught.value.message) == (
        "This night is called off (“Snow.”). Let it take place again first."
    )


def test_results_only_are_not_taken_either() -> None:
    event = cancel(make_event(is_results_only=True))
    player = make_players(event.club, 1)[0]
    with pytest.raises(EventCancelledError):
        recorded_results.record_results(
            event_id=event.pk,
            results=[recorded_results.NewResult(player=player.pk, points="3")],
            why="",
            version=None,
            by=DIRECTOR,
            at=at(3),
        )


def test_the_code_at_the_door_says_that_it_is_called_off_until_it_is_taken_back() -> None:
    event = make_night(4)
    code = door.open_door(event_id=event.pk, by=DIRECTOR, at=at()).code
    cancel(event, "Snow.")
    with pytest.raises(GoneError, match="called off: “Snow"):
        door.find_door(code)
    reinstate(event)
    assert door.find_door(code).event_id == event.pk


def test_nobody_owes_the_fee_of_a_night_that_is_called_off_and_who_paid_is_still_known() -> None:
    event = make_night(4, entry_fee=500)
    first, second, *_ = event.entries.order_by("number")
    mark_fee(event_id=event.pk, entry_id=first.pk, paid=True, by=DIRECTOR, at=at())
    event = cancel(event)
    assert [(line.entry, line.due, line.paid) for line in list_fees(event)] == [(first, 0, 500)]
    assert look_at_club(event.club_id) == ()
    event = reinstate(event)
    assert [(line.due, line.paid) for line in list_fees(event)] == [
        (500, 500), (500, 0), (500, 0), (500, 0),
    ]  # fmt: skip
    event = cancel(event)
    mark_fee(event_id=event.pk, entry_id=first.pk, paid=False, by=DIRECTOR, at=at(4))
    assert list_fees(event) == []
    with pytest.raises(RefusedError, match="Nothing is owed"):
        mark_fee(event_id=event.pk, entry_id=second.pk, paid=True, by=DIRECTOR, at=at(4))
    assert look_at_club(event.club_id) == ()


def test_a_season_goes_on_and_can_be_closed_without_a_night_that_was_called_off() -> None:
    event = make_event()
    league = season_of(event)
    assert [one.event for one in read_league_inputs(league.pk).planned] == [event.pk]
    with pytest.raises(RefusedError, match="Not official yet: session 1"):
        leagues.close_league(league_id=league.pk, version=None, by=DIRECTOR, at=at(1))
    cancel(event)
    inputs = read_league_inputs(league.pk)
    assert (inputs.sessions, inputs.planned, inputs.ahead()) == ([], [], [])
    leagues.close_league(league_id=league.pk, version=None, by=DIRECTOR, at=at(2))
    for act in (reinstate, remove):
        with pytest.raises(RefusedError, match="The season Spring is closed"):
            act(event)


def test_that_it_is_called_off_can_be_taken_back_until_the_end_of_its_day() -> None:
    club = make_club(time_zone="Asia/Tokyo")
    event = cancel(make_event(club))
    with pytest.raises(RefusedError, match="day of this night is past"):
        reinstate(event, 24 * 60)
    event = reinstate(event)
    assert (event.status, event.cancel_reason) == (Status.PLANNED, "")
    with pytest.raises(RefusedError, match="not called off"):
        reinstate(event)
    assert [what for what, _why in deeds(event)[-2:]] == ["event called off", "event reinstated"]


def test_a_night_that_has_begun_is_neither_called_off_nor_moved_nor_removed() -> None:
    event = make_night(4)
    draw(event)
    start(event, 1)
    acts: list[Callable[[Event], Any]] = [cancel, move, remove]
    for act in acts:
        with pytest.raises(RefusedError, match="This night has begun"):
            act(event)


def test_a_night_is_moved_and_says_from_when_and_why() -> None:
    event = make_event()
    before = event.starts_at
    moved = move(event)
    assert (moved.starts_at, moved.moved_from) == (before + WEEK, before)
    assert (moved.move_reason, moved.version) == ("The room is taken.", 2)
    again = move(moved, timedelta(hours=1), "The bus is late.")
    assert (again.moved_from, again.move_reason) == (before + WEEK, "The bus is late.")
    assert deeds(event)[-2:] == [
        ("event moved", "The room is taken."),
        ("event moved", "The bus is late."),
    ]


@pytest.mark.parametrize(
    ("by", "why", "field"),
    [
        (timedelta(0), "Rain.", "starts_at"),
        (-WEEK, "Rain.", "starts_at"),
        (WEEK, " ", "why"),
    ],
)
def test_a_night_is_moved_to_another_day_that_is_not_past_and_with_a_reason(
    by: timedelta, why: str, field: str
) -> None:
    with pytest.raises(RefusedError) as caught:
        move(make_event(), by, why)
    assert caught.value.field == field


def test_a_night_set_up_by_mistake_is_removed_with_everything_that_was_prepared() -> None:
    event = make_night(8, duplicate=True)
    league = season_of(event)
    draw(event)
    door.open_door(event_id=event.pk, by=DIRECTOR, at=at())
    make_event_codes(event_id=event.pk, numbers=[1, 2], by=DIRECTOR, at=at())
    remove(event)
    assert not Event.objects.exists()
    assert not Entry.objects.exists()
    assert not LeagueEvent.objects.filter(league=league).exists()
    assert deeds(event)[-1] == ("event removed", "League night")
    assert look_at_club(event.club_id) == ()


def test_a_clock_that_runs_goes_with_a_night_that_is_called_off_or_removed() -> None:
    for act in (cancel, remove):
        event = make_event()
        round_clocks.start_clock(event_id=event.pk, minutes=10, by=DIRECTOR, at=at())
        act(event)
        assert not RoundClock.objects.filter(event=event.pk).exists()


def test_another_date_in_the_settings_takes_away_what_was_said_of_a_move() -> None:
    event = move(make_event())
    event = events.change_event(
        event_id=event.pk,
        changes={"starts_at": event.starts_at + WEEK},
        why="",
        version=event.version,
        by=DIRECTOR,
        at=at(2),
    )
    assert (event.moved_from, event.move_reason) == (None, "")


def test_a_code_of_every_night_says_nothing_of_one_that_is_hidden_or_has_another_in_its_place() -> (
    None
):
    event = cancel(make_event())
    code = TableCode(club=event.club, number=1)
    moment = event.starts_at
    assert find_cancelled_tonight(code, moment) == event
    make_event(event.club, starts_at=moment)
    assert find_cancelled_tonight(code, moment) is None
    hidden = cancel(make_event(is_hidden=True))
    assert find_cancelled_tonight(TableCode(club=hidden.club, number=1), moment) is None


def test_a_night_that_is_called_off_can_be_removed() -> None:
    event = cancel(make_night(4))
    remove(event)
    assert not Event.objects.exists()


def test_a_night_with_money_in_the_books_can_only_be_called_off() -> None:
    event = make_event(entry_fee=500)
    check_in(event, make_players(event.club, 1))
    with pytest.raises(RefusedError) as caught:
        remove(event)
    assert str(caught.value.message) == (
        "Entry fees are in the books of this night. It cannot be removed; call it off instead."
    )
    cancel(event)
    with pytest.raises(RefusedError, match="It stays on record as called off"):
        remove(event)
    assert Event.objects.exists()


def test_a_night_in_which_something_was_decided_is_not_removed() -> None:
    event = make_night(4)
    entry = event.entries.get(number=1)
    adjust_score(
        event_id=event.pk,
        entry=entry.pk,
        amount="-3",
        reason="Came late.",
        by=DIRECTOR,
        at=at(),
    )
    with pytest.raises(RefusedError, match="Something was decided in this night"):
        remove(event)
