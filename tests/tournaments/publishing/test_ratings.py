"""Ratings of a club: which games count, in which order, and when they are computed anew."""

import pytest

from scoring.games.closing import Closing, close_game, reopen_game
from scoring.games.opening import SeatChange, seat_player
from scoring.jobs.nightly import next_night, plan, run
from scoring.models import Game
from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.tournaments.publishing.nights import Night, assert_is_cold, data_of, publish_all
from tournaments.events import events, leagues
from tournaments.models import Player, PlayerKind, Published, Scope, Stale
from tournaments.people import members
from tournaments.publishing.club_ratings import rated_games
from tournaments.publishing.staleness import mark_strengths

pytestmark = pytest.mark.django_db


def close(game: Game) -> None:
    closing = Closing(reason="Late.", leave_out=True)
    close_game(game_id=game.pk, closing=closing, by=DIRECTOR, at=at(90))


def test_only_closed_games_are_rated_and_a_reopened_one_no_more() -> None:
    night = Night()
    first, second = night.seat(1)
    night.play(first, (13, 0, 0, 0))
    night.play(second, (0, 13, 0, 0))
    publish_all(night.clock)
    assert not Published.objects.filter(scope=Scope.RATINGS)
    close(first)
    publish_all(night.clock)
    publish_all(night.clock)
    assert data_of(Scope.RATINGS, night.club.pk)["games"] == 1
    assert_is_cold(Scope.RATINGS, night.club.pk)
    reopen_game(game_id=first.pk, why="Misread.", by=DIRECTOR, at=at(95))
    publish_all(night.clock)
    publish_all(night.clock)
    assert data_of(Scope.RATINGS, night.club.pk)["games"] == 0


def test_a_hand_of_an_open_game_leaves_ratings_alone() -> None:
    night = Night()
    first, second = night.seat(1)
    night.play(first, (13, 0, 0, 0))
    close(first)
    publish_all(night.clock)
    publish_all(night.clock)
    night.play(second, (0, 13, 0, 0))
    night.publish()
    assert not Stale.objects.filter(scope=Scope.RATINGS)


def test_guests_are_left_out_and_tables_with_substitutes_are_not_rated() -> None:
    club = make_club()
    players = make_players(club, 8)
    Player.objects.filter(pk=players[1].pk).update(kind=PlayerKind.GUEST)
    night = Night(club=club, players=players, hands=3)
    first, second = night.seat(1)
    night.play(first, (13, 0, 0, 0))
    night.play(second, (13, 0, 0, 0))
    change = SeatChange(seat=0, player=make_players(club, 1)[0].pk, first=2)
    seat_player(game_id=second.pk, change=change, by=DIRECTOR, at=at(5))
    night.play(second, (0, 5, 4, 4))
    close(first)
    close(second)
    (game,) = rated_games(club.pk)
    assert game.game == str(first.pk)
    assert [player for player, _ in game.places] == [str(players[n].pk) for n in (0, 2, 3)]
    assert game.order == ("2026-11-20", 1, 1, 1)


def test_games_are_rated_in_the_order_of_play_not_of_entry() -> None:
    club = make_club()
    players = make_players(club, 4)
    late = Night(club=club, players=players, starts_at=at(60 * 24))
    early = Night(club=club, players=players)
    for night, taken in ((late, (13, 0, 0, 0)), (early, (0, 13, 0, 0))):
        night.play(night.seat(1)[0], taken)
        night.end(1)
    days = [game.order[0] for game in rated_games(club.pk)]
    assert days == ["2026-11-20", "2026-11-21"]
    publish_all(early.clock)
    publish_all(early.clock)
    rows = data_of(Scope.RATINGS, club.pk)["rows"]
    assert [point["day"] for point in rows[0]["history"]] == days


def test_who_turns_out_to_be_a_guest_is_not_rated_any_more() -> None:
    night = Night(players=4)
    night.play(night.seat(1)[0], (13, 0, 0, 0))
    night.end(1)
    publish_all(night.clock)
    publish_all(night.clock)
    player = Player.objects.get(pk=night.players[0].pk)
    members.change_player(
        player_id=player.pk,
        changes={"kind": "guest"},
        version=player.version,
        by=DIRECTOR,
        at=at(99),
    )
    publish_all(night.clock)
    rows = data_of(Scope.RATINGS, night.club.pk)["rows"]
    assert str(player.pk) not in {row["player"] for row in rows}


def test_strengths_are_worked_out_in_the_night_where_ratings_changed() -> None:
    night = Night(players=4)
    night.play(night.seat(1)[0], (13, 0, 0, 0))
    night.end(1)
    publish_all(night.clock)
    publish_all(night.clock)
    plan(at=at())
    then = next_night(at())
    assert run("rate strengths", lambda: then)
    publish_all(night.clock)
    rows = data_of(Scope.STRENGTH, night.club.pk)["rows"]
    assert len(rows) == 4
    assert rows[-1]["player"] == str(night.players[0].pk)
    assert_is_cold(Scope.STRENGTH, night.club.pk)
    assert mark_strengths(at=at()) == 0


def rated(night: Night) -> int:
    """So many games count, and what is published says so."""
    publish_all(night.clock)
    publish_all(night.clock)
    assert_is_cold(Scope.RATINGS, night.club.pk)
    games = data_of(Scope.RATINGS, night.club.pk)["games"]
    assert games == len(rated_games(night.club.pk))
    return int(games)


def played() -> Night:
    night = Night(rounds=2)
    for game in night.seat(1):
        night.play(game, (13, 0, 0, 0))
        close(game)
    return night


def test_an_event_without_ratings_is_left_out_and_may_be_let_in() -> None:
    night = played()
    assert rated(night) == 2
    for is_rated, games in ((False, 0), (True, 2)):
        night.event.refresh_from_db()
        events.change_event(
            event_id=night.event.pk,
            changes={"rated": is_rated},
            version=night.event.version,
            by=DIRECTOR,
            at=at(99),
        )
        assert rated(night) == games


def test_a_league_without_ratings_takes_its_events_out_as_long_as_they_count_for_it() -> None:
    night = played()
    assert rated(night) == 2
    new = {"name": "Friendlies", "rated": False}
    league = leagues.create_league(club_id=night.club.pk, new=new, by=DIRECTOR, at=at())
    leagues.add_session(league_id=league.pk, event=night.event.pk, by=DIRECTOR, at=at())
    assert rated(night) == 0
    leagues.remove_session(
        league_id=league.pk, event_id=night.event.pk, version=1, by=DIRECTOR, at=at()
    )
    assert rated(night) == 2
    leagues.add_session(league_id=league.pk, event=night.event.pk, by=DIRECTOR, at=at())
    assert rated(night) == 0
    league.refresh_from_db()
    leagues.change_league(
        league_id=league.pk,
        changes={"rated": True},
        version=league.version,
        by=DIRECTOR,
        at=at(),
    )
    assert rated(night) == 2


def test_other_changes_of_an_event_leave_ratings_alone() -> None:
    night = played()
    rated(night)
    version = Published.objects.get(scope=Scope.RATINGS).computed_at
    league = leagues.create_league(
        club_id=night.club.pk, new={"name": "Autumn"}, by=DIRECTOR, at=at()
    )
    leagues.add_session(league_id=league.pk, event=night.event.pk, by=DIRECTOR, at=at())
    night.clock.pass_by(60)
    rated(night)
    assert Published.objects.get(scope=Scope.RATINGS).computed_at == version
