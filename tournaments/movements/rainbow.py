"""Rainbow movements: no pair twice, by shifting classes of entrants (tournaments.md 2.2).

There are as many classes as seats at a table, and as many in a class as there are tables. In a
round each class is shifted against the tables by a number of its own; two classes whose shifts
differ by another number in every round bring no pair together twice. Whoever is in one class never
meets, so that classes may be seeding pots.
"""

from collections.abc import Iterator, Sequence
from math import gcd
from random import Random
from typing import Final

from tournaments.movements.catalogue import Rounds, affine_plane, starter_rounds
from tournaments.movements.rivals import fewest_common

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
    reach = min(tables // gcd(tables, step) for step in range(1, size))
    if rounds > reach:
        return None
    return [tuple(c * turn % tables for c in range(size)) for turn in range(rounds)]


def searched(size: int, tables: int, rounds: int, lots: Random) -> Shifts | None:
    """Shifts drawn by lot, or None if these lots lead nowhere."""
    used: list[list[set[int]]] = [[set() for _ in range(size)] for _ in range(size)]
    found: Shifts = []
    for _ in range(rounds):
        shift = _drawn((0,), used, tables, lots)
        if shift is None:
            return None
        for d in range(1, size):
            for c in range(d):
                used[c][d].add((shift[d] - shift[c]) % tables)
        found.append(shift)
    return found


def _drawn(
    begun: tuple[int, ...], used: list[list[set[int]]], tables: int, lots: Random
) -> tuple[int, ...] | None:
    number = len(begun)
    if number == len(used):
        return begun
    for shift in _by_lot(tables, lots):
        if all((shift - other) % tables not in used[c][number] for c, other in enumerate(begun)):
            found = _drawn((*begun, shift), used, tables, lots)
            if found is not None:
                return found
    return None


def _by_lot(tables: int, lots: Random) -> Sequence[int]:
    if tables > 40:  # there is room enough: where the search begins is lot enough
        start = int(lots.random() * tables)
        return [*range(start, tables), *range(start)]
    keys = [lots.random() for _ in range(tables)]
    return sorted(range(tables), key=keys.__getitem__)


def best_connected(size: int, tables: int, rounds: int, lots: Random) -> Rounds:
    """The rainbow in which those who never meet have most rivals in common, or no rounds."""
    sets = [found for found in [linear(size, tables, rounds)] if found]
    failures = 0
    while len(sets) < _SETS and failures < _FAILURES:
        found = searched(size, tables, rounds, lots)
        if found:
            sets.append(found)
        else:
            failures += 1
    # Whoever is first in his class stands for his class: all places of a class are alike.
    firsts = range(0, size * tables, tables)
    movements = (rainbow(size, tables, shifts) for shifts in sets)
    return max(
        movements, key=lambda rounds: fewest_common(rounds, size * tables, firsts), default=[]
    )


def without_repeats(n: int, size: int, rounds: int, lots: Random) -> Rounds:
    """As many rounds as are known in which no pair meets twice, at tables of one size."""
    tables = n // size
    if n % size or rounds < 1 or tables < 1:
        return []
    if tables < size:
        return [[list(range(table * size, (table + 1) * size)) for table in range(tables)]]
    known = max(_known(n, size), key=len, default=[])
    reach = min(rounds, tables)
    while reach > len(known) or (reach == rounds and reach > 0):
        found = best_connected(size, tables, reach, lots)
        if found:
            found += _within_classes(size, tables, rounds - len(found), lots)
            return found if len(found) >= min(len(known), rounds) else known[:rounds]
        reach -= 1
    return known[:rounds]


def _known(n: int, size: int) -> Iterator[Rounds]:
    if size == 4:
        yield affine_plane() if n == 16 else starter_rounds(n)


def _within_classes(size: int, tables: int, rounds: int, lots: Random) -> Rounds:
    """More rounds, in which every class plays among itself."""
    inner = without_repeats(tables, size, rounds, lots)
    return [
        [[c * tables + one for one in table] for c in range(size) for table in played]
        for played in inner
    ]
