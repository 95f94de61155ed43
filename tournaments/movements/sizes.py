"""Numbers and sizes of tables, and who sits out where they leave some over (tournaments.md 2.5)."""

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from engine.core.messages import Message, join_with_or
from tournaments.movements.seating import (
    ENTRANTS_MAX,
    LARGEST,
    SMALLEST,
    RoundSeating,
    SeatingError,
    odd_tables,
)

ALLOWED: Final = (3, 4, 5)
_COSTS: Final = {4: 0, 3: 100, 5: 110, 6: 400}
_SITTING_OUT: Final = 1000
_TOO_FEW: Final = {
    0: Message("There is nobody to seat."),
    1: Message("One player cannot make a table."),
    2: Message("Two players cannot make a table."),
}
Order = Sequence[int]
"""Entrants in an order that lots, or the standings from below, decided."""


def sizes(
    n: int, allowed: Collection[int] = ALLOWED, *, byes: bool | None = None
) -> tuple[int, ...]:
    """The sizes of the tables for so many; whoever they leave over sits out.

    ``byes``: whether anybody may sit out; by default only where one size alone is allowed. Tables
    of four come first. Raises SeatingError.

    >>> sizes(10), sizes(17), sizes(6, (4,))
    ((4, 3, 3), (4, 4, 4, 5), (4,))
    """
    sorts = tuple(sorted(set(allowed), key=lambda size: (_COSTS.get(size, 0), size)))
    if not sorts or not all(SMALLEST <= size <= LARGEST for size in sorts):
        raise SeatingError(
            Message(
                "Tables have {smallest} to {largest} seats.", smallest=SMALLEST, largest=LARGEST
            )
        )
    if n > ENTRANTS_MAX:
        raise SeatingError(
            Message(
                "At most {most} players can be seated at once.",
                most=ENTRANTS_MAX,
            )
        )
    if n < SMALLEST:
        raise SeatingError(_TOO_FEW[max(n, 0)])
    if n < min(sorts):
        raise SeatingError(
            Message("{n} players cannot make a table of {size}.", n=n, size=min(sorts))
        )
    found = _cheapest(n, sorts, len(sorts) == 1 if byes is None else byes)
    if found is None:
        raise SeatingError(
            Message(
                "{n} players cannot be seated at tables of {sizes} without sit-outs.",
                n=n,
                sizes=Message("{size} alone", size=min(sorts))
                if len(sorts) == 1
                else join_with_or(list(map(str, sorted(sorts)))),
            )
        )
    return found


@lru_cache(maxsize=256)
def _cheapest(n: int, sorts: tuple[int, ...], byes: bool) -> tuple[int, ...] | None:  # noqa: FBT001 (in the module, and memoised by place)
    """The cheapest way to divide so many, or None; at least one table is set."""
    best: list[tuple[int, tuple[int, ...]] | None] = [(0, ())]
    for players in range(1, n + 1):
        ways = []
        for size in sorts:
            rest = best[players - size] if players >= size else None
            if rest is not None:
                ways.append((rest[0] + _COSTS[size], (*rest[1], size)))
        rest = best[players - 1]
        if byes and rest is not None:
            ways.append((rest[0] + _SITTING_OUT, rest[1]))
        best.append(min(ways, key=lambda way: (way[0], len(way[1]))) if ways else None)
    found = best[n]
    return tuple(sorted(found[1], key=sorts.index)) if found is not None else None


def sat_out(history: Sequence[RoundSeating]) -> Counter[int]:
    """Count how often everybody sat out."""
    return Counter(sit_out for seating in history for sit_out in seating.sit_outs)


def odd_games(history: Sequence[RoundSeating]) -> Counter[int]:
    """Count how often everybody sat at an odd table."""
    games: Counter[int] = Counter()
    for seating in history:
        for table, odd in zip(seating.tables, odd_tables(seating.sizes), strict=True):
            if odd:
                games.update(table)
    return games


def with_latecomers(
    counts: Counter[int], history: Sequence[RoundSeating], there: Collection[int]
) -> Counter[int]:
    """The counts of those who are there; who comes late counts as the luckiest so far.

    They owe nothing for the rounds that they missed.
    """
    veterans = {entrant for seating in history for entrant in seating.entrants}
    least = min((counts[veteran] for veteran in veterans if veteran in there), default=0)
    return Counter({one: counts[one] if one in veterans else least for one in there})


def choose(
    many: int, there: Order, history: Sequence[RoundSeating], volunteers: Sequence[int] = ()
) -> tuple[int, ...]:
    """Choose who sits out: volunteers, then who did so least, then who had fewest odd tables.

    Nobody twice running if there are eight or more; what is left is decided by the order given.
    """
    if not many:
        return ()
    outs = with_latecomers(sat_out(history), history, there)
    odd = with_latecomers(odd_games(history), history, there)
    last = set(history[-1].sit_outs) if history and len(there) >= 8 else set()
    willing = {one: place for place, one in enumerate(volunteers)}

    def turn(one: int) -> tuple[int, bool, int, int]:
        return willing.get(one, len(willing)), one in last, outs[one], odd[one]

    return tuple(sorted(sorted(there, key=turn)[:many]))
