"""How good a movement can be at best (tournaments.md 2.1).

Its measure is Q, the sum over all pairs of C(meetings, 2): a pair that met c times before pays c
when it meets again. Any movement of the same sizes has a Q of at least the bounds below.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import ceil, comb
from typing import Final

Shape = tuple[tuple[int, ...], int]
"""A round's sizes of tables, and how many entrants sit at none of them."""

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
    each, left = divmod(units, cells)
    return (cells - left) * comb(each, 2) + left * comb(each + 1, 2)


def lower_bound(shapes: Sequence[Shape], n: int) -> int:
    """The least Q that any movement of these rounds can have: the best of three bounds.

    >>> lower_bound([((4, 4), 0)] * 3, 8)
    12
    """
    if n < 2:
        return 0
    met = sum(comb(size, 2) for sizes, _ in shapes for size in sizes)
    over_pairs = spread(met, comb(n, 2))
    # Everybody's meetings over his n - 1 rivals; what is due to all is least where all have alike.
    each, left = divmod(2 * met, n)
    doubled = (n - left) * spread(each, n - 1) + left * spread(each + 1, n - 1)
    return max(over_pairs, ceil(doubled / 2), between_rounds(shapes))


def between_rounds(shapes: Sequence[Shape]) -> int:
    """The least number of pairs that rounds have in common, two by two.

    A table of a round is divided among the tables of the other one; whoever is at none of them
    counts as alone.
    """
    kinds = Counter(shapes)
    same = sum(comb(count, 2) * common(shape, shape) for shape, count in kinds.items())
    pairs = combinations(kinds.items(), 2)
    return same + sum(many * more * common(one, other) for (one, many), (other, more) in pairs)


def common(one: Shape, other: Shape) -> int:
    """The least number of pairs that two rounds have in common."""
    return max(_divided(one, other), _divided(other, one))


def _divided(one: Shape, other: Shape) -> int:
    (sizes, _), (tables, at_none) = one, other
    cells = len(tables) + at_none
    return sum(spread(size, cells) for size in sizes) if cells else 0


def proved_minimum(shapes: Sequence[Shape], n: int) -> int:
    """The bound, or what is proved beyond it."""
    found = lower_bound(shapes, n)
    if all(shape == ((4,) * (n // 4), 0) for shape in shapes):
        found = max(found, PROVED.get((n, len(shapes)), 0))
    return found
