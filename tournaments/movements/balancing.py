"""Balance the meetings of opposing teams over the rounds (tournaments.md 2.3).

The rounds are good already. Swaps that cost the players nothing, or next to it, bring the meetings
of teams together: what they cost is the sum over pairs of teams of C(meetings, 2).
"""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Final

from tournaments.movements.floor import SwappableRounds

_MOVES: Final = 80_000
_PLAYERS: Final = 8
"""How many times the meetings of players outweigh those of teams."""


def balance_teams(floor: SwappableRounds, teams: Sequence[Sequence[int]], lots: Random) -> None:
    """Level the meetings of teams; the floor costs no more afterwards than before."""
    league = _League(floor, teams)
    turns = [number for number, movable in enumerate(floor.movable) if len(movable) > 1]
    ceiling, best, kept = floor.cost, league.cost, floor.rounds()
    for move in range(_MOVES if turns and len(teams) > 1 else 0):
        number = turns[int(lots.random() * len(turns))]
        pool = floor.movable[number]
        one, other = (pool[int(lots.random() * len(pool))] for _ in range(2))
        if not league.differ(one, other) or floor.at[number][one] == floor.at[number][other]:
            continue
        dearer = floor.swap_cost(number, one, other) * _PLAYERS
        heat = 4.0 * 0.1 ** (move / _MOVES)
        limit = 9 * heat
        if dearer > limit + 40:
            continue
        change = league.swap(number, one, other)
        cost = dearer + change
        if cost > 0 and (cost > limit or lots.random() >= exp(-cost / heat)):
            league.swap_back(number, one, other)
            continue
        floor.swap(number, one, other)
        if floor.cost <= ceiling and league.cost < best:
            best, kept = league.cost, floor.rounds()
    floor.restore(kept)


class _League:
    """The number of meetings of every two teams."""

    def __init__(self, floor: SwappableRounds, teams: Sequence[Sequence[int]]) -> None:
        self.floor = floor
        self.team = {member: number for number, members in enumerate(teams) for member in members}
        self.met = [[0] * len(teams) for _ in teams]
        self.cost = 0
        for mates in floor.mates:
            for one, sat in mates.items():
                for other in sat:
                    if one < other:
                        self._meet(one, other, 1)

    def differ(self, one: int, other: int) -> bool:
        """Whether a swap of these changes anything for teams."""
        return self.team.get(one) != self.team.get(other)

    def _meet(self, one: int, other: int, times: int) -> None:
        mine, his = self.team.get(one), self.team.get(other)
        if mine is None or his is None or mine == his:
            return
        self.cost += self.met[mine][his] if times > 0 else 1 - self.met[mine][his]
        self.met[mine][his] += times
        self.met[his][mine] += times

    def swap(self, number: int, one: int, other: int) -> int:
        """Count as if the two had swapped, who have not yet; how much more it costs."""
        before = self.cost
        self._exchange(number, one, other, 1)
        return self.cost - before

    def swap_back(self, number: int, one: int, other: int) -> None:
        """Count as before."""
        self._exchange(number, one, other, -1)

    def _exchange(self, number: int, one: int, other: int, sign: int) -> None:
        mates = self.floor.mates[number]
        for leaver, comer in ((one, other), (other, one)):
            for mate in mates[leaver]:
                self._meet(leaver, mate, -sign)
                self._meet(comer, mate, sign)
