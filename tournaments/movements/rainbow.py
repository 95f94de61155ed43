"""Rainbow movements: no pair twice, by shifting classes of entrants (tournaments.md 2.2).

There are as many classes as seats at a table, and as many in a class as there are tables. In a
round each class is shifted against the tables by a number of its own; two classes whose shifts
differ by another number in every round bring no pair together twice. Whoever is in one class never
meets, so that classes may be seeding pots.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import gcd
from random import Random
from typing import Final

from tournaments.movements.catalogue import Rounds, affine_plane, starter_rounds
from tournaments.movements.fields import Ring
from tournaments.movements.orders import lots_of
from tournaments.movements.seating import ROUNDS_MAX, fewest_common
from tournaments.movements.starters import turn_starter

Shifts = list[tuple[int, ...]]
"""By round, how far each class is shifted."""

_SETS: Final = 60
_FAILURES: Final = 40


def rainbow(size: int, tables: int, shifts: Sequence[Sequence[int]]) -> Rounds:
    """The rounds that shifts say: entrant ``number * tables + place`` is in class ``number``."""
    return [
        [
            [number * tables + (table + shift[number]) % tables for number in range(size)]
            for table in range(tables)
        ]
        for shift in shifts
    ]


def linear(size: int, tables: int, rounds: int) -> Shifts | None:
    """Class c moves on by c in every round, where that brings no pair together twice."""
    if rounds > linear_reach(size, tables):
        return None
    return [tuple(c * turn % tables for c in range(size)) for turn in range(rounds)]


def linear_reach(size: int, tables: int) -> int:
    """Return how many rounds linear shifts go without a repeat."""
    return min(tables // gcd(tables, step) for step in range(1, size))


def search_shifts(size: int, tables: int, rounds: int, lots: Random) -> Shifts | None:
    """Shifts drawn by lot, or None if these lots lead nowhere."""
    used: list[list[set[int]]] = [[set() for _ in range(size)] for _ in range(size)]
    found: Shifts = []
    for _ in range(rounds):
        shift = _draw_shifts((0,), used, tables, lots)
        if shift is None:
            return None
        for d in range(1, size):
            for c in range(d):
                used[c][d].add((shift[d] - shift[c]) % tables)
        found.append(shift)
    return found


def _draw_shifts(
    begun: tuple[int, ...], used: list[list[set[int]]], tables: int, lots: Random
) -> tuple[int, ...] | None:
    number = len(begun)
    if number == len(used):
        return begun
    for shift in _by_lot(tables, lots):
        if all((shift - other) % tables not in used[c][number] for c, other in enumerate(begun)):
            shifts = _draw_shifts((*begun, shift), used, tables, lots)
            if shifts is not None:
                return shifts
    return None


def _by_lot(tables: int, lots: Random) -> Sequence[int]:
    if tables > 40:  # there is room enough: where the search begins is lot enough
        start = int(lots.random() * tables)
        return [*range(start, tables), *range(start)]
    keys = [lots.random() for _ in range(tables)]
    return sorted(range(tables), key=keys.__getitem__)


def best_connected(size: int, tables: int, rounds: int, lots: Random) -> Rounds:
    """The rainbow in which those who never meet have most rivals in common, or no rounds."""
    movements = [rainbow(size, tables, found) for found in [linear(size, tables, rounds)] if found]
    over_fields = field_rainbow(size, tables)
    if rounds <= len(over_fields):
        movements.append(over_fields[:rounds])
    failures = 0
    while len(movements) < _SETS and failures < _FAILURES:
        found = search_shifts(size, tables, rounds, lots)
        if found:
            movements.append(rainbow(size, tables, found))
        else:
            failures += 1
    # Whoever is first in their class stands for their class: all places of a class are alike.
    firsts = range(0, size * tables, tables)
    return max(
        movements, key=lambda rounds: fewest_common(rounds, size * tables, firsts), default=[]
    )


def field_rainbow(size: int, tables: int) -> Rounds:
    """The rainbow over the product of fields with so many elements, or no rounds.

    Class c moves on by c times the number of the round: as many rounds as tables, where the
    smallest field has as many elements as a table has seats.
    """
    ring = Ring(tables)
    if ring.independent < size:
        return []
    return [
        [
            [number * tables + ring.shift(place, number, turn) for number in range(size)]
            for place in range(tables)
        ]
        for turn in range(min(tables, ROUNDS_MAX))
    ]


def without_repeats(n: int, size: int, rounds: int, lots: Random) -> Rounds:
    """Return so many rounds in which no pair meets twice, at tables of one size.

    As many as are known (`known_rounds`) where that are fewer. A movement of just so many rounds is
    taken before the beginning of a longer one, of which fewer pairs have not met.
    """
    ways = [way for way in _known_movements(n, size) if len(way) == rounds]
    known = ways[0] if ways else known_rounds(n, size)
    if 1 < rounds <= min(len(known), n // size):
        return best_connected(size, n // size, rounds, lots) or known[:rounds]
    return known[: max(0, rounds)]


def known_rounds(n: int, size: int) -> Rounds:
    """Return the longest movement that is known in which no pair meets twice.

    The same one always: what is claimed for so many players does not depend on lots.
    """
    return max(_known_movements(n, size), key=len, default=[])[:ROUNDS_MAX]


@lru_cache(maxsize=256)
def _known_movements(n: int, size: int) -> Sequence[Rounds]:
    """Return the movements that are known in which no pair meets twice."""
    tables = n // size
    if n % size or tables < 1:
        return []
    if tables < size:
        return [[[list(range(table * size, (table + 1) * size)) for table in range(tables)]]]
    ways = [turn_starter(n, size)]
    if size == 4:
        ways.append(affine_plane() if n == 16 else starter_rounds(n))
    longest = field_rainbow(size, tables) or _longest_rainbow(size, tables)
    ways.append(_add_rounds_within_classes(size, tables, longest))
    return ways


def _longest_rainbow(size: int, tables: int) -> Rounds:
    """Return the longest rainbow of cyclic shifts that a short search finds."""
    found = linear(size, tables, linear_reach(size, tables)) or []
    lots = lots_of(f"{size}/{tables}")
    for _ in range(_FAILURES):
        if len(found) < min(tables, ROUNDS_MAX):
            found = search_shifts(size, tables, len(found) + 1, lots) or found
    return rainbow(size, tables, found)


def _add_rounds_within_classes(size: int, tables: int, rounds: Rounds) -> Rounds:
    """Return a rainbow with more rounds, in which every class plays among itself."""
    inner = known_rounds(tables, size)
    return rounds + [
        [[c * tables + one for one in table] for c in range(size) for table in played]
        for played in inner
    ]
