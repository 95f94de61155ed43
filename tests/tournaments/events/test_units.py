"""Chips and penalty points are never added (DEC-16)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from scoring.games import nights
from scoring.models import Game
from scoring.web.my.season import describe_season
from tests.scoring.club import DIRECTOR, at, enter, make_players
from tests.scoring.table_money import hand_of_points
from tests.tournaments.events.test_round_rules import mixed, play_mixed, two_systems
from tests.tournaments.night import check_in, draw, make_event, play, start
from tournaments.core.errors import RefusedError
from tournaments.events import events, leagues
from tournaments.models import Club, Event, Player, Result, Status, TableGame
from tournaments.publishing.event_inputs import read_event_inputs
from tournaments.publishing.event_standings import rank_event_inputs
from tournaments.publishing.league_standings import rank_league, read_league_inputs
from tournaments.publishing.player_lines import GameSelection
from tournaments.publishing.player_statistics import compute_statistics, count_statistics
from tournaments.standings import TieBreak
from tournaments.statistics import PlayerSummary, head_to_head
from tournaments.web.club_records import compute_records

pytestmark = pytest.mark.django_db


def end(event: Event) -> None:
    nights.end_round(event_id=event.pk, number=1, why="Late.", by=DIRECTOR, at=at(9))
    Event.objects.filter(pk=event.pk).update(status=Status.FINISHED)


def ranked(event: Event) -> Any:
    standings: Any = rank_event_inputs(read_event_inputs(event.pk))
    return standings["rows"]


def two_nights(chips: int = 2) -> tuple[Club, list[Player], list[Game]]:
    """Four people: a night of so many hands for chips in two games, then one for points."""
    club, auction, sahara = two_systems()
    people = make_players(club, 4)
    games = []
    for number, rules in enumerate((*[auction] * chips, sahara)):
        event = make_event(
            club, rule_set=rules, rounds=1, hands=1, starts_at=at() + timedelta(days=number)
        )
        check_in(event, people)
        draw(event)
        (game,) = start(event, 1)
        if rules is sahara:
            enter(game, hand_of_points(game, (25, 1, 0, 0)))
        else:
            play(game, 1, number)
        end(event)
        games.append(game)
    return club, people, games


def test_the_table_of_a_night_of_two_systems_has_no_sum_of_chips_and_points() -> None:
    event = mixed()
    play_mixed(event)
    rows = ranked(event)
    assert [row["columns"]["chips"] for row in rows] == [None] * 4


def test_a_night_of_one_system_has_what_was_won_at_the_tables() -> None:
    club, _, sahara = two_systems()
    event = make_event(club, rule_set=sahara, rounds=1, hands=1)
    check_in(event, make_players(club, 4))
    draw(event)
    (game,) = start(event, 1)
    enter(game, hand_of_points(game, (25, 1, 0, 0)))
    end(event)
    rows = ranked(event)
    assert sorted(int(row["columns"]["chips"]) for row in rows) == [0, 0, 1, 25]


@pytest.mark.parametrize("is_mixed", [True, False])
def test_a_league_of_nights_of_both_kinds_has_no_such_sum_either(is_mixed: bool) -> None:
    club, _people, games = two_nights()
    new = {"name": "Autumn", "season": {"tie_breaks": ["chips", "shared"]}}
    league = leagues.create_league(club_id=club.pk, new=new, by=DIRECTOR, at=at())
    events = [Event.objects.get(games=game.pk) for game in games]
    for event in events if is_mixed else events[:-1]:
        leagues.add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=at())
    ranking = rank_league(read_league_inputs(league.pk))
    columns: Any = [row.to_data()["columns"] for row in ranking.rows]
    assert {one[TieBreak.CHIPS.value] is None for one in columns} == {is_mixed}


def test_a_league_does_not_add_totals_in_chips_and_in_penalty_points() -> None:
    club, auction, sahara = two_systems()
    league = leagues.create_league(club_id=club.pk, new={"name": "Autumn"}, by=DIRECTOR, at=at())
    for rules, method in ((auction, "chips"), (auction, "places"), (sahara, "points")):
        event = make_event(club, rule_set=rules, scoring={"method": method})
        if method == "points":
            with pytest.raises(RefusedError, match="other nights of this season count chips"):
                leagues.add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=at())
        else:
            leagues.add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=at())


def test_nor_where_the_scoring_of_one_of_its_nights_changes_later() -> None:
    club, auction, sahara = two_systems()
    league = leagues.create_league(club_id=club.pk, new={"name": "Autumn"}, by=DIRECTOR, at=at())
    first, second = (
        make_event(club, rule_set=rules, scoring={"method": method})
        for rules, method in ((auction, "chips"), (sahara, "places"))
    )
    for event in (first, second):
        leagues.add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=at())

    def change(event: Event, method: str) -> None:
        event.refresh_from_db()
        changes = {"scoring": {"method": method}}
        events.change_event(
            event_id=event.pk, changes=changes, version=event.version, by=DIRECTOR, at=at(1)
        )

    with pytest.raises(RefusedError, match="other nights of this season count chips") as refused:
        change(second, "points")
    assert refused.value.field == "scoring.method"
    change(first, "places")
    change(second, "points")
    with pytest.raises(RefusedError, match="other nights of this season count penalty points"):
        change(first, "chips")


def test_opponents_are_told_the_gains_of_the_unit_of_most_games() -> None:
    _club, people, games = two_nights()
    for chosen in (GameSelection(), GameSelection(size=4), GameSelection(opponent=people[1].pk)):
        for player in people:
            found = count_statistics(player, chosen)
            assert found.without_gain == 1
            assert found.hands == 3
            assert len(found.nights) == 2
            for one in head_to_head(found.rivals).opponents:
                scores = {
                    (row.game_id, row.player_id): row.score
                    for row in Result.objects.filter(game__in=[game.pk for game in games[:2]])
                }
                flow = sum(
                    scores[game.pk, player.pk] - scores[game.pk, other.pk]
                    for game in games[:2]
                    for other in people
                    if str(other.pk) == one.player
                )
                assert one.tables == 3
                assert one.flow is not None
                assert one.flow * 4 == flow


def test_records_of_a_club_are_of_chips_alone() -> None:
    """Neither a night for penalty points nor the points of a night of both kinds add to them."""
    event = mixed()
    play_mixed(event)
    rows = Result.objects.filter(game__event=event, game__low=False)
    won: dict[object, int] = {}
    for player, score in rows.values_list("player", "score"):
        won[player] = won.get(player, 0) + score
    pots = rows.order_by("-won").values_list("won", flat=True)
    values = {one.kind: one.value for one in compute_records(event.club)}
    assert Result.objects.filter(game__event=event, game__low=True).exists()
    assert values["night"] == max(won.values())
    assert values["pot"] == pots[0]


def test_kept_statistics_say_the_same_of_both_units() -> None:
    _club, people, _games = two_nights()
    kept: Any = compute_statistics(people[0].pk).data
    for key, chosen in (
        ("all", GameSelection()),
        ("size:4", GameSelection(size=4)),
        (f"opponent:{people[1].pk}", GameSelection(opponent=people[1].pk)),
    ):
        assert PlayerSummary.from_json(kept["parts"][key]) == count_statistics(people[0], chosen)


def test_my_season_leaves_the_sum_of_a_mixed_night_out() -> None:
    event = mixed()
    play_mixed(event)
    Event.objects.update(status=Status.FINISHED)
    player = Player.objects.order_by("number").first()
    assert player is not None
    shown = describe_season(player, timezone.now())
    assert shown["last"].night.result is None
    assert shown["form"] == []
    assert shown["chips"] is None
    assert TableGame.objects.filter(low=True).exists()
