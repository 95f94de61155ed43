"""The kept sums of players: what a page shows of them is what their hands come to."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import Game
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.publishing.nights import (
    Night,
    assert_statistics_are_right,
    publish_all,
    publish_statistics,
)
from tournaments import publishing
from tournaments.events import leagues
from tournaments.models import League, Published, Scope, Snapshot, Stale
from tournaments.people import members
from tournaments.publishing.player_lines import GameSelection
from tournaments.publishing.player_statistics import count_statistics, find_statistics
from tournaments.publishing.publisher import SETTLED
from tournaments.verifying import look_at
from tournaments.web.statistics import statistics_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """Two tables of two hands each, in a league."""
    night = Night(hands=9)
    league = leagues.create_league(
        club_id=night.club.pk, new={"name": "Autumn"}, by=DIRECTOR, at=at()
    )
    leagues.add_session(league_id=league.pk, event=night.event.pk, by=DIRECTOR, at=at())
    for game in night.seat(1):
        night.play(game, (5, 4, 4, 0))
        night.play(game, (0, 13, 0, 0))
    return night


def first_game(night: Night) -> Game:
    return Game.objects.get(table__round__event=night.event, table__number=1)


def selections(night: Night) -> Iterator[GameSelection]:
    yield GameSelection()
    yield from (GameSelection(size=size) for size in range(3, 7))
    yield from (GameSelection(league=one.pk) for one in League.objects.all())
    yield from (GameSelection(opponent=one.pk) for one in night.players)


def test_kept_sums_of_every_selection_are_what_counting_its_hands_gives(night: Night) -> None:
    publish_statistics(night.clock)
    for player in night.players:
        for chosen in selections(night):
            if chosen.opponent != player.pk:
                kept = find_statistics(player, chosen)
                assert kept.summary == count_statistics(player, chosen)
                assert kept.behind_since is None


def test_no_hand_is_counted_for_a_page(night: Night) -> None:
    publish_statistics(night.clock)
    with CaptureQueriesContext(connection) as asked:
        page = statistics_of(night.players[0], GameSelection())
    assert page["hands"] == 2
    assert not any("tournaments_result" in one["sql"] for one in asked)


def test_statistics_wait_until_hands_have_settled_and_say_so(night: Night) -> None:
    publish_statistics(night.clock)
    player = night.players[0]
    night.play(first_game(night), (4, 4, 5, 0))
    since = Stale.objects.filter(subject=player.pk).earliest("since").since
    early = since + SETTLED - timedelta(seconds=1)
    assert publishing.find_due(early, 9, publishing.STATISTICS) == []
    assert publishing.publish_due(clock=lambda: early, scopes=publishing.STATISTICS) == 0
    found = find_statistics(player, GameSelection())
    assert (found.summary.hands, found.behind_since) == (2, since)
    assert len(publishing.find_due(since + SETTLED, 9, publishing.STATISTICS)) == 4
    publish_statistics(night.clock)
    assert find_statistics(player, GameSelection()).summary.hands == 3


def test_only_the_last_version_is_kept(night: Night) -> None:
    publish_statistics(night.clock)
    night.play(first_game(night), (4, 4, 5, 0))
    publish_statistics(night.clock)
    row = Published.objects.get(scope=Scope.STATISTICS, subject=night.players[0].pk)
    assert row.version == 2
    assert list(row.snapshots.values_list("version", flat=True)) == [2]
    assert look_at(row.pk) == []


def test_standings_do_not_wait_for_statistics(night: Night) -> None:
    publish_all(night.clock)
    assert not Published.objects.filter(scope=Scope.STATISTICS)
    assert Stale.objects.filter(scope=Scope.STATISTICS).exists()


def test_a_survivor_has_the_statistics_of_both_and_opponents_know(night: Night) -> None:
    publish_statistics(night.clock)
    mine, yours, survivor = night.players[0], night.players[1], night.players[4]
    members.merge_player(
        player_id=mine.pk, into=survivor.pk, version=mine.version, by=DIRECTOR, at=at(5)
    )
    publish_statistics(night.clock)
    assert not Published.objects.filter(subject=mine.pk)
    assert find_statistics(survivor, GameSelection()).summary.hands == 4
    met = find_statistics(yours, GameSelection()).summary.rivals
    assert str(survivor.pk) in met
    assert str(mine.pk) not in met
    assert_statistics_are_right(night.club)


def test_verify_names_kept_sums_that_are_not_what_the_results_come_to(night: Night) -> None:
    publish_statistics(night.clock)
    row = Published.objects.get(scope=Scope.STATISTICS, subject=night.players[0].pk)
    kept = Snapshot.objects.get(published=row)
    kept.data = kept.data.replace('"program"', '"prograM"')
    kept.save()
    assert [one.what for one in look_at(row.pk)] == [f"digest of version {row.version}"]
