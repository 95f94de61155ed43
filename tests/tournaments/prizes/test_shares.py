"""Shares of money: the worked examples, and that every way of sharing gives out the whole."""

from fractions import Fraction
from itertools import pairwise
from math import ceil
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.prizes import OddUnits, PotLeft, Ties, by_chips, by_place, by_weight, to_winner

MONEY = st.integers(0, 10**6)
WEIGHTS = st.lists(st.integers(0, 10**4), min_size=1, max_size=12)


@st.composite
def places(draw: st.DrawFn) -> list[int]:
    """Places in finishing order, ties anywhere."""
    order = [1]
    for place in range(2, draw(st.integers(1, 12)) + 1):
        order.append(order[-1] if draw(st.booleans()) else place)
    return order


def test_e8_a_pool_by_chips_serves_equal_fractions_by_the_larger_holding() -> None:
    assert by_chips(5000, [83, 41, 26]).amounts == (2767, 1367, 866)


def test_e8b_a_pool_by_chips_that_divides() -> None:
    assert by_chips(8000, [73, 61, 42, 24]).amounts == (2920, 2440, 1680, 960)


@pytest.mark.parametrize(
    ("pot_left", "amounts", "left"),
    [
        (PotLeft.EQUAL, (2990, 2390, 1670, 950), 0),
        (PotLeft.PRO_RATA, (3026, 2404, 1658, 912), 0),
        (PotLeft.CARRY, (2920, 2320, 1600, 880), 280),
        (PotLeft.HOUSE, (2920, 2320, 1600, 880), 280),
    ],
)
def test_e8c_a_pot_that_nobody_won(pot_left: PotLeft, amounts: tuple[int, ...], left: int) -> None:
    shared = by_chips(8000, [73, 58, 40, 22], 7, pot_left=pot_left)
    assert (shared.amounts, shared.left) == (amounts, left)


def test_e10_three_share_the_second_to_fourth_prize() -> None:
    prizes, order = [10000, 6000, 3000, 1000], [1, 2, 2, 2]
    assert by_place(prizes, order) == [10000, 3334, 3333, 3333]
    assert by_place(prizes, order, ties=Ties.HORT) == [10000, 4667, 3167, 2166]
    assert by_place(prizes, order, ties=Ties.NONE) == prizes


def test_e10b_two_first_and_two_third() -> None:
    assert by_place([10000, 6000, 3000], [1, 1, 3, 3]) == [8000, 8000, 1500, 1500]


@pytest.mark.parametrize(
    ("order", "amounts"),
    [([1, 1, 3, 3, 5], (625, 625, 0, 0, 0)), ([1, 1, 1, 4, 4], (417, 417, 416, 0, 0))],
)
def test_e11_tied_winners_share_everything(order: list[int], amounts: tuple[int, ...]) -> None:
    assert to_winner(5 * 250, order).amounts == amounts


def test_odd_units_of_tied_winners_may_be_carried() -> None:
    shared = to_winner(5 * 250, [1, 1, 1, 4, 4], odd=OddUnits.CARRY)
    assert (shared.amounts, shared.left) == ((416, 416, 416, 0, 0), 2)


def test_who_would_share_too_little_has_his_own_prize() -> None:
    prizes, order = [1000], [1, 1, 1]
    assert by_place(prizes, order, threshold=333) == [334, 333, 333]
    assert by_place(prizes, order, threshold=334) == [1000, 0, 0]


@given(MONEY, WEIGHTS)
def test_shares_by_weight_are_the_whole_and_within_a_unit_of_exact(
    total: int, weights: list[int]
) -> None:
    shares = by_weight(total, weights)
    assert sum(shares) == total
    weighed = weights if any(weights) else [1] * len(weights)
    for got, weight in zip(shares, weighed, strict=True):
        assert abs(got - Fraction(total * weight, sum(weighed))) < 1
    for (weight, got), (more, gets) in pairwise(sorted(zip(weights, shares, strict=True))):
        assert got <= gets or weight == more


@given(MONEY, WEIGHTS, st.randoms())
def test_the_order_matters_only_between_equal_weights(
    total: int, weights: list[int], luck: Random
) -> None:
    order = luck.sample(range(len(weights)), len(weights))
    moved = by_weight(total, [weights[place] for place in order])
    before = sorted(zip(weights, by_weight(total, weights), strict=True))
    assert sorted(zip([weights[place] for place in order], moved, strict=True)) == before


@given(MONEY, WEIGHTS, st.integers(0, 500), st.sampled_from(PotLeft))
def test_a_pool_by_chips_is_given_out_whole(
    pool: int, chips: list[int], pot: int, pot_left: PotLeft
) -> None:
    shared = by_chips(pool, chips, pot, pot_left=pot_left)
    assert sum(shared.amounts) + shared.left == pool
    if pot_left in (PotLeft.EQUAL, PotLeft.PRO_RATA):
        assert shared.left == 0
    else:
        worth = Fraction(pool * pot, max(sum(chips) + pot, 1))
        assert abs(shared.left - worth) < 1
        if pot_left is PotLeft.CARRY and (any(chips) or pot):
            assert shared.left == ceil(worth), "the odd unit stays in the pot (DEC-11)"


@given(
    st.lists(st.integers(0, 10**5), max_size=12),
    places(),
    st.sampled_from(Ties),
    st.integers(0, 1000),
)
def test_prizes_are_given_out_whole_and_never_rise_from_place_to_place(
    prizes: list[int], order: list[int], ties: Ties, threshold: int
) -> None:
    prizes.sort(reverse=True)
    amounts = by_place(prizes, order, ties=ties, threshold=threshold)
    assert sum(amounts) == sum(prizes[: len(order)])
    assert all(above >= below for above, below in pairwise(amounts))
    if ties is Ties.AVERAGE and not threshold:
        for one, other in pairwise(zip(order, amounts, strict=True)):
            assert one[0] != other[0] or one[1] - other[1] <= 1


@given(MONEY, places(), st.sampled_from(OddUnits))
def test_winners_get_everything(pool: int, order: list[int], odd: OddUnits) -> None:
    shared = to_winner(pool, order, odd=odd)
    winners = order.count(1)
    assert sum(shared.amounts) + shared.left == pool
    assert not any(shared.amounts[winners:])
    assert shared.left < winners
    if odd is OddUnits.CARRY:
        assert len(set(shared.amounts[:winners])) == 1


def test_who_owes_chips_pays_and_the_others_get_more() -> None:
    shared = by_chips(1000, [70, 40, -10])
    assert shared.amounts == (700, 400, -100)


@pytest.mark.parametrize("chips", [[5, -5], [3, -9], [-1]])
def test_chips_without_worth_are_refused(chips: list[int]) -> None:
    with pytest.raises(ValueError, match="share nothing"):
        by_chips(100, chips)


@pytest.mark.parametrize("order", [[2], [1, 3], [1, 1, 2], [1, 2, 4, 3], [0]])
def test_places_in_no_order_are_refused(order: list[int]) -> None:
    with pytest.raises(ValueError, match="cannot come after"):
        by_place([100, 50], order)


@pytest.mark.parametrize("weights", [[], [3, -1]])
def test_weights_that_share_nothing_are_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="weights"):
        by_weight(100, weights)
