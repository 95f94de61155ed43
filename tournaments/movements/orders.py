"""Orders by lot, and tables straight from an order: by standings, in a snake, on a ladder (2.7).

Lots are decided by a seed: the same ones on every machine and version.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from random import Random

from tournaments.movements.seating import RoundSeating, odd_tables

Tables = list[list[int]]


def draw_order(entrants: Iterable[int], lots: Random) -> list[int]:
    """Some entrants in an order by lot."""
    keyed = [(lots.random(), entrant) for entrant in entrants]
    return [one for _, one in sorted(keyed)]


def lots_of(seed: int | str) -> Random:
    """The lots of a seed."""
    return Random(str(seed))  # noqa: S311 (who has the seed is to draw the same)


def arrange_odd_sizes(
    order: Sequence[int], sizes: Sequence[int], burdens: Mapping[int, int]
) -> list[int]:
    """The sizes in such an order that odd tables fall to those who had fewest of them.

    The tables are cut from the order one after the other. Where nobody is better off, the odd ones
    come last.
    """
    usual = [size for size, odd in zip(sizes, odd_tables(sizes), strict=True) if not odd]
    odd = tuple(sorted(size for size, odd in zip(sizes, odd_tables(sizes), strict=True) if odd))
    if not odd or not usual:
        return list(sizes)
    loads = [0]
    for one in order:
        loads.append(loads[-1] + burdens.get(one, 0))

    @cache
    def best(many: int, rest: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """Return the cost of the last tables, and their sizes: so many usual ones, and odd ones."""
        at = sum(sizes) - many * usual[0] - sum(rest)
        ways = []
        if many:
            cost, found = best(many - 1, rest)
            ways.append((cost, (usual[0], *found)))
        for number, size in enumerate(rest):
            if rest.index(size) == number:
                cost, found = best(many, rest[:number] + rest[number + 1 :])
                ways.append((cost + loads[at + size] - loads[at], (size, *found)))
        return min(ways, key=lambda way: way[0], default=(0, ()))

    return list(best(len(usual), odd)[1])


def in_steps(order: Sequence[int], sizes: Sequence[int], step: int) -> Tables:
    """Deal the order out to so many tables at a time: step 1 is 1-2-3-4, 5-6-7-8, ...

    >>> in_steps(range(8), (4, 4), 2)
    [[0, 2, 4, 6], [1, 3, 5, 7]]
    """
    tables: Tables = []
    rest = iter(order)
    for begin in range(0, len(sizes), step):
        block = sizes[begin : begin + step]
        dealt: Tables = [[] for _ in block]
        for turn in range(max(block)):
            for table, size in zip(dealt, block, strict=True):
                if turn < size:
                    table.append(next(rest))
        tables += dealt
    return tables


def snake(order: Sequence[int], sizes: Sequence[int]) -> Tables:
    """Deal the order out to all tables, there and back again: 1-8-9-16, 2-7-10-15, ...

    >>> snake(range(1, 17), (4, 4, 4, 4))
    [[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]]
    """
    tables: Tables = [[] for _ in sizes]
    rest = iter(order)
    for turn in range(max(sizes, default=0)):
        there = [table for table, size in enumerate(sizes) if turn < size]
        for table in there if turn % 2 == 0 else reversed(there):
            tables[table].append(next(rest))
    return tables


def climb_ladder(last: RoundSeating, results: Sequence[int], seated: Sequence[int]) -> list[int]:
    """The order after a round on the ladder: the best of a table goes up one, the last one down.

    ``results`` have the best of each table before the others. Who did not play comes in last.
    """
    place = {one: number for number, one in enumerate(results)}
    here = set(seated)
    ranked = [
        sorted((one for one in table if one in here), key=lambda one: place.get(one, len(place)))
        for table in last.tables
    ]
    tables: Tables = [[] for _ in ranked]
    for number, table in enumerate(ranked):
        for rank, one in enumerate(table):
            up = rank == 0 and number > 0
            down = 0 < rank == len(table) - 1 and number < len(ranked) - 1
            tables[number - up + down].append(one)
    climbing = list(chain.from_iterable(tables))
    return climbing + [one for one in seated if one not in set(climbing)]


def kept_together(last: RoundSeating, sizes: Sequence[int], seated: Sequence[int]) -> Tables:
    """The tables of the last round again, as far as who is there lets them."""
    here = set(seated)
    groups = [[one for one in table if one in here] for table in last.tables]
    known = set(chain.from_iterable(groups))
    others = [one for one in seated if one not in known]
    if not others and sorted(map(len, groups)) == sorted(sizes):
        return groups
    groups.sort(key=len, reverse=True)
    spare = [*others, *chain.from_iterable(groups[len(sizes) :])]
    tables: Tables = []
    for size, group in zip(sorted(sizes, reverse=True), groups, strict=False):
        tables.append(group[:size])
        spare += group[size:]
    tables += [[] for _ in sizes[len(tables) :]]
    for table, size in zip(tables, sorted(sizes, reverse=True), strict=True):
        while len(table) < size:
            table.append(spare.pop(0))
    return tables
