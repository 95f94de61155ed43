"""One night by several house rules: each round has its own, and standings stay sound."""

from typing import Any

import pytest

from scoring.games import nights
from scoring.models import Game
from tests.scoring.club import DIRECTOR, at, enter, make_club, make_players, make_rules
from tests.scoring.table_money import hand_of_points
from tests.tournaments.night import check_in, draw, make_event, play, start
from tournaments.core.deals import deal_board
from tournaments.core.errors import RefusedError
from tournaments.events import events
from tournaments.events.boards import Preparation, is_dealt_from_key, prepare_boards
from tournaments.events.events import default_table_sizes
from tournaments.events.round_rules import describe_rules, rule_sets_by_round
from tournaments.models import Board, Club, Event, RuleSet
from tournaments.people.rule_sets import rules_of
from tournaments.publishing.event_inputs import read_event_inputs
from tournaments.publishing.event_standings import rank_event_inputs

pytestmark = pytest.mark.django_db


def two_systems() -> tuple[Club, RuleSet, RuleSet]:
    """A club that plays for chips, and for penalty points."""
    club = make_club()
    return club, make_rules(club, "bicycle"), make_rules(club, "sahara")


def mixed(**fields: Any) -> Event:
    """A night of which round 2 is played by Sahara."""
    club, auction, sahara = two_systems()
    usual: dict[str, Any] = {"rounds": 2, "hands": 1, "round_rules": {"2": sahara.pk}}
    return make_event(club, rule_set=auction, **(usual | fields))


def change(event: Event, **changes: Any) -> Event:
    event.refresh_from_db()
    return events.change_event(
        event_id=event.pk, changes=changes, version=event.version, by=DIRECTOR, at=at()
    )


def end(event: Event, number: int) -> None:
    nights.end_round(event_id=event.pk, number=number, by=DIRECTOR, at=at(number))


def play_mixed(event: Event) -> list[Game]:
    """Four players: a round of auction by lot, then Sahara, in which seat 0 takes 25 points."""
    check_in(event, make_players(event.club, 4))
    draw(event)
    (first,) = start(event, 1)
    play(first, 1)
    end(event, 1)
    (second,) = start(event, 2)
    enter(second, hand_of_points(second, (25, 1, 0, 0)))
    end(event, 2)
    return [Game.objects.select_related("rule_set").get(pk=one.pk) for one in (first, second)]


def test_the_games_of_a_round_are_opened_by_its_own_rules() -> None:
    presets = [game.rule_set and game.rule_set.preset for game in play_mixed(mixed())]
    assert presets == ["bicycle", "sahara"]


def test_the_fewest_points_win_a_round_of_points_and_the_most_chips_one_of_chips() -> None:
    event = mixed()
    (first, second) = play_mixed(event)
    data: Any = rank_event_inputs(read_event_inputs(event.pk))
    rows = {row["entry"]: row for row in data["rows"]}
    for game, best in ((first, max), (second, min)):
        lines = [
            (line["score"], line["value"])
            for row in rows.values()
            for line in row["contributions"]
            if line["table"] == str(game.pk)
        ]
        top = best(score for score, _ in lines)
        values = {value for score, value in lines if score == top}
        assert values == {max(value for _, value in lines)}


@pytest.mark.parametrize("method", ["chips", "points", "settlement", "uma", "datum"])
def test_scores_of_different_systems_are_never_added(method: str) -> None:
    with pytest.raises(RefusedError, match="different systems cannot be added") as refused:
        mixed(scoring={"method": method})
    assert refused.value.field == "scoring.method"
    event = mixed(scoring={"method": "percent"})
    with pytest.raises(RefusedError):
        change(event, scoring={"method": method})


def test_house_rules_of_one_system_may_be_added() -> None:
    club = make_club()
    usual, dear = make_rules(club), make_rules(club, "bicycle", {"starting_chips": "100"})
    event = make_event(
        club, rule_set=usual, rounds=2, round_rules={"1": dear.pk}, scoring={"method": "chips"}
    )
    assert event.round_rules == {"1": str(dear.pk)}


def test_sizes_of_tables_are_those_that_all_systems_of_the_night_allow() -> None:
    event = mixed()
    assert event.sizes == [4], "bicycle is for four alone"
    with pytest.raises(RefusedError, match="a table of 5 cannot be") as refused:
        mixed(sizes=[4, 5])
    assert refused.value.field == "sizes.1"
    club = make_club()
    sahara = make_rules(club, "sahara")
    assert default_table_sizes(sahara, make_rules(club, "hoyle_hearts")) == [3, 4, 5]


def test_a_round_that_has_begun_keeps_its_rules() -> None:
    event = mixed()
    auction, sahara = (row for row in rule_sets_by_round(event).values())
    check_in(event, make_players(event.club, 4))
    draw(event)
    start(event, 1)
    with pytest.raises(RefusedError, match="Round 1 has begun") as refused:
        change(event, round_rules={"1": sahara.pk})
    assert refused.value.field == "round_rules.1"
    changed = change(event, round_rules={"2": auction.pk})
    assert changed.round_rules == {}, "the event's own rules need no mention"


def test_rules_of_another_club_and_of_rounds_that_are_none_are_refused() -> None:
    stranger = make_rules(make_club("Another"))
    for rules, field in (
        ({"2": stranger.pk}, "round_rules.2"),
        ({"7": stranger.pk}, "round_rules.7"),
    ):
        with pytest.raises(RefusedError) as refused:
            mixed(round_rules=rules)
        assert refused.value.field == field
    event = mixed()
    with pytest.raises(RefusedError, match="has house rules of its own"):
        change(event, rounds=1)


def test_prepared_deals_follow_the_rules_of_their_round() -> None:
    club = make_club()
    hearts = make_rules(club, "hoyle_hearts")
    sahara = make_rules(club, "sahara")
    event = make_event(
        club,
        rule_set=hearts,
        round_rules={"2": sahara.pk},
        rounds=2,
        hands=1,
        sizes=[3],
        duplicate=True,
        scoring={"method": "matchpoints"},
    )
    prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    for board, rule_set in zip(Board.objects.order_by("number"), (hearts, sahara), strict=True):
        key = bytes.fromhex(board.key)
        assert deal_board(rules_of(rule_set), 3, key) == board.deal
        assert is_dealt_from_key(board)


def test_the_house_rules_are_named_with_their_rounds() -> None:
    event = mixed()
    assert describe_rules(event) == "bicycle 1; round 2: sahara 2"
    other = RuleSet.objects.get(preset="sahara")
    assert describe_rules(change(event, round_rules={"1": other.pk, "2": other.pk})) == (
        "rounds 1, 2: sahara 2"
    )


def test_a_night_under_one_set_of_rules_asks_nothing_more(
    django_assert_num_queries: Any,
) -> None:
    event = make_event()
    event = Event.objects.select_related("rule_set", "club").get(pk=event.pk)
    with django_assert_num_queries(0):
        assert set(rule_sets_by_round(event).values()) == {event.rule_set}
        assert describe_rules(event) == event.rule_set.name
