"""How good predictions are: no worse than Elo, and shown only where they beat even chances."""

from collections.abc import Iterator
from itertools import combinations
from math import log
from statistics import mean
from typing import Final

import pytest

from tests.engine.table import seeded
from tests.tournaments.ratings.evenings import of
from tournaments.ratings import RatedGame, can_show_chances, rate, winner_losses

LUCK: Final = 1.28
"""The standard deviation of Gumbel's distribution."""
K: Final = 16


def club(seed: int, *, spread: float, nights: int = 36, players: int = 40) -> list[RatedGame]:
    """A club of which 28 come each night and play three rounds at tables of four.

    ``spread`` is that of skill, as a part of the luck of a game.
    """
    luck = seeded(seed)
    skill = {f"p{number}": luck.gauss(0, spread * LUCK) for number in range(players)}
    games: list[RatedGame] = []
    for _night in range(nights):
        here = luck.sample(sorted(skill), 28)
        for _round in range(3):
            luck.shuffle(here)
            for first in range(0, len(here), 4):
                shown = {
                    one: skill[one] - log(-log(luck.random())) for one in here[first : first + 4]
                }
                table = sorted(shown, key=lambda one: -shown[one])
                places = ((one, place) for place, one in enumerate(table, 1))
                games.append(of(len(games), *places))
    return games


def elo_losses(games: list[RatedGame]) -> Iterator[float]:
    """The log loss of the winner by Elo, of which every two at a table play a game."""
    held: dict[str, float] = {}
    for game in games:
        strength = {one: 10 ** (held.get(one, 0.0) / 400) for one, _place in game.places}
        (winner,) = (one for one, place in game.places if place == 1)
        yield log(sum(strength.values()) / strength[winner])
        places = dict(game.places)
        for one, other in combinations(places, 2):
            expected = strength[one] / (strength[one] + strength[other])
            gain = K * ((places[one] < places[other]) - expected) / (len(places) - 1)
            held[one] = held.get(one, 0.0) + gain
            held[other] = held.get(other, 0.0) - gain


def mean_losses(games: list[list[float]]) -> list[float]:
    """The mean of nights 1-6, 7-12, 13-24 and 25-36, over several clubs of 21 games a night."""
    nights = ((0, 6), (6, 12), (12, 24), (24, 36))
    return [
        mean(loss for club_losses in games for loss in club_losses[21 * first : 21 * last])
        for first, last in nights
    ]


def test_the_shipped_setting_predicts_winners_as_well_as_elo_in_every_part_of_a_season() -> None:
    clubs = [club(seed, spread=0.3) for seed in range(8)]
    own = mean_losses([[loss for loss, _even in winner_losses(rate(games))] for games in clubs])
    elo = mean_losses([list(elo_losses(games)) for games in clubs])
    worse = [mine - theirs for mine, theirs in zip(own, elo, strict=True)]
    assert max(worse) < 0.006, worse


def test_tied_winners_count_in_equal_parts_and_equals_have_even_chances() -> None:
    games = [of(0, ("a", 1), ("b", 1), ("c", 3)), of(1, ("d", 1), ("e", 2))]
    assert [pytest.approx(even) for _loss, even in winner_losses(rate(games))] == [
        loss for loss, _even in winner_losses(rate(games))
    ]


@pytest.mark.parametrize(("spread", "nights", "is_shown"), [(1.0, 12, True), (1.0, 9, False)])
def test_chances_are_shown_once_two_hundred_games_were_foretold_better_than_by_lot(
    spread: float, nights: int, is_shown: bool
) -> None:
    assert can_show_chances(rate(club(1, spread=spread, nights=nights))) is is_shown


def test_a_club_of_equals_is_shown_no_chances() -> None:
    assert not can_show_chances(rate(club(2, spread=0.0, nights=12)))
