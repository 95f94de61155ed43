"""What can be had at best where people come late, leave, or never come."""

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.movements import RoundSeating, judge, plan
from tournaments.movements.bounds import proved_minimum
from tournaments.movements.certificate import shape_of


@st.composite
def _rounds(draw: st.DrawFn) -> tuple[RoundSeating, ...]:
    """Rounds of any sizes, each with whoever is there."""
    n = draw(st.integers(4, 14))
    found = []
    for _ in range(draw(st.integers(1, 8))):
        there = draw(st.permutations(range(n)))[: draw(st.integers(3, n))]
        left = list(there)
        tables: list[tuple[int, ...]] = []
        while len(left) >= 3 and (not tables or draw(st.booleans())):
            size = draw(st.integers(3, min(6, len(left))))
            tables.append(tuple(left[:size]))
            left = left[size:]
        found.append(RoundSeating(tuple(tables), tuple(left)))
    return tuple(found)


@given(_rounds())
def test_no_rounds_are_better_than_what_is_possible(rounds: tuple[RoundSeating, ...]) -> None:
    told = judge(rounds, 14)
    assert told.quality >= told.bound
    n = len({one for each in rounds for one in each.entrants})
    assert told.bound >= proved_minimum([shape_of(each, n) for each in rounds], n)


def test_who_never_comes_does_not_count() -> None:
    rounds = [RoundSeating(((0, 1, 2, 3), (4, 5, 6, 7)))] * 10
    assert judge(rounds, 12) == judge(rounds, 8)
    assert judge(rounds, 12).bound == 204
    met = [RoundSeating(((0, 1, 2),))]
    assert (judge(met, 5).unmet, judge(met, 5).fewest_rivals) == (0, None)


def test_who_left_is_no_rival_of_those_who_play_on() -> None:
    first = RoundSeating(((0, 1, 2), (3, 4, 5), (6, 7, 8)))
    found = plan(9, 6, seed=1, history=[first], present={8: range(1)}, effort=40_000).certificate
    as_if_all_stayed = proved_minimum([((3, 3, 3), 0)] + [((4, 4), 1)] * 6, 9)
    assert as_if_all_stayed < found.bound <= found.quality


@pytest.mark.parametrize("there", [(5, 5, 5, 4), (6, 6, 4)])
def test_the_least_is_reached_where_every_seating_is_tried(there: tuple[int, ...]) -> None:
    """One table of four, and in the last round only those whom it seats are left."""
    told = [
        judge(
            [
                RoundSeating((four,), tuple(set(range(people)) - set(four)))
                for four, people in zip(fours, there, strict=True)
            ],
            max(there),
        )
        for fours in product(*(combinations(range(people), 4) for people in there))
    ]
    assert {one.bound for one in told} == {min(one.quality for one in told)}
