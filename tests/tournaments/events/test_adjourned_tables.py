"""Tables that are finished another day: rounds go on, and nothing becomes official before."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from scoring.games import nights
from scoring.games.closing import reopen_game
from scoring.games.nights import Adjournment
from scoring.games.undo_round_start import undo_round_start
from scoring.models import Game, Phase
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.night import draw, make_night, play, play_round, start
from tests.tournaments.publishing.nights import Clock, Night, publish_all
from tests.tournaments.publishing.test_leagues import add, make_league
from tournaments.core.errors import RefusedError
from tournaments.events import events, leagues
from tournaments.events.announcements import describe_adjourned_tables
from tournaments.models import (
    AuditEntry,
    Club,
    Event,
    Result,
    Round,
    Scope,
    Stage,
    Status,
    Table,
)
from tournaments.publishing.adjourned import find_adjourned
from tournaments.publishing.event_inputs import read_event_inputs
from tournaments.publishing.official import find_current, status_of
from tournaments.selectors import boards_over

pytestmark = pytest.mark.django_db

DAY = date(2099, 12, 4)


def adjourn(game: Game, finish_on: date | None = DAY, why: str = "Ben had to leave.") -> Table:
    assert game.table_id is not None
    wanted = Adjournment(why=why, finish_on=finish_on)
    return nights.adjourn_table(table_id=game.table_id, wanted=wanted, by=DIRECTOR, at=at(1))


def end(game: Game, why: str = "") -> Table:
    assert game.table_id is not None
    return nights.end_table(table_id=game.table_id, why=why, by=DIRECTOR, at=at(9))


def close(event: Event, number: int) -> Round:
    return nights.end_round(event_id=event.pk, number=number, by=DIRECTOR, at=at(5))


@pytest.fixture
def adjourned() -> Game:
    """The game of table 1 of a closed round, with one of its two hands; table 2 has played both."""
    event = make_night(8, rounds=2)
    draw(event)
    games = start(event, 1)
    play(games[0], 1)
    play(games[1], 2)
    adjourn(games[0])
    close(event, 1)
    return games[0]


def event_of(game: Game) -> Event:
    return Event.objects.get(round_rows__tables=game.table_id)


def test_a_round_closes_without_its_adjourned_table_and_the_next_one_begins(
    adjourned: Game,
) -> None:
    event = event_of(adjourned)
    adjourned.refresh_from_db()
    other = Game.objects.exclude(pk=adjourned.pk).get()
    assert Round.objects.get(event=event, number=1).stage == Stage.CLOSED
    assert (adjourned.phase, other.phase) == (Phase.OPEN, Phase.CLOSED)
    play_round(event, 2)
    assert Round.objects.get(event=event, number=2).stage == Stage.CLOSED


def test_hands_are_entered_after_the_round_until_the_director_ends_the_table(
    adjourned: Game,
) -> None:
    play(adjourned, 1)
    assert Result.objects.filter(game=adjourned.pk, seat=0).count() == 2
    end(adjourned)
    adjourned.refresh_from_db()
    assert adjourned.phase == Phase.CLOSED
    said = AuditEntry.objects.filter(what__in=("table adjourned", "table ended"))
    assert dict(said.values_list("what", "why")) == {
        "table adjourned": "Ben had to leave.",
        "table ended": "",
    }


def test_a_table_that_has_hands_to_play_ends_only_for_a_reason(adjourned: Game) -> None:
    with pytest.raises(RefusedError, match="table 1 has played 1 of 2 hands"):
        end(adjourned)
    end(adjourned, "Nobody came again.")
    with pytest.raises(RefusedError, match="not to be finished another day"):
        end(adjourned)


def test_a_game_that_is_opened_again_is_adjourned_no_longer(adjourned: Game) -> None:
    table = end(adjourned, "Nobody came again.")
    reopen_game(game_id=adjourned.pk, why="They came after all.", by=DIRECTOR, at=at(10))
    table.refresh_from_db()
    found: Any = (table.is_adjourned, table.adjourned_at, table.finish_on, table.adjourn_reason)
    assert found == (False, None, None, "")


def test_the_night_is_not_ended_while_a_table_is_adjourned(adjourned: Game) -> None:
    event = event_of(adjourned)
    play_round(event, 2)
    said = "table 1 of round 1 will be finished on 4 December 2099. End that game first"
    with pytest.raises(RefusedError, match=said):
        events.finish_event(event_id=event.pk, version=None, by=DIRECTOR, at=at(9))
    with pytest.raises(RefusedError, match=said):
        nights.close_and_make_official(
            event_id=event.pk, why="Late.", version=None, by=DIRECTOR, at=at(9)
        )
    end(adjourned, "Nobody came again.")
    done = nights.close_and_make_official(
        event_id=event.pk, why="Late.", version=None, by=DIRECTOR, at=at(9)
    )
    assert done.status == Status.OFFICIAL


def test_two_adjourned_tables_are_two_games_to_end() -> None:
    event = make_night(8, rounds=1)
    draw(event)
    for game in start(event, 1):
        adjourn(game)
    close(event, 1)
    with pytest.raises(RefusedError, match="End those 2 games first"):
        events.finish_event(event_id=event.pk, version=None, by=DIRECTOR, at=at(9))


def test_a_table_plays_on_in_its_round_and_not_after_it() -> None:
    event = make_night(4, rounds=1)
    draw(event)
    (game,) = start(event, 1)
    table = adjourn(game)
    nights.play_on(table_id=table.pk, by=DIRECTOR, at=at(2))
    with pytest.raises(RefusedError, match="table 1 has played 0 of 2 hands"):
        close(event, 1)
    adjourn(game)
    close(event, 1)
    with pytest.raises(RefusedError, match="Round 1 is closed"):
        nights.play_on(table_id=table.pk, by=DIRECTOR, at=at(6))


@pytest.mark.parametrize(
    ("finish_on", "why", "field"),
    [(None, " ", "why"), (date(2000, 1, 1), "Late.", "finish_on")],
)
def test_a_reason_and_a_day_to_come_are_needed(
    finish_on: date | None, why: str, field: str
) -> None:
    event = make_night(4, rounds=1)
    draw(event)
    (game,) = start(event, 1)
    with pytest.raises(RefusedError) as refused:
        adjourn(game, finish_on, why)
    assert refused.value.field == field


def test_a_closed_game_is_not_adjourned() -> None:
    event = make_night(4, rounds=2)
    draw(event)
    (number,) = play_round(event, 1)
    with pytest.raises(RefusedError, match="Nothing is played at this table"):
        adjourn(Game.objects.get(pk=number))


def test_standings_say_what_is_missing_and_count_what_is_there(adjourned: Game) -> None:
    event = event_of(adjourned)
    play_round(event, 2)
    publish_all(Clock())
    standings = find_current(Scope.EVENT, event.pk)
    assert standings.data["adjourned"] == [{"round": 1, "table": 1, "finish_on": "2099-12-04"}]
    assert standings.data["up_to"]["hands"] == 7
    said = "Provisional: table 1 of round 1 will be finished on 4 December 2099"
    assert status_of(standings).sentence("UTC") == said
    play(adjourned, 1)
    end(adjourned)
    publish_all(Clock())
    standings = find_current(Scope.EVENT, event.pk)
    assert "adjourned" not in standings.data
    assert status_of(standings).sentence("UTC") == "Provisional"


def test_a_day_that_has_passed_is_not_one_to_come(
    adjourned: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = event_of(adjourned)
    publish_all(Clock())
    Club.objects.update(time_zone="Pacific/Auckland")
    said = "table 1 of round 1 {} finished on 4 December 2099"
    midnight = datetime(2099, 12, 4, 11, tzinfo=UTC)
    monkeypatch.setattr("django.utils.timezone.now", lambda: midnight - timedelta(minutes=1))
    before = status_of(find_current(Scope.EVENT, event.pk)).sentence("UTC")
    monkeypatch.setattr("django.utils.timezone.now", lambda: midnight)
    after = status_of(find_current(Scope.EVENT, event.pk)).sentence("UTC")
    there = describe_adjourned_tables(find_adjourned([event.pk]))
    assert before == "Provisional: " + said.format("will be")
    assert after == "Provisional: " + said.format("was to be")
    assert there == f"T{said[1:].format('was to be')}."


def test_a_season_names_the_night_whose_table_is_missing() -> None:
    night = Night(players=8)
    league = make_league(night.club)
    add(league, night)
    games = night.seat(1)
    night.play(games[1], (13, 0, 0, 0), (5, 4, 4, 0))
    adjourn(games[0], None)
    night.end(1)
    publish_all(night.clock)
    standings = find_current(Scope.LEAGUE, league.pk)
    said = "Provisional: “Thursday”: table 1 of round 1 will be finished another day"
    assert status_of(standings).sentence("UTC") == said
    with pytest.raises(RefusedError):
        leagues.close_league(league_id=league.pk, version=None, by=DIRECTOR, at=at(9))


def test_boards_of_an_adjourned_table_stay_secret_and_unscored() -> None:
    event = make_night(8, rounds=1, duplicate=True)
    draw(event)
    games = start(event, 1)
    adjourn(games[0])
    nights.end_round(event_id=event.pk, number=1, why="Late.", by=DIRECTOR, at=at(5))
    assert boards_over(event) == set()
    assert read_event_inputs(event.pk).boards == []
    end(games[0], "Nobody came again.")
    assert boards_over(event) == {1, 2}


def test_a_round_that_is_only_drawn_again_has_no_adjourned_table() -> None:
    event = make_night(4, rounds=1)
    draw(event)
    (game,) = start(event, 1)
    table = adjourn(game)
    undo_round_start(event_id=event.pk, number=1, by=DIRECTOR, at=at(2))
    table.refresh_from_db()
    found: Any = (table.adjourned_at, table.finish_on, table.adjourn_reason)
    assert found == (None, None, "")
