"""Figures: intervals that hold what they promise, and nothing told of too few hands."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.table import seeded
from tournaments.statistics import PlayerHandLine, PlayerTally, figures
from tournaments.statistics.catalogue import LEAST
from tournaments.statistics.figures import USUAL, Figure, interval_of_mean, wilson
from tournaments.statistics.sums import Sum


def tally_of(nets: list[int]) -> PlayerTally:
    tally = PlayerTally()
    for number, net in enumerate(nets):
        captured = int(net < 0)
        tally.add_hand(
            PlayerHandLine(
                player="Ann", night="2026", number=number, players=4, net=net, captured=captured
            )
        )
    return tally


def net_of(nets: list[int], club: list[int]) -> Figure:
    found = figures(tally_of(nets).sums, tally_of(club).sums)
    return next(one for one in found if one.statistic.key == "net")


@given(
    st.lists(st.integers(-50, 50), min_size=1, max_size=40),
    st.lists(st.integers(-50, 50), min_size=1, max_size=40),
)
def test_a_mean_is_drawn_towards_what_is_usual(nets: list[int], club: list[int]) -> None:
    one, usual = net_of(nets, club), Fraction(sum(club), len(club))
    assert one.mean == Fraction(sum(nets), len(nets))
    assert one.shrunk == (sum(nets) + USUAL * usual) / (len(nets) + USUAL)
    assert min(one.mean, usual) <= one.shrunk <= max(one.mean, usual)
    assert one.hidden == (len(nets) < LEAST)
    if len(nets) == 1:
        assert one.low is one.high is None
    else:
        assert one.low is not None
        assert one.high is not None
        assert one.low <= float(one.shrunk) <= one.high


def test_without_a_club_a_player_is_his_own_usual() -> None:
    (one, *_) = figures(tally_of([3, -1, 4]).sums, {})
    assert one.mean == one.shrunk == 2


@given(st.integers(1, 500), st.data())
def test_the_interval_of_a_rate_holds_it_and_stays_within_none_and_all(
    n: int, data: st.DataObject
) -> None:
    hits = data.draw(st.integers(0, n))
    low, high = wilson(Sum(n, hits, hits))
    assert 0 <= low <= hits / n + 1e-12
    assert hits / n - 1e-12 <= high <= 1


def test_the_interval_of_a_rate_is_wilsons() -> None:
    # By hand: z^2 = 2.70554, middle 0.3135277 / 1.0270554, half width 0.0765817 / 1.0270554.
    low, high = wilson(Sum(100, 30, 30))
    assert (low, high) == pytest.approx((0.230705, 0.379832), abs=2e-6)


def test_nine_intervals_of_ten_hold_the_true_rate() -> None:
    luck = seeded(4)
    inside = 0
    for _ in range(600):
        hits = sum(luck.random() < 0.25 for _ in range(60))
        low, high = wilson(Sum(60, hits, hits))
        inside += low <= 0.25 <= high
    assert 0.86 < inside / 600 < 0.94


def test_nine_intervals_of_ten_hold_the_true_mean_of_a_player_of_this_club() -> None:
    luck = seeded(5)
    inside = 0
    for _ in range(300):
        true = luck.gauss(0, 8 / USUAL**0.5)
        one = net_of([round(luck.gauss(true, 8)) for _ in range(40)], [0])
        assert one.low is not None
        assert one.high is not None
        inside += one.low <= true <= one.high
    assert 0.84 < inside / 300 < 0.95


def test_nine_intervals_of_ten_hold_the_true_mean_also_of_ten_nights() -> None:
    luck = seeded(6)
    inside = 0
    for _ in range(600):
        nights = Sum()
        for _ in range(LEAST):
            nights.add(round(luck.gauss(3, 20)))
        found = interval_of_mean(nights)
        assert found is not None
        inside += found[0] <= 3 <= found[1]
    assert 0.87 < inside / 600 < 0.93


def test_the_mean_of_fewer_than_ten_has_no_interval() -> None:
    assert interval_of_mean(Sum(9, 9, 100)) is None
