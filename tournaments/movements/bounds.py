"""Bounds on how good a movement can be (tournaments.md 2.1).

Its measure is Q, the sum over all pairs of C(meetings, 2): a pair that met c times before pays c
when it meets again. Any movement of the same sizes has a Q of at least the bounds below.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import ceil, comb
from typing import Final, NamedTuple

from tournaments.movements.seating import Shape, odd_tables

Overlap = tuple[int, Mapping[int, int]]
_STEEPEST: Final = 12
"""How much dearer an overlap of two rounds becomes, at most, by one person more."""

PROVED: Final = {
    (8, 9): 160, (8, 10): 204, (8, 11): 252, (8, 12): 304,
    (8, 16): 568, (8, 17): 648, (8, 18): 732, (8, 19): 820,
}  # fmt: skip
"""The least Q by entrants and rounds at tables of 4, where an exact solver proved more than the
bounds tell (tournaments.md 2.1)."""


def spread(units: int, cells: int) -> int:
    """The least sum of C(x, 2) for so many units in so many cells.

    >>> spread(36, 28), spread(4, 2)
    (8, 2)
    """
    if not units:
        return 0
    each, left = divmod(units, cells)
    return (cells - left) * comb(each, 2) + left * comb(each + 1, 2)


def lower_bound(shapes: Sequence[Shape], n: int, *, levelled: bool = False) -> int:
    """The least Q that any movement of these rounds can have: the best of three bounds.

    ``levelled``: only of movements in which nobody is at an odd table two times more than another.

    >>> lower_bound([((4, 4), 0)] * 3, 8)
    12
    >>> seventeen = [((4, 4, 4, 5), 0)] * 3
    >>> lower_bound(seventeen, 17), lower_bound(seventeen, 17, levelled=True)
    (3, 12)
    """
    if n < 2:
        return 0
    met = sum(comb(size, 2) for sizes, _ in shapes for size in sizes)
    over_pairs = spread(met, comb(n, 2))
    # Everybody's meetings over n - 1 rivals; what is due to all is least where all have alike.
    each, left = divmod(2 * met, n)
    doubled = (n - left) * spread(each, n - 1) + left * spread(each + 1, n - 1)
    kinds = Counter(shapes)
    overlaps = [(comb(count, 2), common_pairs(kind, kind)) for kind, count in kinds.items()]
    overlaps += [
        (many * more, common_pairs(one, other))
        for (one, many), (other, more) in combinations(kinds.items(), 2)
    ]
    odd = sum(count_odd_seats(sizes) for sizes, _ in shapes)
    between = between_rounds(overlaps, spread(odd, n), levelled=levelled)
    return max(over_pairs, ceil(doubled / 2), between)


def count_odd_seats(sizes: Sequence[int]) -> int:
    """Count those who sit at an odd table."""
    return sum(size for size, odd in zip(sizes, odd_tables(sizes), strict=True) if odd)


def between_rounds(overlaps: Sequence[Overlap], twice: int, *, levelled: bool) -> int:
    """The least number of pairs that rounds have in common, two by two.

    ``overlaps``: how many times two such rounds come together, and their `common_pairs`.
    ``twice``: how often somebody is at an odd table in both of two rounds, over all players and
    rounds; exactly so often in movements that are ``levelled``, at least so often in others.
    """
    # Lagrange multipliers: whatever the price of being at an odd table twice, no movement costs
    # less than the cheapest overlaps at that price.
    prices = range(-_STEEPEST, _STEEPEST + 1 if levelled else 1)
    return max(
        sum(
            many * min(pairs + price * odd for odd, pairs in found.items())
            for many, found in overlaps
            if many
        )
        - price * twice
        for price in prices
    )


@lru_cache(maxsize=4096)
def common_pairs(one: Shape, other: Shape) -> Mapping[int, int]:
    """The least number of pairs that two rounds have in common.

    Told by how many sit at an odd table in both. Each round has odd tables, usual tables and idle
    people; whoever goes from one sort of table to another is spread evenly over its tables.
    """
    here, there = _sorts(one), _sorts(other)
    least = max(_pairs_in_common(one, other), _pairs_in_common(other, one))
    found: dict[int, int] = {}
    ways = product(
        range(min(here.odd, there.odd) + 1),
        range(min(here.odd, there.idle) + 1),
        range(min(here.idle, there.odd) + 1),
    )
    for both_odd, odd_then_idle, idle_then_odd in ways:
        odd_then_usual = here.odd - both_odd - odd_then_idle
        usual_then_odd = there.odd - both_odd - idle_then_odd
        seated = here.usual - usual_then_odd - there.idle + odd_then_idle
        twice_idle = max(0, -seated)  # the fewer, the fewer sit at tables in both rounds
        idle_enough = twice_idle <= min(there.idle - odd_then_idle, here.idle - idle_then_odd)
        if min(odd_then_usual, usual_then_odd) < 0 or not idle_enough:
            continue
        pairs = (
            spread(both_odd, here.odd_tables * there.odd_tables)
            + spread(odd_then_usual, here.odd_tables * there.usual_tables)
            + spread(usual_then_odd, here.usual_tables * there.odd_tables)
            + spread(seated + twice_idle, here.usual_tables * there.usual_tables)
        )
        found[both_odd] = min(found.get(both_odd, pairs), pairs)
    return {both_odd: max(pairs, least) for both_odd, pairs in found.items()}


def common(one: Shape, other: Shape) -> int:
    """The least number of pairs that two rounds have in common, whoever is at the odd tables."""
    return min(common_pairs(one, other).values())


class _Sorts(NamedTuple):
    odd_tables: int
    odd: int
    usual_tables: int
    usual: int
    idle: int


def _sorts(shape: Shape) -> _Sorts:
    sizes, idle = shape
    odd_ones = sum(odd_tables(sizes))
    odd = count_odd_seats(sizes)
    return _Sorts(odd_ones, odd, len(sizes) - odd_ones, sum(sizes) - odd, idle)


def _pairs_in_common(one: Shape, other: Shape) -> int:
    """The pairs in common if each table of a round is spread over the tables of the other one.

    Whoever is at none of them counts as alone.
    """
    (sizes, _), (tables, at_none) = one, other
    cells = len(tables) + at_none
    return sum(spread(size, cells) for size in sizes) if cells else 0


def proved_minimum(shapes: Sequence[Shape], n: int, *, levelled: bool = False) -> int:
    """The bound, or what is proved beyond it."""
    found = lower_bound(shapes, n, levelled=levelled)
    if all(shape == ((4,) * (n // 4), 0) for shape in shapes):
        found = max(found, PROVED.get((n, len(shapes)), 0))
    return found
