"""Swiss rounds: neighbours in the standings, without repeats as long as that can be (2.7).

What a table costs is the distance in the standings of every pair of it, and more for pairs that
met; all tables of a round are chosen together. Annealing finds what an exact search finds wherever
that is feasible.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import exp
from random import Random
from typing import Final

from tournaments.movements.orders import Tables

_MOVES: Final = 120_000
_FEW: Final = 24
_MANY: Final = 100
_SHARES: Final = 720
"""The first table's weight where the top comes first; the n-th one has an n-th of it."""
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """The basis of a Swiss round: earlier meetings, what wishes add, and what a repeat costs.

    Pairs have the lower entrant first. ``repeat``: None for twice the number of players, so that
    repeats come only where there is no other way.
    """

    met: Mapping[Pair, int]
    extra: Mapping[Pair, int]
    repeat: int | None = None
    top_first: bool = False


def pair_costs(order: Sequence[int], pairing: Pairing) -> list[list[int]]:
    """Return the cost of letting the players of two places of an order sit together."""
    many = len(order)
    repeat = 2 * many if pairing.repeat is None else pairing.repeat
    costs = [[abs(one - other) for other in range(many)] for one in range(many)]
    places = {one: place for place, one in enumerate(order)}
    for pairs, dear in ((pairing.met, repeat), (pairing.extra, 0)):
        for (one, other), count in pairs.items():
            if one in places and other in places:
                mine, his = places[one], places[other]
                more = dear * count * (count + 1) // 2 if dear else count * max(many, 1)
                costs[mine][his] += more
                costs[his][mine] += more
    return costs


def swiss(order: Sequence[int], sizes: Sequence[int], pairing: Pairing, lots: Random) -> Tables:
    """The cheapest tables found for an order of players, those of the best first."""
    costs = pair_costs(order, pairing)
    weights = [_SHARES // (1 + at) if pairing.top_first else 1 for at in range(len(sizes))]
    found = [_anneal_tables(costs, sizes, weights, lots) for _ in range(_starts(order))]
    best = min(found, key=lambda tables: cost_of(tables, costs, weights))
    ranked = [sorted(table) for table in best]
    if not pairing.top_first:
        ranked.sort(key=lambda table: (sum(table) * 60 // len(table), table))
    return [[order[place] for place in table] for table in ranked]


def _starts(order: Sequence[int]) -> int:
    """Return the number of searches that share the moves: a small field has more dead ends."""
    return 12 if len(order) <= _FEW else 3 if len(order) <= _MANY else 1


def cost_of(
    tables: Sequence[Sequence[int]], costs: Sequence[Sequence[int]], weights: Sequence[int]
) -> int:
    """Return the cost of tables of places together."""
    return sum(
        weight * costs[one][other]
        for table, weight in zip(tables, weights, strict=True)
        for one in table
        for other in table
        if one < other
    )


def _anneal_tables(
    costs: Sequence[Sequence[int]], sizes: Sequence[int], weights: Sequence[int], lots: Random
) -> Tables:
    """Swap players of two tables, mostly of adjacent ones, ever more carefully."""
    tables: Tables = []
    begin = 0
    for size in sizes:
        tables.append(list(range(begin, begin + size)))
        begin += size
    if len(tables) < 2:
        return tables
    chance = lots.random
    hottest = heat = begin * max(weights)
    for move in range(_MOVES // _starts(range(begin))):
        if move % 256 == 0:
            heat = max(hottest * (0.3 / begin) ** (move * _starts(range(begin)) / _MOVES), 0.3)
        one = int(chance() * len(tables))
        other = _partner(one, len(tables), chance() < 0.7, chance())
        if other == one:
            continue
        mine, his = tables[one], tables[other]
        at, to = int(chance() * len(mine)), int(chance() * len(his))
        cost = _swap_cost(costs, (mine, at, weights[one]), (his, to, weights[other]))
        if cost <= 0 or (cost < 9 * heat and chance() < exp(-cost / heat)):
            mine[at], his[to] = his[to], mine[at]
    _polish(tables, costs, weights)
    return tables


def _partner(one: int, many: int, is_near: bool, chance: float) -> int:  # noqa: FBT001 (in the innermost loop)
    if not is_near:
        return int(chance * many)
    return min(max(one + (1 if chance < 0.5 else -1), 0), many - 1)


Side = tuple[list[int], int, int]
"""A table, a seat of it, and its weight."""


def _swap_cost(costs: Sequence[Sequence[int]], mine: Side, his: Side) -> int:
    (table, at, weight), (other, to, share) = mine, his
    leaver, comer = costs[table[at]], costs[other[to]]
    cost = 0
    for seat, one in enumerate(table):
        if seat != at:
            cost += weight * (comer[one] - leaver[one])
    for seat, one in enumerate(other):
        if seat != to:
            cost += share * (leaver[one] - comer[one])
    return cost


def _polish(tables: Tables, costs: Sequence[Sequence[int]], weights: Sequence[int]) -> None:
    """Swap for the better until nothing is better: between adjacent tables, or all of a few."""
    reach = len(tables) if sum(map(len, tables)) <= _FEW else 2
    pairs = [
        (one, other)
        for one in range(len(tables))
        for other in range(one + 1, min(one + reach, len(tables)))
    ]
    while sum(_improve_tables(tables, costs, weights, pair) for pair in pairs):
        pass


def _improve_tables(
    tables: Tables, costs: Sequence[Sequence[int]], weights: Sequence[int], pair: Pair
) -> bool:
    one, other = pair
    mine, his = tables[one], tables[other]
    better = False
    for at, to in product(range(len(mine)), range(len(his))):
        if _swap_cost(costs, (mine, at, weights[one]), (his, to, weights[other])) < 0:
            mine[at], his[to] = his[to], mine[at]
            better = True
    return better
