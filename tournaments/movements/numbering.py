"""Table numbers: everybody walks around the room, and never to a table they cannot use (2.4)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp
from random import Random
from typing import Final

from engine.core.messages import Message
from tournaments.movements.catalogue import Rounds
from tournaments.movements.orders import draw_order
from tournaments.movements.seating import RoundSeating, SeatingError

_HOT: Final = 0.8
_FEW_TABLES: Final = 200
"""In larger halls chance spoils more than it opens up; there only what is better is taken."""
_LOOKED_AT: Final = 12
Banned = Mapping[int, Collection[int]]
"""By entrant, the numbers of the tables that they never sit at."""


@dataclass(frozen=True, slots=True)
class NumberingLimits:
    """Tables that stay where they are, seats that are barred, and the number of moves."""

    kept: Collection[int] = ()
    banned: Banned = field(default_factory=dict)
    moves: int = 60_000


def number_tables(
    rounds: Rounds, history: Sequence[RoundSeating], limits: NumberingLimits, lots: Random
) -> Rounds:
    """Return the tables in an order in which nobody comes to one table again, as far as can be.

    Raises SeatingError where the tables of a round cannot all be put where their players may sit.
    """
    room = _Room(rounds, history)
    for number, tables in enumerate(rounds):
        fixed = [
            table for table, sat in enumerate(tables) if any(one in limits.kept for one in sat)
        ]
        room.place(number, fixed, limits.banned, lots)
    room.walk(limits.moves, lots)
    return room.tables


class _Room:
    """Tables and numbers, with how often everybody was at each."""

    def __init__(self, rounds: Rounds, history: Sequence[RoundSeating]) -> None:
        self.rounds = rounds
        self.tables: Rounds = []
        self.free: list[list[int]] = []
        self.barred: list[dict[int, set[int]]] = []
        self.visits: dict[tuple[int, int], int] = {}
        for seating in history:
            for number, table in enumerate(seating.tables):
                self._visit(table, number, 1)

    def _visit(self, table: Sequence[int], number: int, times: int) -> None:
        for one in table:
            self.visits[one, number] = self.visits.get((one, number), 0) + times

    def _been(self, table: Sequence[int], number: int) -> int:
        visits = self.visits
        return sum([visits.get((one, number), 0) for one in table])

    def place(self, number: int, fixed: Sequence[int], banned: Banned, lots: Random) -> None:
        """Find numbers for the tables of a round."""
        tables = self.rounds[number]
        barred = {
            table: set().union(*(banned.get(one, ()) for one in sat))
            for table, sat in enumerate(tables)
        }
        free = [table for table in range(len(tables)) if table not in fixed]
        found = {table: table for table in fixed}
        found |= self._match_numbers(tables, draw_order(free, lots), barred, lots)
        if len(found) < len(tables):
            stuck = [one for table in free if table not in found for one in tables[table]]
            words = Message(
                "The tables cannot be numbered so that nobody sits where they never do."
            )
            raise SeatingError(words, sorted(one for one in stuck if one in banned), number)
        placed: list[list[int]] = [[] for _ in tables]
        for table, at in found.items():
            placed[at] = tables[table]
            self._visit(tables[table], at, 1)
        self.tables.append(placed)
        self.free.append(free)
        self.barred.append({found[table]: barred[table] for table in free})

    def _match_numbers(
        self, tables: Sequence[Sequence[int]], free: Sequence[int], barred: Mapping[int, set[int]],
        lots: Random,
    ) -> dict[int, int]:  # fmt: skip
        """Numbers for free tables, as many as there are for them."""
        numbers = draw_order(free, lots)
        taken: dict[int, int] = {}
        for table in free:
            spare = [at for at in numbers if at not in taken and at not in barred[table]]
            if spare:
                taken[min(spare[:_LOOKED_AT], key=lambda at: self._been(tables[table], at))] = table
            else:
                make_room(table, numbers, taken, barred, set())
        return {table: at for at, table in taken.items()}

    def walk(self, moves: int, lots: Random) -> None:
        """Exchange numbers within rounds, by chance first and then for the better only."""
        turns = [number for number, free in enumerate(self.free) if len(free) > 1]
        been = sum(count * (count - 1) // 2 for count in self.visits.values())
        heat_helps = sum(map(len, self.free)) <= _FEW_TABLES
        for move in range(moves if turns else 0):
            if not been:
                return
            number = turns[int(lots.random() * len(turns))]
            free = self.free[number]
            one, other = (free[int(lots.random() * len(free))] for _ in range(2))
            if one == other or not self._may(number, one, other):
                continue
            cost = self._cost(self.tables[number], one, other)
            heat = _HOT * 0.1 ** (move / moves)
            if cost <= 0 or (heat_helps and lots.random() < exp(-cost / heat)):
                self._exchange(number, one, other)
                been += cost

    def _may(self, number: int, one: int, other: int) -> bool:
        barred = self.barred[number]
        return other not in barred[one] and one not in barred[other]

    def _cost(self, tables: Sequence[Sequence[int]], one: int, other: int) -> int:
        mine, his = tables[one], tables[other]
        gone = self._been(mine, one) + self._been(his, other) - len(mine) - len(his)
        return self._been(mine, other) + self._been(his, one) - gone

    def _exchange(self, number: int, one: int, other: int) -> None:
        tables, barred = self.tables[number], self.barred[number]
        for table, old, new in ((tables[one], one, other), (tables[other], other, one)):
            self._visit(table, old, -1)
            self._visit(table, new, 1)
        tables[one], tables[other] = tables[other], tables[one]
        barred[one], barred[other] = barred[other], barred[one]


def make_room(
    table: int,
    numbers: Sequence[int],
    taken: dict[int, int],
    barred: Mapping[int, set[int]],
    seen: set[int],
) -> bool:
    """Give a table a number, moving others to other numbers where need be."""
    for at in numbers:
        if at not in seen and at not in barred[table]:
            seen.add(at)
            if at not in taken or make_room(taken[at], numbers, taken, barred, seen):
                taken[at] = table
                return True
    return False
