"""Outlook: chances of a table add up, and are those of coming in one after the other."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.ratings.evenings import season
from tournaments.ratings import Rating, outlook, rate


def rated(player: str, mu: float, sigma: float = 3.0) -> Rating:
    return Rating(player, mu, sigma, 20, 0.0, 0.0, provisional=False, hidden=False)


@given(st.lists(st.floats(-3000, 3000), min_size=2, max_size=6))
def test_everybody_gets_a_place_and_every_place_somebody(skills: list[float]) -> None:
    table = [rated(str(seat), mu) for seat, mu in enumerate(skills)]
    chances = [one.chances for one in outlook(table)]
    for row in [*chances, *zip(*chances, strict=True)]:
        assert sum(row) == pytest.approx(1)
    places = sum(one.place for one in outlook(table))
    assert places == pytest.approx(len(table) * (len(table) + 1) / 2)
    assert sum(one.share for one in outlook(table)) == pytest.approx(len(table) / 2)


def test_chances_are_those_of_all_orders() -> None:
    table = [rated("A", 30), rated("B", 25, 6.0), rated("C", 10), rated("D", 27)]
    c = (sum(one.sigma**2 + 10**2 for one in table)) ** 0.5
    strong = {one.player: 2.718281828459045 ** (one.mu / c) for one in table}
    expected = {one.player: [0.0] * 4 for one in table}
    for order in permutations(strong):
        chance = 1.0
        for place, player in enumerate(order):
            chance *= strong[player] / sum(strong[other] for other in order[place:])
        for place, player in enumerate(order):
            expected[player][place] += chance
    for one in outlook(table):
        assert one.chances == pytest.approx(tuple(expected[one.player]))


def test_what_was_expected_is_what_happens() -> None:
    strength, games = season(11, 1200, ties=0.0)
    ratings = rate(games[:800])
    expected = came = 0.0
    for game in games[800:]:
        first = game.places[0][0]
        table = [ratings.rating(player) for player, _ in game.places]
        expected += max(one.chances[0] for one in outlook(table))
        best = max(table, key=lambda rating: rating.mu)
        came += best.player == first
    assert came == pytest.approx(expected, rel=0.25)
    assert strength
