"""Neighbours: whoever meets more than once sits differently each time (tournaments.md 2.4)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import exp
from random import Random
from typing import Final

from tournaments.movements.catalogue import Rounds
from tournaments.movements.certificate import seat_spread, seats_taken
from tournaments.movements.seating import RoundSeating

_SEAT: Final = 3
_LEFT, _ACROSS, _RIGHT = range(3)


def vary_seats(
    rounds: Rounds,
    history: Sequence[RoundSeating],
    kept: Mapping[int, int],
    lots: Random,
    moves: int = 30_000,
) -> Rounds:
    """Return the tables with seats exchanged so that pairs that meet again sit differently.

    What everybody has of each seat stays as level as it was; ``kept`` never change seats.
    """
    hall = _Hall(rounds, history)
    free = hall.where_pairs_return(kept)
    if not free:
        return rounds
    before = _spread(rounds, history)
    found = hall.exchange_seats(free, moves, lots)
    return found if _spread(found, history) <= max(before, 1) else rounds


def _spread(rounds: Rounds, history: Sequence[RoundSeating]) -> int:
    seatings = [*history, *(RoundSeating(tuple(map(tuple, tables))) for tables in rounds)]
    return seat_spread(seatings, seats_taken(seatings))


class _Hall:
    """Tables in seat order, how often everybody had a seat, and how often pairs sat how."""

    def __init__(self, rounds: Rounds, history: Sequence[RoundSeating]) -> None:
        self.tables = [list(table) for tables in rounds for table in tables]
        self.counts = [len(tables) for tables in rounds]
        self.had = seats_taken(history)
        self.sat: Counter[tuple[int, int, int]] = Counter()
        self.met: Counter[tuple[int, int]] = Counter()
        past = [list(table) for seating in history for table in seating.tables]
        for played in past:
            self.sat.update(sides(played))
        for table in self.tables:
            self.sat.update(sides(table))
            self.had.update((one, seat) for seat, one in enumerate(table))
        for table in (*past, *self.tables):
            self.met.update(combinations(sorted(table), 2))

    def where_pairs_return(self, kept: Mapping[int, int]) -> list[tuple[int, int, int]]:
        """Exchanges that can matter: a table where somebody meets again, and two of its seats."""
        return [
            (number, one, other)
            for number, table in enumerate(self.tables)
            if any(self.met[pair] > 1 for pair in combinations(sorted(table), 2))
            for one, other in combinations(range(len(table)), 2)
            if table[one] not in kept and table[other] not in kept
        ]

    def exchange_seats(
        self, free: Sequence[tuple[int, int, int]], moves: int, lots: Random
    ) -> Rounds:
        """Exchange seats by chance, ever more carefully."""
        for move in range(moves):
            number, one, other = free[int(lots.random() * len(free))]
            cost = self._exchange(number, one, other)
            heat = 6.0 * 0.05 ** (move / moves)
            if cost > 0 and lots.random() >= exp(-cost / heat):
                self._exchange(number, one, other)
        tables = iter(self.tables)
        return [[next(tables) for _ in range(count)] for count in self.counts]

    def _exchange(self, number: int, one: int, other: int) -> int:
        """Exchange two seats of a table; how much more that costs."""
        table = self.tables[number]
        cost = self._withdrawn(table, (one, other))
        table[one], table[other] = table[other], table[one]
        return cost + self._added_cost(table, (one, other))

    def _withdrawn(self, table: Sequence[int], seats: tuple[int, int]) -> int:
        cost = 0
        for side in sides(table):
            cost -= 2 * self.sat[side] - 1
            self.sat[side] -= 1
        for seat in seats:
            cost -= _SEAT * (2 * self.had[table[seat], seat] - 1)
            self.had[table[seat], seat] -= 1
        return cost

    def _added_cost(self, table: Sequence[int], seats: tuple[int, int]) -> int:
        cost = 0
        for side in sides(table):
            cost += 2 * self.sat[side] + 1
            self.sat[side] += 1
        for seat in seats:
            cost += _SEAT * (2 * self.had[table[seat], seat] + 1)
            self.had[table[seat], seat] += 1
        return cost


def sides(table: Sequence[int]) -> list[tuple[int, int, int]]:
    """For every pair of a table, the lower number first, on which side of them the other one is."""
    size = len(table)
    found = []
    for seat, one in enumerate(table):
        for away in range(1, size):
            other = table[(seat + away) % size]
            if one < other:
                side = _LEFT if away == 1 else _RIGHT if away == size - 1 else _ACROSS
                found.append((one, other, side))
    return found
