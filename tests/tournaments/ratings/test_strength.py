"""Strengths: one summit from every start, honest intervals, whatever the order of entry."""

from itertools import pairwise
from math import exp, log, pi
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.ratings.evenings import of, season
from tournaments.ratings import RatedGame, strengths

SPREAD = 0.5 * pi / 6**0.5
"""Half the deviation of the luck of a place, which is Gumbel's."""


def height(values: dict[str, float], games: list[RatedGame]) -> float:
    """The logarithm of the posterior, term by term."""
    total = -sum(value**2 for value in values.values()) / (2 * SPREAD**2)
    for game in games:
        for player, place in game.places:
            alike = sum(other == place for _, other in game.places)
            rest = sum(exp(values[one]) for one, other in game.places if other >= place)
            total += (values[player] - log(rest)) / alike
    return total


@pytest.mark.parametrize("seed", range(3))
def test_no_strength_could_be_moved_to_a_likelier_place(seed: int) -> None:
    _, games = season(seed, 40, players=8, ties=0.3)
    found = {player: one.value for player, one in strengths(games).items()}
    best = height(found, games)
    for player, value in found.items():
        for step in (-0.01, 0.01):
            assert height(found | {player: value + step}, games) < best


@given(st.randoms(use_true_random=False))
@settings(max_examples=10, deadline=None)
def test_the_order_of_entry_changes_no_bit(luck: Random) -> None:
    _, games = season(1, 60)
    assert strengths(luck.sample(games, len(games))) == strengths(games)


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=12, max_size=12))
@settings(max_examples=examples(20), deadline=None)
def test_every_start_leads_to_the_same_summit(begun: list[float]) -> None:
    _, games = season(2, 60)
    there = strengths(games)
    start = {f"p{number}": value for number, value in enumerate(begun)}
    again = strengths(games, start=start)
    for player, one in there.items():
        assert again[player].value == pytest.approx(one.value, abs=1e-7)


def test_nine_intervals_of_ten_hold_the_true_strength() -> None:
    inside = []
    for seed in range(25):
        strength, games = season(seed, 60, players=12, ties=0.0)
        found = strengths(games)
        inside += [found[p].low <= strength[p] <= found[p].high for p in found]
    assert 0.86 < sum(inside) / len(inside) < 0.95


def test_divisions_that_never_meet_are_each_about_the_middle() -> None:
    games = [
        of(game, (f"{game % 2}A", 1), (f"{game % 2}B", 2), (f"{game % 2}C", 3))
        for game in range(40)
    ]
    found = strengths(games)
    for division in "01":
        assert sum(found[division + name].value for name in "ABC") == pytest.approx(0, abs=1e-7)
        assert found[division + "A"].value > found[division + "B"].value


def test_more_games_say_more_and_the_strongest_is_listed_first() -> None:
    _, games = season(3, 400)
    few, many = strengths(games[:40]), strengths(games)
    for player, one in few.items():
        assert many[player].high - many[player].low < one.high - one.low
    assert all(one.value >= other.value for one, other in pairwise(many.values()))


def test_few_games_are_counted_and_their_strength_is_hidden() -> None:
    found = strengths([of(game, ("A", 1), ("B", 2), ("C", 3)) for game in range(9)])
    assert found["A"].low < found["A"].value < found["A"].high
    assert found["A"].value > 0
    assert found["A"].hidden
    assert found["A"].games == 9


def test_nobody_wins_for_ever_without_end() -> None:
    found = strengths([of(game, ("A", 1), ("B", 2), ("C", 2)) for game in range(3000)])
    assert 3 < found["A"].value < 10
    assert strengths([]) == {}
