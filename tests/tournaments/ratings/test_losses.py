"""How good predictions are: no worse than Elo, and shown only where they beat even chances."""

from dataclasses import replace
from math import log
from statistics import mean
from typing import Final
from unittest.mock import Mock

import pytest

from tests.engine.table import seeded
from tests.tournaments.ratings.evenings import of
from tournaments.ratings import (
    RatedGame,
    can_show_chances,
    elo_losses,
    measure_loss,
    rate,
    rate_with_fitted_beta,
    winner_losses,
)
from tournaments.ratings.games import canonical

LUCK: Final = 1.28
"""The standard deviation of Gumbel's distribution."""


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
    elo = mean_losses([list(elo_losses(rate(games).games)) for games in clubs])
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


def test_elo_is_even_among_strangers_and_learns_who_wins() -> None:
    games = rate([of(number, ("a", 1), ("b", 2), ("c", 2)) for number in range(20)]).games
    losses = list(elo_losses(games))
    assert losses[0] == pytest.approx(log(3))
    assert losses == sorted(losses, reverse=True)
    # After one game: a +16, b and c -8 each.
    strong, weak = 10 ** (8 / 400), 10 ** (-4 / 400)
    assert losses[1] == pytest.approx(log((strong + 2 * weak) / strong))


def test_the_loss_of_the_last_twelve_nights_is_that_of_their_games() -> None:
    games = [
        replace(
            game, order=(f"2026-{1 + number // 42:02}-{1 + number % 42 // 21:02}", number, 1, 1)
        )
        for number, game in enumerate(club(1, spread=1.0, nights=16))
    ]
    found = measure_loss(rate(games))
    assert found is not None
    assert (found.nights, found.games) == (12, 12 * 21)
    own = [loss for loss, _even in winner_losses(rate(games))][-12 * 21 :]
    assert found.own == pytest.approx(mean(own))
    assert found.even == pytest.approx(log(4))
    assert found.elo < found.even
    assert found.gain > 2 * found.error > 0


def test_of_fewer_than_twenty_games_no_loss_is_told() -> None:
    games = club(1, spread=1.0, nights=1)
    assert measure_loss(rate(games[:19])) is None
    assert measure_loss(rate(games[:20])) is not None


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_a_model_fitted_to_a_club_unlike_others_predicts_later_nights_better(
    spread: float,
) -> None:
    games = club(1, spread=spread, nights=60)
    chosen = rate_with_fitted_beta(games[: 36 * 21]).settings
    assert (chosen.beta > rate([]).settings.beta) is (spread == 0.0)
    usual, own = (
        mean(loss for loss, _even in list(winner_losses(ratings))[36 * 21 :])
        for ratings in (rate(games), rate(games, settings=chosen))
    )
    assert own < usual


def test_an_ordinary_club_keeps_the_usual_beta_and_so_does_one_of_few_games() -> None:
    usual = rate([]).settings
    assert rate_with_fitted_beta(club(1, spread=0.3)).settings == usual
    few = club(1, spread=1.0)[:600]
    assert rate_with_fitted_beta(few[:599]).settings == usual
    assert rate_with_fitted_beta(few).settings != usual


def test_beta_is_fitted_to_whole_six_hundreds_of_games_in_the_order_of_play() -> None:
    games = club(0, spread=0.0, nights=60)
    few, more, many = (
        rate_with_fitted_beta(games[:number]).settings for number in (600, 1199, 1200)
    )
    assert few == more != many
    assert rate_with_fitted_beta(games[1198::-1]).settings == more


def test_a_night_more_does_not_fit_beta_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    games = club(5, spread=1.0)
    rate_with_fitted_beta(games[:-21])
    rated = Mock(wraps=canonical)
    monkeypatch.setattr("tournaments.ratings.online.canonical", rated)
    fitted = rate_with_fitted_beta(games)
    assert rated.call_count == 1
    corrected = replace(games[0], places=games[1].places)
    rate_with_fitted_beta([corrected, *games[1:]])
    assert rated.call_count > 2
    assert rate_with_fitted_beta(games).players == fitted.players
