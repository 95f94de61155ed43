"""Leagues: their rolls and sessions, their tables, from events that are behind and that are not."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import Game
from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.tournaments.publishing.nights import (
    Clock,
    Night,
    assert_is_cold,
    data_of,
    publish,
    publish_all,
)
from tournaments import publishing
from tournaments.core.errors import ConflictError, NotThereError, RefusedError, StaleError
from tournaments.events import events, leagues
from tournaments.models import Club, League, Player, Scope, Snapshot, Stale
from tournaments.publishing import PublishOutcome, event_summaries
from tournaments.publishing.event_summaries import clear_cache, find_summaries

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def players(club: Club) -> list[Player]:
    return make_players(club, 8)


def make_league(club: Club, **fields: object) -> League:
    new = {"name": "Autumn", "season": {"rule": "best_n", "best": 2}, **fields}
    return leagues.create_league(club_id=club.pk, new=new, by=DIRECTOR, at=at())


def play_night(league: League, players: list[Player], *taken: tuple[int, int, int, int]) -> Night:
    night = Night(club=league.club, players=players)
    add(league, night)
    for game, hand in zip(night.seat(1), taken, strict=False):
        night.play(game, hand)
    return night


def add(league: League, night: Night, **fields: Any) -> None:
    leagues.add_session(league_id=league.pk, event=night.event.pk, **fields, by=DIRECTOR, at=at())


def test_a_season_counts_its_best_nights(club: Club, players: list[Player]) -> None:
    league = make_league(club)
    clock = Clock()
    for taken in [(13, 0, 0, 0), (0, 13, 0, 0), (0, 0, 13, 0)]:
        play_night(league, players, taken)
    publish_all(clock)
    data = data_of(Scope.LEAGUE, league.pk)
    assert len(data["rows"]) == 4
    assert len(data["sessions"]) == 3
    first = next(row for row in data["rows"] if row["entry"] == str(players[0].pk))
    assert [line["counted"] for line in first["lines"]].count(True) == 2
    assert_is_cold(Scope.LEAGUE, league.pk)


def test_an_event_that_is_behind_is_computed_on_the_way(club: Club, players: list[Player]) -> None:
    league = make_league(club)
    night = play_night(league, players, (13, 0, 0, 0))
    clock = Clock()
    assert publish(Scope.LEAGUE, league.pk, clock) is PublishOutcome.NEW
    first = data_of(Scope.LEAGUE, league.pk)
    assert Stale.objects.filter(scope=Scope.EVENT, subject=night.event.pk).exists()
    publish_all(clock)
    assert data_of(Scope.LEAGUE, league.pk) == first
    assert_is_cold(Scope.LEAGUE, league.pk)


def test_what_a_worker_remembers_is_never_an_older_night(club: Club, players: list[Player]) -> None:
    league = make_league(club)
    night = play_night(league, players, (13, 0, 0, 0))
    publish_all(night.clock)
    before = data_of(Scope.LEAGUE, league.pk)
    night.play(first_game(night), (0, 13, 0, 0))
    publish_all(night.clock)
    assert data_of(Scope.LEAGUE, league.pk) != before
    assert_is_cold(Scope.LEAGUE, league.pk)
    clear_cache()
    cold = publishing.compute(Scope.LEAGUE, league.pk)
    assert cold is not None
    assert cold.data == data_of(Scope.LEAGUE, league.pk)


def first_game(night: Night) -> Game:
    return Game.objects.filter(table__round__event=night.event).earliest("opened_at", "id")


def test_published_nights_cost_as_many_questions_however_many(
    club: Club, players: list[Player]
) -> None:
    league, counts = make_league(club), []
    clock = Clock()
    for nights in (1, 3):
        for _ in range(nights):
            play_night(league, players, (13, 0, 0, 0))
        publish_all(clock)
        with CaptureQueriesContext(connection) as asked:
            publishing.compute(Scope.LEAGUE, league.pk)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 8


def test_only_the_roll_counts_in_a_closed_league(club: Club, players: list[Player]) -> None:
    league = make_league(club, is_open=False)
    leagues.enrol(
        league_id=league.pk,
        player=players[0].pk,
        opening="21/2",
        opening_events=1,
        by=DIRECTOR,
        at=at(),
    )
    play_night(league, players, (13, 0, 0, 0))
    clock = Clock()
    publish_all(clock)
    rows = data_of(Scope.LEAGUE, league.pk)["rows"]
    assert [row["entry"] for row in rows] == [str(players[0].pk)]
    with_opening = rows[0]["total"]
    changes = {"withdrawn": True, "opening": ""}
    leagues.change_member(
        league_id=league.pk,
        player_id=players[0].pk,
        changes=changes,
        version=1,
        by=DIRECTOR,
        at=at(2),
    )
    publish_all(clock)
    row = data_of(Scope.LEAGUE, league.pk)["rows"][0]
    assert row["withdrawn"]
    assert row["total"] != with_opening
    assert_is_cold(Scope.LEAGUE, league.pk)


def test_divisions_move_up_and_down(club: Club, players: list[Player]) -> None:
    season = {"divisions": ["First", "Second"], "moves": 1, "division_step": 4, "best": 1}
    league = make_league(club, season=season)
    for place, player in enumerate(players):
        leagues.enrol(
            league_id=league.pk, player=player.pk, division=1 + place // 4, by=DIRECTOR, at=at()
        )
    play_night(league, players, (13, 0, 0, 0), (0, 13, 0, 0))
    boundary = leagues.promotions(league_id=league.pk)[0]
    assert (boundary.upper, boundary.lower) == ("First", "Second")
    assert boundary.down == (str(players[0].pk),)
    assert boundary.playoff_up is not None
    with pytest.raises(RefusedError, match="2 divisions"):
        leagues.change_member(
            league_id=league.pk,
            player_id=players[0].pk,
            changes={"division": 3},
            version=1,
            by=DIRECTOR,
            at=at(1),
        )


def test_a_session_for_one_division_brings_the_others_nothing(
    club: Club, players: list[Player]
) -> None:
    league = make_league(club, season={"divisions": ["First", "Second"]})
    for place, player in enumerate(players):
        leagues.enrol(
            league_id=league.pk, player=player.pk, division=1 + place // 4, by=DIRECTOR, at=at()
        )
    night = play_night(league, players, (13, 0, 0, 0), (0, 13, 0, 0))
    leagues.change_session(
        league_id=league.pk,
        event_id=night.event.pk,
        changes={"division": 2, "weight": "3/2", "number": 7},
        version=1,
        by=DIRECTOR,
        at=at(1),
    )
    clock = Clock()
    publish_all(clock)
    lines = {row["division"]: row["lines"] for row in data_of(Scope.LEAGUE, league.pk)["rows"]}
    assert lines["First"] == []
    assert lines["Second"][0]["number"] == 7
    leagues.remove_session(
        league_id=league.pk, event_id=night.event.pk, version=2, by=DIRECTOR, at=at(2)
    )
    publish_all(clock)
    assert data_of(Scope.LEAGUE, league.pk)["sessions"] == []


def test_a_league_without_events_and_a_best_above_all_have_a_table(
    club: Club, players: list[Player]
) -> None:
    league = make_league(club, season={"rule": "best_n", "best": 99})
    clock = Clock()
    publish_all(clock)
    assert data_of(Scope.LEAGUE, league.pk)["rows"] == []
    play_night(league, players, (13, 0, 0, 0))
    publish_all(clock)
    assert_is_cold(Scope.LEAGUE, league.pk)


def test_an_event_that_is_only_planned_is_not_held(club: Club, players: list[Player]) -> None:
    league = make_league(club)
    add(league, Night(club=club, players=players))
    clock = Clock()
    publish_all(clock)
    assert data_of(Scope.LEAGUE, league.pk)["sessions"] == []


def test_a_season_is_closed_once_its_nights_are_official(club: Club, players: list[Player]) -> None:
    league = make_league(club)
    night = play_night(league, players, (13, 0, 0, 0), (13, 0, 0, 0))
    with pytest.raises(RefusedError, match="session 1"):
        leagues.close_league(league_id=league.pk, version=None, by=DIRECTOR, at=at(9))
    night.end(1)
    events.finish_event(event_id=night.event.pk, version=None, by=DIRECTOR, at=at(60))
    late = at(60 * 24 * 9)
    events.publish_officially(event_id=night.event.pk, version=None, by=DIRECTOR, at=late)
    leagues.close_league(league_id=league.pk, version=None, by=DIRECTOR, at=late)
    publish_all(night.clock)
    assert data_of(Scope.LEAGUE, league.pk)["status"] == "official"
    with pytest.raises(RefusedError, match="closed"):
        leagues.add_session(league_id=league.pk, event=night.event.pk, by=DIRECTOR, at=late)
    leagues.reopen_league(
        league_id=league.pk, why="A hand was misread.", version=None, by=DIRECTOR, at=late
    )
    publish_all(night.clock)
    assert data_of(Scope.LEAGUE, league.pk)["status"] == "provisional"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"season": {"rule": "best"}}, "season.rule"),
        ({"season": {"bset": 3}}, "season.bset"),
        ({"season": {"highest": 3}}, "season.highest"),
    ],
)
def test_a_season_that_cannot_be_is_refused(
    club: Club, changes: dict[str, object], field: str
) -> None:
    league = make_league(club)
    with pytest.raises(RefusedError) as refused:
        leagues.change_league(league_id=league.pk, changes=changes, version=1, by=DIRECTOR, at=at())
    assert refused.value.field == field


def test_who_edits_an_old_league_is_told(club: Club) -> None:
    league = make_league(club)
    by = {"by": DIRECTOR, "at": at()}
    leagues.change_league(league_id=league.pk, changes={"name": "Winter"}, version=1, **by)  # type: ignore[arg-type]
    with pytest.raises(StaleError) as stale:
        leagues.change_league(league_id=league.pk, changes={"name": "Spring"}, version=1, **by)  # type: ignore[arg-type]
    assert stale.value.theirs == 2


def test_what_is_another_clubs_or_taken_is_refused(club: Club, players: list[Player]) -> None:
    league, other = make_league(club), Night()
    with pytest.raises(RefusedError, match="no such event"):
        add(league, other)
    with pytest.raises(RefusedError, match="does not know"):
        leagues.enrol(league_id=league.pk, player=other.players[0].pk, by=DIRECTOR, at=at())
    add(league, Night(club=club, players=players), number=3)
    with pytest.raises(ConflictError):
        add(league, Night(club=club, players=players), number=3)
    with pytest.raises(RefusedError, match="above 0"):
        add(league, Night(club=club, players=players), weight="0")
    with pytest.raises(NotThereError):
        leagues.change_member(
            league_id=league.pk,
            player_id=players[0].pk,
            changes={},
            version=None,
            by=DIRECTOR,
            at=at(),
        )
    with pytest.raises(ConflictError):
        make_league(club, id=league.pk, name="Another")
    assert make_league(club, id=league.pk).pk == league.pk


def test_nobody_has_won_while_tonight_or_a_planned_night_can_change_it(
    club: Club, players: list[Player]
) -> None:
    bounds = {"rule": "sum", "highest": 1000, "lowest": -1000}
    league = make_league(club, season=bounds, planned=1)
    night = play_night(league, players[:4], (6, 4, 3, 0))
    winners = []

    def look() -> None:
        publish_all(night.clock)
        rows = data_of(Scope.LEAGUE, league.pk)["rows"]
        winners.append([row["label"] for row in rows if row["clinched"]])
        assert_is_cold(Scope.LEAGUE, league.pk)

    look()
    night.end(1)
    events.finish_event(event_id=night.event.pk, version=None, by=DIRECTOR, at=at(60))
    look()
    add(league, Night(club=club, players=players[:4]), weight="3")
    look()
    assert winners == [[], ["1"], []]


def test_what_another_thread_forgets_meanwhile_is_read_anew(
    club: Club, players: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Forgetful(dict[str, object]):
        """Forgets everything as soon as it was asked whether it knows something."""

        def get(self, key: str, default: object = None) -> object:
            known = super().get(key, default)
            self.clear()
            return known

        def __contains__(self, key: object) -> bool:
            is_known = super().__contains__(key)
            self.clear()
            return is_known

    play_night(make_league(club), players, (13, 0, 0, 0))
    publish_all(Clock())
    rows = Snapshot.objects.filter(published__scope=Scope.EVENT)
    wanted = dict(rows.values_list("digest", "pk"))
    known = find_summaries(wanted)
    assert known.keys() == wanted.keys()
    monkeypatch.setattr(event_summaries, "_remembered", Forgetful(known))
    assert find_summaries(wanted) == known
