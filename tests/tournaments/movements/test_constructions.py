"""Constructions: what is printed in tournaments.md 2.2, checked pair by pair."""

from collections import Counter
from itertools import combinations

import pytest

from tournaments.movements.bounds import common, lower_bound, proved_minimum, spread
from tournaments.movements.catalogue import STARTERS, WHIST, Rounds, starter_rounds, whist
from tournaments.movements.orders import lots_of
from tournaments.movements.rainbow import without_repeats
from tournaments.movements.reach import repeat_free_rounds
from tournaments.movements.seating import fewest_common
from tournaments.movements.sizes import sizes
from tournaments.movements.starts import complete_rounds


def met_in(rounds: Rounds) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(pair) for played in rounds for table in played for pair in combinations(table, 2)
    )


def complete(rounds: Rounds, n: int) -> bool:
    return all(sorted(one for table in played for one in table) == [*range(n)] for played in rounds)


@pytest.mark.parametrize("n", STARTERS)
def test_a_starter_goes_all_its_rounds_without_a_repeat(n: int) -> None:
    rounds = starter_rounds(n)
    assert len(rounds) == STARTERS[n][0]
    assert complete(rounds, n)
    assert set(met_in(rounds).values()) == {1}


@pytest.mark.parametrize("n", WHIST)
def test_a_whist_tournament_has_everybody_across_once_and_beside_twice(n: int) -> None:
    rounds = whist(n)
    assert len(rounds) == n - 1
    assert complete(rounds, n)
    tables = [table for played in rounds for table in played]
    across = Counter(frozenset(pair) for table in tables for pair in (table[::2], table[1::2]))
    assert set(met_in(rounds).values()) == {3}
    assert set(across.values()) == {1}
    assert len(across) == n * (n - 1) // 2


@pytest.mark.parametrize(
    ("n", "reach"),
    [(16, 5), (20, 5), (24, 7), (28, 9), (32, 9), (36, 10), (40, 13), (44, 13), (48, 12), (52, 12),
     (56, 10), (60, 12), (64, 12), (80, 15), (96, 15), (100, 20), (200, 20)],
)  # fmt: skip
def test_rounds_without_a_repeat_reach_what_is_known(n: int, reach: int) -> None:
    rounds = without_repeats(n, 4, reach, lots_of(n))
    assert len(rounds) == reach
    assert complete(rounds, n)
    assert set(met_in(rounds).values()) == {1}


@pytest.mark.parametrize(
    ("n", "size", "rounds"), [(9, 3, 4), (15, 3, 5), (25, 5, 6), (36, 6, 2), (49, 5, 0)]
)
def test_tables_of_other_sizes_have_rainbows_too(n: int, size: int, rounds: int) -> None:
    found = without_repeats(n, size, rounds or 3, lots_of(1))
    assert len(found) == rounds
    assert set(met_in(found).values()) <= {1}


@pytest.mark.parametrize(("n", "size"), [(9, 3), (25, 5), (8, 4), (16, 4), (28, 4)])
def test_whole_designs_let_all_pairs_meet_equally_often(n: int, size: int) -> None:
    found = complete_rounds(n, size, 40, lots_of(1))
    assert found
    assert complete(found, n)
    assert len(set(met_in(found).values())) == 1
    assert len(met_in(found)) == n * (n - 1) // 2


@pytest.mark.parametrize(
    ("n", "rounds", "rivals"), [(32, 5, 5), (40, 7, 9), (100, 7, 1), (100, 10, 4)]
)
def test_those_who_never_meet_have_rivals_in_common(n: int, rounds: int, rivals: int) -> None:
    assert fewest_common(without_repeats(n, 4, rounds, lots_of(1)), n) >= rivals


def test_the_least_cost_of_units_in_cells() -> None:
    assert [spread(units, 4) for units in range(9)] == [0, 0, 0, 0, 0, 1, 2, 3, 4]


def test_two_rounds_at_fewer_tables_than_seats_share_pairs() -> None:
    assert common(((4, 4), 0), ((4, 4), 0)) == 4
    assert common(((4, 4, 4), 0), ((4, 4, 4), 0)) == 3
    assert common(((4, 4, 4, 4), 0), ((4, 4, 4, 4), 0)) == 0
    assert common(((4,), 4), ((4,), 4)) == 0
    assert common(((4, 4, 4, 5), 0), ((4, 4, 4, 5), 0)) == 1


def test_what_is_proved_beyond_the_bounds_counts() -> None:
    shape = ((4, 4), 0)
    assert lower_bound([shape] * 10, 8) == 200
    assert proved_minimum([shape] * 10, 8) == 204
    uneven = [((3, 5), 0)] * 10
    assert proved_minimum(uneven, 8) == lower_bound(uneven, 8)


@pytest.mark.parametrize(
    ("n", "text"),
    [(5, "5"), (6, "3+3"), (7, "4+3"), (9, "4+5"), (10, "4+3+3"), (11, "4+4+3"), (13, "4+4+5"),
     (14, "4+4+3+3"), (17, "4+4+4+5"), (16, "4+4+4+4"), (3, "3")],
)  # fmt: skip
def test_how_many_tables_of_which_size(n: int, text: str) -> None:
    assert "+".join(map(str, sizes(n))) == text


def test_threes_and_fours_seat_everybody_but_five() -> None:
    for n in range(3, 60):
        if n == 5:
            with pytest.raises(ValueError, match="5 players cannot be seated at tables of 3 or 4"):
                sizes(n, (3, 4))
        else:
            assert sum(sizes(n, (3, 4))) == n


@pytest.mark.parametrize("n", [4, 5, *range(8, 11), *range(12, 40)])
def test_fours_and_fives_seat_the_others(n: int) -> None:
    assert sum(sizes(n, (4, 5))) == n


@pytest.mark.parametrize("n", [6, 7, 11])
def test_fours_and_fives_do_not_seat_everybody(n: int) -> None:
    with pytest.raises(ValueError, match="without sit-outs"):
        sizes(n, (4, 5))


@pytest.mark.parametrize(
    ("n", "rounds", "at_most"), [(8, 1, 1), (12, 1, 1), (16, 5, 5), (20, 5, 6), (28, 9, 9)]
)
def test_how_far_an_event_goes_without_a_repeat(n: int, rounds: int, at_most: int) -> None:
    found = repeat_free_rounds(n)
    assert (found.rounds, found.at_most) == (rounds, at_most)
    assert ("more are impossible" in found.sentence) == (rounds == at_most)
