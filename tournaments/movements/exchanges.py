"""Exchanges of seats along chains: the last unevenness of seats that were dealt out (2.4).

Whoever had a seat too often gives it to somebody at one of their tables for the seat that they
lack; who takes it may pass it on at another table, until it comes to somebody who lacks it.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournaments.movements.seating import LARGEST

Step = tuple[int, int]
"""A table, and who takes there the seat that is passed on."""


@dataclass(frozen=True, slots=True)
class TableArrangement:
    """Tables in seat order.

    ``had``: how often everybody has each seat, rounds that are played counted; ``smallest``: the
    size of their smallest table, none of whose seats they may lack; ``kept`` never change seats.
    """

    tables: list[list[int]]
    had: Counter[tuple[int, int]]
    smallest: Mapping[int, int]
    kept: Collection[int]

    def level(self) -> None:
        """Exchange seats until nobody's differ by two, where chains can do it."""
        tables: dict[int, list[int]] = {}
        for number, table in enumerate(self.tables):
            for one in table:
                tables.setdefault(one, []).append(number)
        for one in sorted(tables):
            while self._relieve(one, tables):
                pass

    def _relieve(self, one: int, tables: Mapping[int, Sequence[int]]) -> bool:
        counts = [self.had[one, seat] for seat in range(LARGEST)]
        for often, seldom in _uneven(counts, self.smallest[one]):
            chain = self._chain(one, often, seldom, tables)
            if chain:
                self._pass_on(one, often, seldom, chain)
                return True
        return False

    def _chain(
        self, giver: int, often: int, seldom: int, tables: Mapping[int, Sequence[int]]
    ) -> list[Step]:
        """The shortest chain to somebody for whom it is no loss, or none."""
        came: dict[int, tuple[int, int]] = {giver: (-1, -1)}
        queue = [giver]
        for one in queue:
            for number, taker in self._partners(one, often, seldom, tables[one]):
                if taker in came:
                    continue
                came[taker] = (number, one)
                if self.had[taker, often] < self.had[taker, seldom]:
                    return _back(came, taker)
                queue.append(taker)
        return []

    def _partners(
        self, one: int, often: int, seldom: int, tables: Sequence[int]
    ) -> Iterator[tuple[int, int]]:
        for number in tables:
            table = self.tables[number]
            if len(table) > max(often, seldom) and table[often] == one:
                taker = table[seldom]
                if taker not in self.kept and one not in self.kept:
                    yield number, taker

    def _pass_on(self, giver: int, often: int, seldom: int, chain: Sequence[Step]) -> None:
        for number, taker in chain:
            table = self.tables[number]
            table[often], table[seldom] = table[seldom], table[often]
            self.had.update({(taker, often): 1, (taker, seldom): -1})
            self.had.update({(giver, often): -1, (giver, seldom): 1})
            giver = taker


def _uneven(counts: Sequence[int], seats: int) -> list[tuple[int, int]]:
    """Pairs of seats of which one was had two times more, the worst first.

    Those that were had less are among the first ``seats``, which all their tables have.
    """
    pairs = [
        (counts[seldom] - counts[often], often, seldom)
        for often in range(len(counts))
        for seldom in range(seats)
        if counts[often] - counts[seldom] > 1
    ]
    return [(often, seldom) for _, often, seldom in sorted(pairs)]


def _back(came: Mapping[int, tuple[int, int]], end: int) -> list[Step]:
    chain = []
    while came[end][0] >= 0:
        number, before = came[end]
        chain.append((number, end))
        end = before
    return chain[::-1]
