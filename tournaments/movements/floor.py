"""The floor of a hall: who sits with whom in the rounds that are being planned.

Every pair has a price, what it costs to let it meet once more: the number of its meetings so far,
and what wishes add to it. The rounds together cost Q (tournaments.md 2.1) and those extras. Whoever
sits at an odd table carries a burden, and burdens are levelled the same way: the next one of who
has carried b costs b times `BURDEN`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tournaments.movements.catalogue import Rounds

BURDEN: Final = 6
NEVER: Final = 1000
"""What is added to the price of a pair that is never to share a table."""

Prices = list[list[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementCosts:
    """Given facts before a place is chosen: prices, burdens so far, odd tables, who stays put.

    ``odd`` tells of every table of every round whether it is a burden; ``kept``: entrants whose
    table is fixed, wherever they are put first.
    """

    prices: Prices
    burdens: Sequence[int]
    odd: Sequence[Sequence[bool]]
    kept: frozenset[int] = frozenset()


class SwappableRounds:
    """Rounds whose entrants can swap places, with what they cost.

    ``mates[t][i]`` are those who sit with i in round t (in no order), ``at[t][i]`` their table.
    """

    def __init__(self, rounds: Rounds, given: PlacementCosts) -> None:
        self.prices = [list(row) for row in given.prices]
        self.burdens = list(given.burdens)
        self.odd = given.odd
        self.mates: list[dict[int, tuple[int, ...]]] = []
        self.at: list[dict[int, int]] = []
        self.movable: list[list[int]] = []
        self.cost = 0
        for number, tables in enumerate(rounds):
            self._seat(number, tables, given.kept)

    def _seat(self, number: int, tables: Sequence[Sequence[int]], kept: frozenset[int]) -> None:
        self.at.append({one: table for table, sat in enumerate(tables) for one in sat})
        mates = {one: tuple(x for x in sat if x != one) for sat in tables for one in sat}
        self.mates.append(mates)
        self.movable.append(sorted(mate for mate in mates if mate not in kept))
        for sat in tables:
            for one, other in combinations(sat, 2):
                self.cost += self.prices[one][other]
                self.prices[one][other] += 1
                self.prices[other][one] += 1
        for table, sat in enumerate(tables):
            if self.odd[number][table]:
                for one in sat:
                    self.cost += BURDEN * self.burdens[one]
                    self.burdens[one] += 1

    def rounds(self) -> Rounds:
        """The tables as they are."""
        found: Rounds = []
        for at, odd in zip(self.at, self.odd, strict=True):
            tables: list[list[int]] = [[] for _ in odd]
            for one, table in sorted(at.items()):
                tables[table].append(one)
            found.append(tables)
        return found

    def most_meetings(self) -> int:
        """The most that two meet, or what wishes let it cost."""
        return max(
            (
                self.prices[one][mate]
                for mates in self.mates
                for one in mates
                for mate in mates[one]
            ),
            default=0,
        )

    def swap_cost(self, number: int, one: int, other: int) -> int:
        """Return the extra cost if two change places, who sit at different tables of a round."""
        mates, at, odd = self.mates[number], self.at[number], self.odd[number]
        mine, his = self.prices[one], self.prices[other]
        cost = len(mates[one]) + len(mates[other])
        for mate in mates[one]:
            cost += his[mate] - mine[mate]
        for mate in mates[other]:
            cost += mine[mate] - his[mate]
        if odd[at[one]] != odd[at[other]]:
            giver, taker = (one, other) if odd[at[one]] else (other, one)
            cost += BURDEN * (self.burdens[taker] - self.burdens[giver] + 1)
        return cost

    def swap(self, number: int, one: int, other: int) -> None:
        """Let two change places, who sit at different tables of a round."""
        mates, at = self.mates[number], self.at[number]
        self.cost += self.swap_cost(number, one, other)
        for leaver, comer in ((one, other), (other, one)):
            prices, his = self.prices[leaver], self.prices[comer]
            for mate in mates[leaver]:
                prices[mate] -= 1
                self.prices[mate][leaver] -= 1
                his[mate] += 1
                self.prices[mate][comer] += 1
                mates[mate] = tuple([comer if x == leaver else x for x in mates[mate]])
        mates[one], mates[other] = mates[other], mates[one]
        at[one], at[other] = at[other], at[one]
        if self.odd[number][at[one]] != self.odd[number][at[other]]:
            giver, taker = (other, one) if self.odd[number][at[one]] else (one, other)
            self.burdens[giver] -= 1
            self.burdens[taker] += 1

    def restore(self, rounds: Rounds) -> None:
        """Bring back tables that there were, by swaps."""
        for number, tables in enumerate(rounds):
            at = self.at[number]
            for table, sat in enumerate(tables):
                here = {one for one, place in at.items() if place == table}
                leavers = sorted(here - set(sat))
                for comer, leaver in zip(sorted(set(sat) - here), leavers, strict=True):
                    self.swap(number, comer, leaver)


def fit_groups(
    groups: Sequence[Sequence[int]], sizes: Sequence[int], others: Iterable[int]
) -> list[list[int]]:
    """Tables of these sizes that are as near to some groups as can be; others fill them up.

    Groups that are too large give up their last ones.
    """
    order = sorted(range(len(sizes)), key=lambda table: -sizes[table])
    ranked = sorted(groups, key=len, reverse=True)[: len(sizes)]
    spare = [
        *others,
        *(one for group in sorted(groups, key=len, reverse=True)[len(sizes) :] for one in group),
    ]
    tables: list[list[int]] = [[] for _ in sizes]
    for table, group in zip(order, ranked, strict=False):
        tables[table] = list(group[: sizes[table]])
        spare.extend(group[sizes[table] :])
    for table, size in enumerate(sizes):
        while len(tables[table]) < size:
            tables[table].append(spare.pop())
    return tables


def blank_prices(n: int, weights: Mapping[tuple[int, int], int]) -> Prices:
    """The prices before anybody has met, with what wishes add to some pairs."""
    prices = [[0] * n for _ in range(n)]
    for (one, other), weight in weights.items():
        prices[one][other] += weight
        prices[other][one] += weight
    return prices
