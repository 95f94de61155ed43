"""Simulated annealing: improve rounds by random swaps (tournaments.md 2.3).

How long is a number of moves, never a time, so that the same seed gives the same rounds on every
machine.
"""

from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final

from tournaments.movements.floor import BURDEN, NEVER, SwappableRounds

_STEPS: Final = 120
_TRIES: Final = 4


@dataclass(frozen=True, slots=True)
class Cooling:
    """The number of moves, and from which temperature to which (in meetings)."""

    moves: int
    hot: float = 0.9
    cold: float = 0.15


def anneal(floor: SwappableRounds, cooling: Cooling, lots: Random, target: int = 0) -> None:
    """Swap entrants until the moves are used up or the cost is at the target.

    The floor is left at the cheapest state that the end of a step saw.
    """
    turns = [number for number, movable in enumerate(floor.movable) if len(movable) > 1]
    if not turns or floor.cost <= target:
        return
    sweep = sum(len(floor.movable[number]) for number in turns) * _TRIES
    steps = min(_STEPS, max(1, cooling.moves // sweep))
    sweeps = max(1, cooling.moves // (sweep * steps))
    alike = not any(map(any, floor.odd)) and all(
        len(mates) == 3 for seated in floor.mates for mates in seated.values()
    )
    best, kept = floor.cost, floor.rounds()
    for step in range(steps):
        heat = cooling.hot * (cooling.cold / cooling.hot) ** (step / max(1, steps - 1))
        chances = [exp(-cost / heat) for cost in range(int(heat * 9) + 1)]
        for _ in range(sweeps):
            for number in turns:
                sweep_round = _sweep_fours if alike else _sweep_any
                sweep_round(floor, number, chances, lots)
                if floor.cost <= target:
                    return
        if floor.cost < best:
            best, kept = floor.cost, floor.rounds()
    if best < floor.cost:
        floor.restore(kept)


def _sweep_fours(floor: SwappableRounds, number: int, chances: list[float], lots: Random) -> None:
    """Let everybody of a round try a few swaps; all tables are of four, none is odd.

    The same as `_sweep_any`, written out: half of all planning is spent on these lines.
    """
    prices, mates, at, pool = (
        floor.prices,
        floor.mates[number],
        floor.at[number],
        floor.movable[number],
    )
    chance, many, dearest = lots.random, len(pool), len(chances)
    for one in pool:
        mine = prices[one]
        a, b, c = mates[one]
        base = 6 - mine[a] - mine[b] - mine[c]
        for _ in range(_TRIES):
            other = pool[int(chance() * many)]
            x, y, z = mates[other]
            his = prices[other]
            cost = (
                base
                + his[a]
                + his[b]
                + his[c]
                + mine[x]
                + mine[y]
                + mine[z]
                - his[x]
                - his[y]
                - his[z]
            )
            if cost > 0 and (cost >= dearest or chance() >= chances[cost]):
                continue
            if at[one] == at[other]:
                continue
            floor.swap(number, one, other)
            a, b, c = x, y, z
            base = 6 - mine[a] - mine[b] - mine[c]


def _sweep_any(floor: SwappableRounds, number: int, chances: list[float], lots: Random) -> None:
    """Let everybody of a round try a few swaps."""
    prices, mates, at, pool = (
        floor.prices,
        floor.mates[number],
        floor.at[number],
        floor.movable[number],
    )
    burdens, odd = floor.burdens, floor.odd[number]
    chance, many, dearest = lots.random, len(pool), len(chances)
    for one in pool:
        mine, with_me = prices[one], mates[one]
        base = sum([1 - mine[mate] for mate in with_me])
        for _ in range(_TRIES):
            other = pool[int(chance() * many)]
            if at[one] == at[other]:
                continue
            his, cost = prices[other], base
            for mate in with_me:
                cost += his[mate]
            for mate in mates[other]:
                cost += mine[mate] - his[mate] + 1
            if odd[at[one]] != odd[at[other]]:
                giver, taker = (one, other) if odd[at[one]] else (other, one)
                cost += BURDEN * (burdens[taker] - burdens[giver] + 1)
            if cost > 0 and (cost >= dearest or chance() >= chances[cost]):
                continue
            floor.swap(number, one, other)
            with_me = mates[one]
            base = sum([1 - mine[mate] for mate in with_me])


def mend(floor: SwappableRounds, moves: int, lots: Random, target: int = 0) -> None:
    """Let those who cost something swap with anybody as long as that helps.

    Where there is room enough this ends without a repeat, after far fewer moves than annealing.
    """
    while moves > 0 and floor.cost > target:
        before = floor.cost
        for number, movable in enumerate(floor.movable):
            for one in movable:
                prices = floor.prices[one]
                if any(prices[mate] > 1 for mate in floor.mates[number][one]):
                    moves -= _try_to_leave(floor, number, one, lots)
        if floor.cost == before:
            return


def _try_to_leave(floor: SwappableRounds, number: int, one: int, lots: Random) -> int:
    """Swap somebody for the better with one of some others by lot; how many were tried."""
    pool, at = floor.movable[number], floor.at[number]
    for tried in range(1, 25):
        other = pool[int(lots.random() * len(pool))]
        if at[one] != at[other] and floor.swap_cost(number, one, other) < 0:
            floor.swap(number, one, other)
            return tried
    return 24


def level(floor: SwappableRounds, target: int) -> None:
    """Swap entrants until nobody carries two burdens more than another with whom they could swap.

    ``target`` is the difference that may stay, 1 as a rule. Each swap is the cheapest there is;
    nobody comes to a table that they are to be kept from.
    """
    while (relief := _cheapest_relief(floor, target)) is not None:
        floor.swap(*relief)


def _cheapest_relief(floor: SwappableRounds, target: int) -> tuple[int, int, int] | None:
    burdens = floor.burdens
    ways = [
        (floor.swap_cost(number, giver, taker) + BURDEN * (burdens[giver] - burdens[taker]),
         number, giver, taker)
        for number, movable in enumerate(floor.movable)
        if any(floor.odd[number])
        for giver in movable
        if floor.odd[number][floor.at[number][giver]] and burdens[giver] > min(burdens) + target
        for taker in movable
        if not floor.odd[number][floor.at[number][taker]]
        and burdens[taker] < burdens[giver] - target
    ]  # fmt: skip
    bearable = [way for way in ways if way[0] < NEVER // 2]
    return min(bearable)[1:] if bearable else None
