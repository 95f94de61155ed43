"""Sitting out: who does not play where tables leave some over (tournaments.md 2.5)."""

from collections import Counter
from collections.abc import Collection, Sequence

from tournaments.movements.seating import RoundSeating, odd_tables

Order = Sequence[int]
"""Entrants in an order that lots, or the standings from below, decided."""


def sat_out(history: Sequence[RoundSeating]) -> Counter[int]:
    """Count how often everybody sat out."""
    return Counter(one for seating in history for one in seating.sit_outs)


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
    veterans = {one for seating in history for one in seating.entrants}
    least = min((counts[one] for one in veterans if one in there), default=0)
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
