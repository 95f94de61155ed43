"""A season by now, from sums and from results, is what its table will be when it is published."""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from scoring.models import Game
from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.tournaments.publishing.nights import Night
from tests.tournaments.test_kept import correct
from tournaments import kept
from tournaments.events import adjustments, leagues
from tournaments.events.adjustments import NewAdjustment
from tournaments.events.leagues import NewLeague, NewMember, NewSession
from tournaments.kept.season_held import held
from tournaments.models import (
    Club,
    Entry,
    EntryStanding,
    Event,
    League,
    Player,
    Presence,
    Scope,
    Snapshot,
)
from tournaments.people import members
from tournaments.publishing import compute

pytestmark = pytest.mark.django_db


class Season:
    """Some nights of ten people, of which eight play each time, in games of chips and of places."""

    def __init__(self, *scorings: dict[str, Any], seed: int = 1, players: int = 10) -> None:
        self.dice = random.Random(seed)
        self.club: Club = make_club()
        self.players: list[Player] = make_players(self.club, players)
        self.nights = [self.night(scoring) for scoring in scorings]

    def night(self, scoring: dict[str, Any]) -> Night:
        night = Night(
            club=self.club, players=self.dice.sample(self.players, 8), scoring=scoring, hands=2
        )
        for number in (1, 2):
            order = self.dice.sample(night.entries, 8)
            for game in night.seat(number, [order[:4], order[4:]]):
                for _ in range(self.dice.randint(0, 3) if number == 2 else 2):
                    cuts = sorted(self.dice.randint(0, 13) for _ in range(3))
                    night.play(game, (cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 13 - cuts[2]))
            night.end(number)
        return night

    def league(self, season: dict[str, Any], **fields: Any) -> League:
        new = NewLeague(name=str(len(season)), season=season, **fields)
        league = leagues.create_league(club_id=self.club.pk, new=new, by=DIRECTOR, at=at())
        for number, night in enumerate(self.nights):
            session = NewSession(event=night.event.pk, weight=["1", "3/2", "2"][number % 3])
            leagues.add_session(league_id=league.pk, new=session, by=DIRECTOR, at=at())
        return league


def assert_stands_as_published(league: League, *, from_results: bool = True) -> list[kept.InSeason]:
    """All ways are the same, and what the table says, to the last part of a point."""
    now = kept.season_now(league.pk)
    if from_results:
        assert now == kept.season_now(league.pk, from_results=True)
    computed = compute(Scope.LEAGUE, league.pk, fresh=True)
    assert now is not None
    assert computed is not None
    data: Any = computed.data
    rows = {row["entry"]: row for row in data["rows"]}
    assert rows.keys() == {one.entry for one in now}
    for one in now:
        row = rows[one.entry]
        place = (one.rank.first, one.rank.last) if one.rank else (None, None)
        assert (row["score_from"], row["score_to"]) == place
        assert (None if row["total"] is None else Fraction(row["total"])) == one.total
        assert row["division"] == one.division
        assert len(row["lines"]) == one.events
        assert sum(line["games"] for line in row["lines"]) == one.games
    return now


SCORINGS: list[dict[str, Any]] = [
    {"method": "chips"},
    {"method": "places", "scale": {"4": ["7", "4", "5/3", "0"]}},
    {"method": "settlement"},
    {"method": "uma", "uma_unit": "7/2"},
    {"method": "percent"},
    {"method": "wins", "incomplete": "counts"},
    {"method": "chips", "direction": "low"},
    {"method": "winner_takes_all", "ante": "1/3"},
    {"method": "places", "incomplete_below": "1"},
]
SEASONS: list[dict[str, Any]] = [
    {},
    {"rule": "sum"},
    {"rule": "weighted", "attendance": "1/2"},
    {"rule": "best_n", "best": 2},
    {"rule": "best_n", "best": 2, "measure": "average"},
    {"rule": "best_n", "best": 1, "lowest_wins": "on"},
    {"rule": "drop_worst", "drop": 2},
    {"rule": "sliding", "slide_from": 2, "slide_every": 1},
    {"rule": "sum", "measure": "average", "least_events": 3, "rising": "off"},
    {"rule": "average", "least_games": 5, "rising": "off"},
    {"rule": "shrunk"},
    {"rule": "shrunk", "prior": "5/2", "shrink": "3"},
]


@pytest.mark.parametrize("seed", [1, 2])
def test_seasons_of_every_rule_stand_as_they_will_be_published(seed: int) -> None:
    scorings = SCORINGS[:5] if seed == 1 else SCORINGS[5:]
    season = Season(*scorings, seed=seed)
    ranked, made = 0, []
    for number, chosen in enumerate(SEASONS):
        league = season.league(chosen, is_open=number % 2 == 0)
        made.append(league)
        for player in season.players[:4]:
            new = NewMember(player=player.pk, opening="7/3" if number % 3 else "", opening_events=2)
            leagues.enrol(league_id=league.pk, new=new, by=DIRECTOR, at=at())
        ranked += sum(one.rank is not None for one in assert_stands_as_published(league))
    assert ranked > len(SEASONS)
    for night in season.nights[:-2]:
        night.publish()
    for league in made:
        assert held(league.pk).settled
        assert_stands_as_published(league)


def test_published_nights_are_taken_as_they_are_until_one_is_behind() -> None:
    season = Season({"method": "chips"}, {"method": "places"}, {"method": "chips"}, seed=3)
    league = season.league({"rule": "best_n", "best": 2})
    for night in season.nights:
        night.publish()
    assert len(held(league.pk).settled) == 3
    before = assert_stands_as_published(league)
    event = season.nights[0].event
    game = Game.objects.filter(table__round__event=event, hands__gt=0).order_by("pk")[0]
    correct(game, 1, (0, 0, 0, 13))
    correct(game, 1, (13, 0, 0, 0))
    assert len(held(league.pk).settled) == 2
    assert assert_stands_as_published(league) != before
    Snapshot.objects.filter(published__subject=season.nights[1].event.pk).update(program="0")
    assert len(held(league.pk).settled) == 1
    assert_stands_as_published(league)


def test_a_published_night_may_be_of_any_scoring() -> None:
    season = Season({"method": "chips"}, {"method": "chips"}, seed=4)
    first, second = season.nights
    Event.objects.filter(pk=first.event.pk).update(scoring={"total": "hand_average"})
    league = season.league({"rule": "sum"})
    assert kept.season_now(league.pk) is None
    first.publish()
    assert_stands_as_published(league, from_results=False)
    second.publish()
    assert_stands_as_published(league, from_results=False)


@pytest.mark.parametrize("rank_guests", [True, False])
@pytest.mark.parametrize("is_open", [True, False])
def test_a_guest_counts_in_a_season_only_from_its_roll(*, is_open: bool, rank_guests: bool) -> None:
    season = Season({"method": "places"}, {"method": "chips"}, seed=6)
    league = season.league({"rule": "sum"})
    League.objects.filter(pk=league.pk).update(is_open=is_open)
    events = [night.event.pk for night in season.nights]
    Event.objects.filter(pk__in=events).update(rank_guests=rank_guests)
    stranger, enrolled, member = season.nights[0].players[:3]
    guests = Entry.objects.filter(event__in=events, player__in=[stranger, enrolled])
    guests.update(standing=EntryStanding.GUEST)
    for player in (enrolled, member):
        leagues.enrol(league_id=league.pk, new=NewMember(player=player.pk), by=DIRECTOR, at=at())
    for night in (None, *season.nights):
        if night is not None:
            night.publish()
        lines = {line.entry: line for line in assert_stands_as_published(league)}
        assert str(stranger.pk) not in lines
        assert lines[str(member.pk)].events > 0
        assert (lines[str(enrolled.pk)].events > 0) == rank_guests
        assert (len(lines) > 2) == is_open


def test_who_withdrew_from_a_night_counts_in_its_season_and_who_left_a_season_has_no_rank() -> None:
    season = Season({"method": "places"}, {"method": "chips"}, seed=7)
    league = season.league({"rule": "sum"})
    everywhere = [
        player for player in season.nights[0].players if player in season.nights[1].players
    ]
    of_night, of_season = everywhere[:2]
    idle = season.players[-1]
    for player in dict.fromkeys((of_season, idle)):
        new = NewMember(player=player.pk, opening="1/2")
        leagues.enrol(league_id=league.pk, new=new, by=DIRECTOR, at=at())
    before = {one.entry: one for one in assert_stands_as_published(league)}
    Entry.objects.filter(player=of_night).update(presence=Presence.WITHDRAWN)
    leagues.change_member(
        league_id=league.pk,
        player_id=of_season.pk,
        changes={"withdrawn": True},
        by=DIRECTOR,
        at=at(2),
    )
    for night in (None, *season.nights):
        if night is not None:
            night.publish()
        after = {one.entry: one for one in assert_stands_as_published(league)}
        left = after[str(of_season.pk)]
        assert left.rank is None
        assert left.is_withdrawn
        assert {name: one.total for name, one in after.items()} == {
            name: one.total for name, one in before.items()
        }
        assert after[str(of_night.pk)].rank is not None
        assert after[str(of_night.pk)].events == 2
        places = sorted(one.rank.first for one in after.values() if one.rank)
        assert len(places) == len(before) - 1
        assert places[0] == 1


def test_divisions_duplicates_guests_and_penalties_are_seen() -> None:
    season = Season({"method": "places"}, {"method": "chips"}, seed=5)
    one, other = (
        next(player for player in season.players if player not in night.players)
        for night in season.nights
    )
    assert one != other
    league = season.league({"rule": "sum", "divisions": ["Premier", "First"]})
    for number, player in enumerate(season.players[1:7]):
        new = NewMember(player=player.pk, division=1 + number % 2)
        leagues.enrol(league_id=league.pk, new=new, by=DIRECTOR, at=at())
    before = assert_stands_as_published(league)
    first = season.nights[0]
    entry = Entry.objects.filter(event=first.event, player=season.players[4]).first()
    entry = entry or first.entries[3]
    new_penalty = NewAdjustment(entry=entry.pk, amount="-5/3", reason="Slow play.")
    adjustments.adjust(event_id=first.event.pk, new=new_penalty, by=DIRECTOR, at=at(2))
    assert assert_stands_as_published(league) != before
    Entry.objects.filter(event=first.event, number=2).update(standing=EntryStanding.GUEST)
    Entry.objects.filter(event=first.event, number=3).update(standing=EntryStanding.HOUSE)
    assert_stands_as_published(league)
    members.merge_player(
        player_id=one.pk, into=other.pk, version=one.version, by=DIRECTOR, at=at(3)
    )
    assert len(assert_stands_as_published(league)) == len(before) - 1


def test_a_season_without_events_has_its_roll() -> None:
    season = Season()
    league = season.league({})
    new = NewMember(player=season.players[0].pk, opening="4", opening_events=1)
    leagues.enrol(league_id=league.pk, new=new, by=DIRECTOR, at=at())
    (line,) = assert_stands_as_published(league)
    assert (line.total, line.events) == (4, 0)


def handicaps(season: Season) -> League:
    return season.league({"handicaps": "on"})


def joiners(season: Season) -> League:
    return season.league({"joiners": "pro_rata"})


def scored(season: Season, scoring: dict[str, str]) -> League:
    Event.objects.filter(pk=season.nights[0].event.pk).update(scoring=scoring)
    return season.league({})


def boards(season: Season) -> League:
    return scored(season, {"method": "matchpoints"})


def averages(season: Season) -> League:
    return scored(season, {"method": "chips", "total": "game_average"})


def measures_that_no_number_holds(season: Season) -> League:
    return scored(season, {"method": "uma", "uma_unit": "999999937/7"})


def a_division_of_its_own(season: Season) -> League:
    league = season.league({"divisions": ["Premier", "First"]})
    league.sessions.update(division=1)
    return league


@pytest.mark.parametrize(
    "make",
    [handicaps, joiners, boards, a_division_of_its_own],
)
def test_where_more_decides_nothing_is_told(make: Callable[[Season], League]) -> None:
    league = make(Season({"method": "chips"}))
    assert kept.season_now(league.pk) is None
    assert kept.season_now(league.pk, from_results=True) is None


@pytest.mark.parametrize("make", [averages, measures_that_no_number_holds])
def test_what_the_database_cannot_add_up_is_told_night_by_night(
    make: Callable[[Season], League],
) -> None:
    league = make(Season({"method": "chips"}))
    assert kept.season_now(league.pk, from_results=True) is None
    assert_stands_as_published(league, from_results=False)
