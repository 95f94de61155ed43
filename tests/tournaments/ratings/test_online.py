"""Online ratings: the published numbers, any order of entry, corrections that change no bit."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import exp, log, pi, sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.table import seeded
from tests.examples import examples
from tests.tournaments.ratings.evenings import of, season
from tournaments.core.errors import RefusedError
from tournaments.ratings import STEP, RatedGame, Ratings, RatingSettings, rate


def four_decimals(ratings: Ratings, of_what: str) -> list[float]:
    return [round(getattr(ratings.rating(player), of_what), 4) for player in "ABCD"]


WITH_LITTLE_LUCK = RatingSettings(beta=Fraction(25, 6))


def test_e27_four_newcomers() -> None:
    ratings = rate([of(1, ("A", 1), ("B", 2), ("C", 3), ("D", 4))])
    assert four_decimals(ratings, "mu") == [27.0007, 26.1115, 24.7777, 22.11]
    assert four_decimals(ratings, "sigma") == [8.2533, 8.1569, 8.0471, 8.0471]


def test_e27_four_newcomers_with_less_and_with_more_luck() -> None:
    game = of(1, ("A", 1), ("B", 2), ("C", 3), ("D", 4))
    ratings = rate([game], settings=WITH_LITTLE_LUCK)
    assert four_decimals(ratings, "mu") == [27.7953, 26.5529, 24.6894, 20.9624]
    assert four_decimals(ratings, "sigma") == [8.176, 7.985, 7.7645, 7.7645]
    ratings = rate([game], settings=RatingSettings(beta=Fraction(50, 3)))
    assert four_decimals(ratings, "mu") == [26.3977, 25.7765, 24.8447, 22.9811]


def test_e27c_two_share_the_second_place() -> None:
    game = of(1, ("A", 1), ("B", 2), ("C", 2), ("D", 4))
    ratings = rate([game], settings=WITH_LITTLE_LUCK)
    assert four_decimals(ratings, "mu") == [27.7953, 24.6894, 24.6894, 22.8259]
    assert four_decimals(ratings, "sigma") == [8.176, 7.985, 7.985, 7.985]


def as_it_is_written(
    table: dict[str, int], held: dict[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """One game by the formulas of tournaments.md 6, term by term; mu and sigma."""
    beta, tau, kappa = 10, 25 / 300, 1e-4
    s2 = {i: held[i][1] ** 2 + tau**2 for i in table}
    c = sqrt(sum(s2[i] + beta**2 for i in table))
    e = {i: exp(held[i][0] / c) for i in table}
    after = {}
    for i, mine in table.items():
        omega = delta = 0.0
        for q, place in table.items():
            if place <= mine:
                w = e[i] / sum(e[j] for j, other in table.items() if other >= place)
                alike = sum(other == place for other in table.values())
                omega += ((q == i) - w) / alike
                delta += w * (1 - w) / alike
        left = max(1 - s2[i] / c**2 * delta, kappa)
        after[i] = (held[i][0] + s2[i] / c * omega, sqrt(s2[i] * left))
    return after


@pytest.mark.parametrize("seed", range(4))
def test_every_size_of_table_and_every_tie_is_rated_as_it_is_written(seed: int) -> None:
    _, games = season(seed, 60, ties=0.4)
    held = {f"p{number}": (25.0, 25 / 3) for number in range(12)}
    for game in games:
        held |= as_it_is_written(dict(game.places), held)
    ratings = rate(games)
    for player, rating in ratings.players.items():
        assert (rating.mu, rating.sigma) == pytest.approx(held[player], rel=1e-12)


def test_a_winner_rises_and_a_whole_tie_between_equals_moves_nobody() -> None:
    tied = rate([of(1, ("A", 1), ("B", 1), ("C", 1))])
    assert [tied.rating(player).mu for player in "ABC"] == pytest.approx([25.0] * 3)
    assert all(tied.rating(player).sigma < 25 / 3 for player in "ABC")


@given(st.randoms(use_true_random=False), st.integers(0, 9))
@settings(max_examples=examples(20), deadline=None)
def test_the_order_of_entry_changes_no_bit(luck: Random, seed: int) -> None:
    _, games = season(seed, 40)
    entered = [
        replace(game, places=tuple(luck.sample(game.places, len(game.places))))
        for game in luck.sample(games, len(games))
    ]
    assert rate(entered).points == rate(games).points


MANY = 2 * STEP + 500


@pytest.mark.parametrize("wrong", [0, STEP - 1, STEP, 2 * STEP + 7])
def test_a_correction_replays_from_its_own_thousand_on_and_changes_no_bit(wrong: int) -> None:
    _, games = season(5, MANY)
    before = rate(games)
    places = games[wrong].places
    swapped = ((places[0][0], places[-1][1]), *places[1:-1], (places[-1][0], places[0][1]))
    games[wrong] = replace(games[wrong], places=swapped)
    quick, slow = rate(games, checkpoints=before.checkpoints), rate(games)
    assert quick.points.tobytes() == slow.points.tobytes() != before.points.tobytes()
    assert quick.checkpoints == slow.checkpoints
    assert quick.replayed == MANY - wrong // STEP * STEP
    assert slow.replayed == MANY


def test_a_game_entered_late_or_taken_out_changes_no_bit_either() -> None:
    _, games = season(6, MANY)
    late = RatedGame("late", ("2026-11-21", STEP + 3, 1, 0), (("p1", 1), ("new", 2), ("p2", 3)))
    kept = rate(games).checkpoints
    with_late = rate([*games, late], checkpoints=kept)
    assert with_late.points == rate([*games, late]).points
    assert with_late.replayed == MANY + 1 - STEP
    assert rate(games, checkpoints=with_late.checkpoints).points == rate(games).points


def test_other_settings_or_another_start_find_no_checkpoint_of_these() -> None:
    _, games = season(7, STEP)
    kept = rate(games).checkpoints
    assert len(kept) == 1
    lucky = RatingSettings(beta=Fraction(20))
    assert rate(games, checkpoints=kept).replayed == 0
    assert rate(games, settings=lucky, checkpoints=kept).replayed == STEP
    assert rate(games, start={"p1": (30.0, 4.0)}, checkpoints=kept).replayed == STEP


def test_a_checkpoint_that_was_cut_off_is_not_used() -> None:
    _, games = season(8, STEP)
    whole = rate(games)
    torn = {key: kept[:-8] for key, kept in whole.checkpoints.items()}
    assert rate(games, checkpoints=torn).points == whole.points


def test_who_brings_a_rating_starts_with_it_and_is_listed_before_he_plays() -> None:
    ratings = rate([of(1, ("A", 1), ("B", 2), ("C", 3))], start={"Z": (35.0, 2.0)})
    assert next(iter(ratings.players)) == "Z"
    assert ratings.rating("Z").games == 0
    nobody = ratings.rating("nobody")
    assert (nobody.mu, nobody.games, nobody.hidden) == (25.0, 0, True)


def test_the_graph_shows_every_game_and_when_it_may_be_shown() -> None:
    games = [of(game, ("A", 1), ("B", 2), ("C", 3)) for game in range(60)]
    ratings = rate(games)
    graph = ratings.history("A")
    assert [point.game for point in graph] == [game.game for game in games]
    assert [point.rating.games for point in graph] == list(range(1, 61))
    assert graph[-1].rating == ratings.players["A"]
    assert [point.rating.hidden for point in graph].index(False) == 9
    first = graph[0].rating
    assert first.shown == pytest.approx(first.mu * 40 + 500)
    assert first.band == pytest.approx(1.645 * first.sigma * 40, rel=1e-3)
    assert ratings.history("nobody") == []


def test_the_list_goes_by_what_is_shown() -> None:
    _, games = season(9, 100)
    found = list(rate(games).players.values())
    assert found == sorted(found, key=lambda one: (one.provisional, -one.shown))


def test_a_rating_is_provisional_while_its_band_is_wider_than_seven_tenths_of_a_newcomers() -> None:
    _, games = season(9, 200)
    newcomer = rate([]).rating("nobody")
    assert newcomer.provisional
    marks = set()
    for many in (20, 60, 200):
        for one in rate(games[:many]).players.values():
            assert one.provisional == (one.band > newcomer.band * 0.7)
            marks.add(one.provisional)
    assert marks == {True, False}


def season_of_forty(seed: int, *, luck: float) -> tuple[dict[str, float], Ratings]:
    """Strengths of forty players, and their ratings after ten nights of three rounds of four.

    ``luck`` is that of a game in terms of the spread of strengths; the strengths returned are on
    the scale of mu.
    """
    dice = seeded(seed)
    strength = {f"p{number}": dice.gauss(0, 1) for number in range(40)}
    scale = luck * sqrt(6) / pi
    games = []
    for number in range(10 * 3):
        order = dice.sample(sorted(strength), 40)
        for table in range(10):
            four = order[4 * table : 4 * table + 4]
            shown = {one: strength[one] - scale * log(-log(dice.random())) for one in four}
            four.sort(key=lambda one: -shown[one])
            places = tuple((one, place) for place, one in enumerate(four, 1))
            games.append(RatedGame(f"{number}-{table}", ("2026-11-21", number, table, 1), places))
    ratings = rate(games)
    mean = sum(strength.values()) / 40
    variance = sum(one.sigma**2 for one in ratings.players.values()) / 40
    c = sqrt(4 * (float(ratings.settings.beta) ** 2 + variance))
    return {one: (value - mean) * c / scale for one, value in strength.items()}, ratings


@pytest.mark.parametrize("luck", [3, 4, 5])
def test_nine_bands_of_ten_hold_the_true_strength_of_regulars_after_ten_nights(luck: int) -> None:
    inside = 0
    for seed in range(10):
        strength, ratings = season_of_forty(seed, luck=luck)
        middle = sum(one.mu for one in ratings.players.values()) / 40
        inside += sum(
            abs(one.mu - middle - strength[one.player]) * 40 <= one.band
            for one in ratings.players.values()
        )
    assert 0.87 < inside / 400 < 0.98


def test_regulars_of_a_club_of_forty_are_provisional_no_longer_after_ten_nights() -> None:
    _, ratings = season_of_forty(1, luck=2)
    assert not any(one.provisional for one in ratings.players.values())
    rare = RatedGame("rare", ("2026-11-22", 1, 1, 1), (("p0", 1), ("new", 2), ("p2", 3)))
    games = [RatedGame(game, order, places) for order, game, places in ratings.games]
    again = rate([*games, rare])
    assert again.rating("new").provisional
    assert not again.rating("p0").provisional


def test_stronger_players_come_out_ahead() -> None:
    strength, games = season(10, 1500)
    ratings = rate(games)
    agree = [
        (strength[one] > strength[other]) == (ratings.rating(one).mu > ratings.rating(other).mu)
        for one, other in combinations(strength, 2)
    ]
    assert sum(agree) / len(agree) > 0.85


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ((("A", 1),), "cannot be rated"),
        (tuple((f"p{number}", number) for number in range(7)), "cannot be rated"),
        ((("A", 1), ("B", 2), ("A", 3)), "sits twice"),
        ((("A", 0), ("B", 1), ("C", 2)), "first place is 1"),
    ],
)
def test_a_table_that_cannot_be_is_refused_by_its_name(
    places: tuple[tuple[str, int], ...], words: str
) -> None:
    with pytest.raises(RefusedError, match=words) as refused:
        rate(
            [of(1, ("A", 1), ("B", 2), ("C", 3)), RatedGame("bad", ("2026-11-22", 1, 1, 1), places)]
        )
    assert refused.value.field == "bad"


def test_a_game_given_twice_is_refused() -> None:
    game = of(1, ("A", 1), ("B", 2), ("C", 3))
    with pytest.raises(RefusedError, match="twice"):
        rate([game, replace(game, order=("2026-11-22", 1, 1, 1))])


@pytest.mark.parametrize("start", [(25.0, 0.0), (float("nan"), 1.0), (1e9, 1.0), (25.0, 1e9)])
def test_a_start_that_cannot_be_is_refused(start: tuple[float, float]) -> None:
    with pytest.raises(RefusedError) as refused:
        rate([], start={"A": start})
    assert refused.value.field == "A"


def test_no_games_are_no_ratings() -> None:
    assert rate([]).players == {}
