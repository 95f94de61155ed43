"""Rounds without a repeat that the search finds where tables differ, or somebody sits out.

No construction is known for these; what is listed is what annealing reached. It is claimed to
directors, so the planner has to reach it from every seed: where its own search does not, it takes
the rounds that the search finds from the seed named here. A test plans all of them.
"""

from collections.abc import Mapping
from typing import Final

from tournaments.movements.seating import Shape

REACHED: Final[Mapping[tuple[int, int, int, int], tuple[int, int]]] = {
    (1, 0, 0, 2): (2, 0), (0, 1, 0, 3): (2, 0), (2, 0, 0, 2): (4, 0), (0, 0, 1, 4): (2, 0),
    (3, 0, 0, 1): (4, 0), (3, 0, 0, 2): (5, 0), (4, 0, 0, 1): (5, 0), (4, 0, 0, 2): (7, 2),
    (0, 3, 0, 3): (5, 0), (1, 3, 0, 0): (5, 0), (5, 0, 0, 1): (6, 0), (0, 4, 0, 1): (4, 0),
    (5, 0, 0, 2): (7, 0), (0, 4, 0, 2): (4, 0), (2, 3, 0, 0): (5, 1), (0, 4, 0, 3): (5, 0),
    (1, 4, 0, 0): (5, 0), (6, 0, 0, 1): (8, 2), (6, 0, 0, 2): (9, 0), (0, 5, 0, 1): (5, 0),
    (3, 3, 0, 0): (7, 0), (0, 5, 0, 2): (5, 0), (2, 4, 0, 0): (5, 0), (7, 0, 0, 1): (9, 0),
    (0, 5, 0, 3): (5, 0), (1, 5, 0, 0): (7, 0), (7, 0, 0, 2): (10, 0), (0, 0, 4, 4): (4, 1),
    (0, 5, 1, 0): (5, 0), (0, 6, 0, 1): (5, 0), (3, 4, 0, 0): (6, 0), (8, 0, 0, 1): (11, 3),
    (0, 0, 5, 1): (4, 0), (0, 6, 0, 2): (6, 0), (2, 5, 0, 0): (6, 0), (8, 0, 0, 2): (11, 0),
    (0, 0, 5, 2): (4, 0), (0, 6, 0, 3): (7, 2), (1, 6, 0, 0): (9, 0), (0, 0, 5, 3): (4, 0),
    (9, 0, 0, 1): (11, 0), (0, 0, 5, 4): (4, 0), (0, 6, 1, 0): (6, 1), (0, 7, 0, 1): (6, 0),
    (3, 5, 0, 0): (7, 0), (9, 0, 0, 2): (12, 0), (0, 5, 2, 0): (5, 0), (0, 7, 0, 2): (7, 0),
    (2, 6, 0, 0): (7, 0), (0, 0, 6, 1): (4, 0), (0, 7, 0, 3): (8, 0), (1, 7, 0, 0): (9, 0),
    (10, 0, 0, 1): (12, 0), (0, 0, 6, 2): (5, 1), (10, 0, 0, 2): (13, 1), (0, 0, 6, 3): (5, 0),
    (0, 7, 1, 0): (7, 2), (0, 8, 0, 1): (7, 0), (3, 6, 0, 0): (8, 0), (0, 0, 6, 4): (5, 0),
    (0, 6, 2, 0): (6, 0), (0, 8, 0, 2): (8, 0), (2, 7, 0, 0): (8, 0), (11, 0, 0, 1): (13, 1),
    (0, 5, 3, 0): (6, 3), (0, 8, 0, 3): (9, 2), (1, 8, 0, 0): (11, 0), (11, 0, 0, 2): (15, 1),
    (0, 0, 7, 1): (5, 0), (0, 0, 7, 2): (5, 0), (0, 8, 1, 0): (7, 0), (0, 9, 0, 1): (8, 0),
    (3, 7, 0, 0): (9, 5), (12, 0, 0, 1): (15, 3), (0, 0, 7, 3): (6, 0), (0, 7, 2, 0): (7, 0),
    (0, 9, 0, 2): (9, 0), (2, 8, 0, 0): (10, 1), (12, 0, 0, 2): (15, 1), (0, 0, 7, 4): (6, 0),
    (0, 6, 3, 0): (7, 0), (0, 9, 0, 3): (9, 0), (1, 9, 0, 0): (13, 0), (13, 0, 0, 1): (12, 0),
    (0, 9, 1, 0): (8, 0), (0, 10, 0, 1): (9, 0), (0, 10, 0, 2): (9, 0), (2, 9, 0, 0): (9, 0),
    (0, 10, 0, 3): (10, 0), (1, 10, 0, 0): (12, 0), (0, 10, 1, 0): (8, 0), (0, 11, 0, 1): (10, 0),
    (0, 11, 0, 2): (10, 0), (2, 10, 0, 0): (12, 0), (0, 11, 0, 3): (10, 0),
    (1, 11, 0, 0): (12, 0), (0, 11, 1, 0): (9, 0), (0, 12, 0, 1): (10, 0), (0, 12, 0, 2): (12, 0),
    (2, 11, 0, 0): (11, 0), (0, 12, 0, 3): (11, 0), (1, 12, 0, 0): (12, 0),
    (0, 12, 1, 0): (10, 0), (0, 13, 0, 1): (11, 0), (0, 13, 0, 2): (11, 0),
    (2, 12, 0, 0): (11, 0), (0, 13, 0, 3): (12, 0), (1, 13, 0, 0): (12, 0),
    (0, 13, 1, 0): (11, 0), (0, 14, 0, 1): (12, 0), (0, 14, 0, 2): (12, 0),
    (2, 13, 0, 0): (11, 0), (0, 14, 0, 3): (12, 0), (1, 14, 0, 0): (12, 0),
}  # fmt: skip
"""By tables of three, four and five and by how many sit out: rounds, and the attempt that
found the last of them."""


def count_mixed_rounds(shape: Shape) -> int:
    """Return how many rounds without a repeat are known at these tables; one always is."""
    return REACHED.get(_key(shape), (1, 0))[0]


def name_seed(shape: Shape, rounds: int) -> str:
    """Return the seed from which the search finds so many rounds."""
    sizes, idle = shape
    most, attempt = REACHED[_key(shape)]
    seed = f"{sum(sizes) + idle}/{rounds}"
    return f"{seed}/{attempt}" if attempt and rounds == most else seed


def _key(shape: Shape) -> tuple[int, int, int, int]:
    sizes, idle = shape
    if any(size not in (3, 4, 5) for size in sizes):
        return 0, 0, 0, 0
    return sizes.count(3), sizes.count(4), sizes.count(5), idle
