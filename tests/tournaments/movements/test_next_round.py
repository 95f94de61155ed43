"""Round by round: each movement keeps its rule, and every round is legal."""

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.movements.hall import legal, meetings, share_a_table
from tournaments.movements import (
    Movement,
    RoundSeating,
    SeatingError,
    Stay,
    Wishes,
    judge,
    next_round,
)
from tournaments.movements.orders import arrange_odd_sizes, draw_order, lots_of
from tournaments.movements.swiss import Pairing, cost_of, pair_costs, swiss


def night(
    movement: Movement, n: int, rounds: int, wishes: Wishes | None = None, *, seed: int = 1
) -> list[RoundSeating]:
    """Rounds after each of which the standing is drawn anew."""
    history: list[RoundSeating] = []
    for number in range(rounds):
        standing = draw_order(range(n), lots_of(f"{seed}/{number}"))
        history.append(next_round(movement, n, standing, history, wishes, seed=seed, step=2))
    return history


def cheapest(costs: Sequence[Sequence[int]], size: int) -> int:
    """The least cost of all partitions into tables of one size, by dynamic programming."""
    n = len(costs)
    best = {0: 0}
    for mask in range(1 << n):
        if mask not in best:
            continue
        free = [one for one in range(n) if not mask >> one & 1]
        for others in combinations(free[1:], size - 1) if free else ():
            table = (free[0], *others)
            more = sum(costs[one][other] for one, other in combinations(table, 2))
            then = mask | sum(1 << one for one in table)
            best[then] = min(best.get(then, 10**9), best[mask] + more)
    return best[(1 << n) - 1]


@settings(max_examples=examples(30), deadline=None)
@given(
    movement=st.sampled_from([each for each in Movement if each is not Movement.RANDOM]),
    n=st.integers(3, 40), rounds=st.integers(1, 5), fours=st.booleans(), seed=st.integers(0, 9),
)  # fmt: skip
def test_any_movement_seats_everybody(
    movement: Movement, n: int, rounds: int, fours: bool, seed: int
) -> None:
    if fours and n < 4:
        n = 4
    allowed = (4,) if fours else (3, 4, 5)
    if movement is Movement.SWISS:
        rounds = min(rounds, 2)
    found = night(movement, n, rounds, Wishes(allowed=allowed), seed=seed)
    assert all(legal(seating, range(n), allowed) for seating in found)
    assert judge(found, n).seat_spread <= 2


@pytest.mark.parametrize("n", [8, 9, 14, 30])
def test_random_rounds_repeat_as_little_as_can_be(n: int) -> None:
    found = night(Movement.RANDOM, n, 2)
    assert all(legal(seating, range(n)) for seating in found)
    if n == 30:
        assert judge(found, n).repeats == 0


@pytest.mark.parametrize(
    ("n", "played", "seed"), [(8, 2, 0), (8, 3, 1), (8, 4, 2), (12, 3, 3), (12, 5, 0)]
)
def test_a_swiss_round_costs_what_an_exact_search_finds(n: int, played: int, seed: int) -> None:
    history = night(Movement.SWISS, n, played, Wishes(allowed=(4,)), seed=seed)
    pairing = Pairing(met=meetings(history), extra={})
    order = draw_order(range(n), lots_of(seed))
    costs = pair_costs(order, pairing)
    tables = swiss(order, (4,) * (n // 4), pairing, lots_of("round"))
    places = [[order.index(one) for one in table] for table in tables]
    assert cost_of(places, costs, [1] * len(tables)) == cheapest(costs, 4)


def test_swiss_repeats_only_where_there_is_no_other_way() -> None:
    found = night(Movement.SWISS, 40, 5)
    assert judge(found, 40).repeats == 0


def test_the_first_swiss_round_is_the_standing() -> None:
    standing = list(range(15, -1, -1))
    found = next_round(Movement.SWISS, 16, standing, seed=1)
    assert [set(table) for table in found.tables] == [
        {15, 14, 13, 12}, {11, 10, 9, 8}, {7, 6, 5, 4}, {3, 2, 1, 0},
    ]  # fmt: skip


def test_the_top_table_may_come_first() -> None:
    history = [RoundSeating(((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11)))]
    found = next_round(Movement.SWISS, 12, range(12), history, Wishes(top_first=True), seed=1)
    even = next_round(Movement.SWISS, 12, range(12), history, seed=1)
    assert max(found.tables[0]) <= max(even.tables[0])


def test_swiss_goes_by_lot_inside_ties_and_by_the_seed() -> None:
    tied = [tuple(range(16))]
    found = [next_round(Movement.SWISS, 16, tied, seed=seed) for seed in (1, 2, 1)]
    assert found[0] == found[2] != found[1]


def test_danish_is_the_standing_cut_into_tables() -> None:
    history = [RoundSeating(((3, 2, 1, 0), (7, 6, 5, 4), (11, 10, 9, 8)))]
    found = next_round(Movement.DANISH, 12, range(12), history, seed=1)
    assert [set(table) for table in found.tables] == [
        set(range(4)), set(range(4, 8)), set(range(8, 12)),
    ]  # fmt: skip


def test_an_interval_of_two_takes_every_second_one() -> None:
    found = next_round(Movement.INTERVAL, 16, range(16), seed=1, step=2)
    assert [sorted(table) for table in found.tables] == [
        [0, 2, 4, 6], [1, 3, 5, 7], [8, 10, 12, 14], [9, 11, 13, 15],
    ]  # fmt: skip


def test_the_ladder_moves_the_best_up_and_the_last_down() -> None:
    history = [RoundSeating(((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11)))]
    results = [1, 0, 2, 3, 7, 4, 5, 6, 11, 10, 9, 8]
    found = next_round(Movement.LADDER, 12, results, history, seed=1)
    assert [set(table) for table in found.tables] == [{0, 1, 2, 7}, {3, 4, 5, 11}, {6, 8, 9, 10}]


def test_fixed_tables_stay_together_and_seats_rotate() -> None:
    found = night(Movement.FIXED, 13, 4)
    assert len({frozenset(map(frozenset, seating.tables)) for seating in found}) == 1
    assert judge(found, 13).seat_spread <= 1


def test_fixed_tables_take_in_who_is_left() -> None:
    first = next_round(Movement.FIXED, 12, range(12), seed=1)
    left = [one for one in range(12) if one not in first.tables[0][:2]]
    second = next_round(Movement.FIXED, 12, left, [first], seed=1)
    assert legal(second, left)
    assert sorted(second.sizes) == [3, 3, 4]


def test_odd_tables_fall_to_who_had_fewest() -> None:
    assert arrange_odd_sizes(range(11), (4, 4, 3), {0: 1, 5: 1, 10: 1}) == [4, 4, 3]
    assert arrange_odd_sizes(range(11), (4, 4, 3), {8: 1, 9: 1}) == [4, 3, 4]
    assert arrange_odd_sizes(range(11), (4, 4, 3), {4: 1, 8: 1}) == [3, 4, 4]


def test_byes_go_to_the_lowest_who_had_fewest_never_twice_running() -> None:
    history: list[RoundSeating] = []
    for _ in range(9):
        history.append(
            next_round(Movement.DANISH, 9, range(9), history, Wishes(allowed=(4,)), seed=1)
        )
    assert [seating.sit_outs for seating in history] == [(one,) for one in range(8, -1, -1)]


@pytest.mark.parametrize("movement", Movement)
def test_wishes_hold_in_every_movement(movement: Movement) -> None:
    wishes = Wishes(
        apart=((0, 1), (2, 3)), teams=((4, 5, 6),), stay=(Stay(8, 1, 2),), never=((9, 0), (10, 2))
    )
    history: list[RoundSeating] = []
    for _ in range(2):
        history.append(next_round(movement, 17, range(17), history, wishes, seed=1))
    told = judge(history, 17, wishes)
    assert told.together == 0
    for seating in history:
        assert legal(seating, range(17))
        assert seating.tables[1][2] == 8
        assert 9 not in seating.tables[0]
        assert 10 not in seating.tables[2]
    assert share_a_table(history, 4, 6) == 0


def test_who_is_not_in_the_standing_is_not_there() -> None:
    for movement in Movement:
        found = next_round(movement, 20, range(0, 18, 2), seed=1)
        assert legal(found, range(0, 18, 2))


@pytest.mark.parametrize(
    ("standing", "words"), [([0, 1, 2, 2], "twice"), ([0, 1, 2, 8], "not entered"), ([], "nobody")]
)
def test_standings_that_are_none(standing: list[int], words: str) -> None:
    with pytest.raises(SeatingError, match=words):
        next_round(Movement.SWISS, 8, standing, seed=1)


def test_a_step_of_nothing() -> None:
    with pytest.raises(SeatingError, match="at least 1"):
        next_round(Movement.INTERVAL, 8, range(8), seed=1, step=0)
