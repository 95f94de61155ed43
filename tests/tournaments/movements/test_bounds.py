"""Bounds of a certificate, against every seating there is of a few players."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from math import comb

import pytest

from tests.tournaments.movements.hall import QUICK
from tournaments.movements import Certificate, RoundSeating, Wishes, judge, plan
from tournaments.movements.certificate import Condition
from tournaments.movements.sizes import odd_games

Tables = tuple[tuple[int, ...], ...]
Pairs = tuple[tuple[int, int], ...]


def slow(*case: object) -> pytest.ParameterSet:
    """A case with more seatings than are gone through in a moment."""
    return pytest.param(*case, marks=pytest.mark.slow)


def divisions(people: Sequence[int], sizes: Sequence[int]) -> Iterator[Tables]:
    """Every way to seat people at tables of these sizes, each once; who is left over sits out."""
    if not sizes:
        yield ()
        return
    for first in combinations(people, sizes[0]):
        rest = [one for one in people if one not in first]
        for others in divisions(rest, sizes[1:]):
            if not (others and len(others[0]) == len(first) and others[0] < first):
                yield (first, *others)


def least_cost(
    n: int, sizes: Sequence[int], rounds: int, allows: Callable[[Sequence[RoundSeating]], bool]
) -> int:
    """The least Q of all movements that are allowed.

    Players are exchangeable, so that the first round may be any.
    """
    found = [_seating(tables, n) for tables in divisions(range(n), sizes)]
    return least_cost_after(found[0], found, rounds, allows)


def least_cost_after(
    first: RoundSeating,
    found: Sequence[RoundSeating],
    rounds: int,
    allows: Callable[[Sequence[RoundSeating]], bool],
) -> int:
    """The least Q of the movements that begin so; the order of the other rounds is free."""
    movements = ([first, *others] for others in combinations_with_replacement(found, rounds - 1))
    return min((_cost(movement) for movement in movements if allows(movement)), default=10**6)


def _cost(movement: Sequence[RoundSeating]) -> int:
    met = Counter(pair for seating in movement for pair in seating.meetings())
    return sum(comb(count, 2) for count in met.values())


def _seating(tables: Tables, n: int) -> RoundSeating:
    seated = {one for table in tables for one in table}
    return RoundSeating(tables, tuple(one for one in range(n) if one not in seated))


def shares_odd_tables(rounds: Sequence[RoundSeating], n: int) -> bool:
    games = odd_games(rounds)
    return max(games[one] for one in range(n)) - min(games[one] for one in range(n)) <= 1


def keeps_apart(rounds: Sequence[RoundSeating], pairs: Pairs) -> bool:
    return not any(pair in pairs for seating in rounds for pair in seating.meetings())


def bound_of(told: Certificate) -> tuple[int, tuple[Condition, ...]]:
    return told.bound, told.conditions


@pytest.mark.parametrize(
    ("n", "sizes", "rounds", "least"),
    [(7, (4, 3), 2, 6), (7, (4, 3), 3, 12), slow(9, (4, 5), 2, 12),
     slow(9, (4, 5), 3, 21), (10, (4, 3, 3), 2, 4), slow(11, (4, 4, 3), 2, 3),
     slow(8, (3, 5), 3, 19)],
)  # fmt: skip
def test_nothing_is_better_than_the_bound_of_those_who_share_odd_tables(
    n: int, sizes: tuple[int, ...], rounds: int, least: int
) -> None:
    assert least_cost(n, sizes, rounds, lambda found: shares_odd_tables(found, n)) == least
    told = plan(n, rounds, Wishes(allowed=tuple(set(sizes))), seed=1).certificate
    assert bound_of(told) == (least, (Condition.ODD_TABLES,))
    assert told.quality == least
    assert told.is_best
    assert told.sentences()[0].endswith(f"fewest possible: {least} with odd tables shared evenly).")


@pytest.mark.parametrize(
    ("n", "sizes", "rounds"),
    [
        slow(8, (4, 4), 3),
        (9, (4, 4), 2),
        (6, (3, 3), 3),
        (6, (4,), 3),
    ],
)
def test_where_tables_are_alike_the_bound_has_no_conditions(
    n: int, sizes: tuple[int, ...], rounds: int
) -> None:
    least = least_cost(n, sizes, rounds, lambda _: True)
    told = plan(n, rounds, Wishes(allowed=(sizes[0],)), seed=1).certificate
    assert bound_of(told) == (least, ())
    assert told.quality == least


@pytest.mark.parametrize(
    ("n", "sizes", "rounds", "apart"),
    [(6, (3, 3), 3, ((0, 1),)), (6, (3, 3), 4, ((0, 1), (2, 3))),
     slow(8, (4, 4), 3, ((0, 1), (2, 3))), slow(7, (4, 3), 3, ((0, 1),)),
     (9, (3, 3, 3), 2, ((0, 1), (0, 2), (1, 2)))],
)  # fmt: skip
def test_no_seating_that_keeps_the_same_players_apart_is_below_the_bound(
    n: int, sizes: tuple[int, ...], rounds: int, apart: Pairs
) -> None:
    def allows(found: Sequence[RoundSeating]) -> bool:
        return keeps_apart(found, apart) and shares_odd_tables(found, n)

    every = (_seating(tables, n) for tables in divisions(range(n), sizes))
    found = [seating for seating in every if keeps_apart([seating], apart)]
    least = min(least_cost_after(first, found, rounds, allows) for first in found)
    told = plan(n, rounds, Wishes(allowed=tuple(set(sizes)), apart=apart), seed=1).certificate
    assert told.bound <= least <= told.quality


def test_seventeen_players_in_three_rounds_cannot_do_better_than_twelve() -> None:
    told = plan(17, 3, seed=1).certificate
    assert (told.quality, told.bound, told.is_best) == (12, 12, True)
    assert told.sentences()[0] == (
        "12 repeat meetings (fewest possible: 12 with odd tables shared evenly)."
    )


@pytest.mark.slow
def test_four_teams_of_four_meet_their_opponents_as_evenly_as_is_possible() -> None:
    teams = tuple(tuple(range(4 * team, 4 * team + 4)) for team in range(4))
    told = plan(16, 5, Wishes(teams=teams), seed=1).certificate
    assert bound_of(told) == (24, (Condition.APART,))
    assert told.sentences()[0].endswith("with the same players kept apart).")


def test_a_seating_that_shares_odd_tables_unevenly_is_judged_among_all() -> None:
    found = plan(9, 1, seed=1, effort=QUICK).rounds
    told = judge(found * 3, 9)
    assert told.conditions == ()
    assert told.bound <= told.quality


def test_certificates_that_were_stored_without_conditions_are_read() -> None:
    data = plan(8, 2, seed=1, effort=QUICK).certificate.to_data()
    del data["conditions"]
    assert Certificate.from_data(data).conditions == ()
