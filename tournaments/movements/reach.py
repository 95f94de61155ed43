"""Reach: how many rounds there are without a repeat meeting."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from tournaments.movements.bounds import lower_bound
from tournaments.movements.lots import lots_of
from tournaments.movements.rainbow import without_repeats
from tournaments.movements.searching import Search, searched
from tournaments.movements.sizes import ALLOWED, sizes
from tournaments.movements.wishes import Wishes

_MOST: Final = 16
_MOVES: Final = 60_000


@dataclass(frozen=True, slots=True)
class Reach:
    """``rounds`` without a repeat are known; more than ``at_most`` there cannot be.

    Neither says anything beyond the number of rounds that was asked for.
    """

    rounds: int
    at_most: int

    @property
    def sentence(self) -> str:
        """What a director reads."""
        words = f"You can play up to {self.rounds} round{'' if self.rounds == 1 else 's'}"
        proved = " (more are impossible)" if self.rounds == self.at_most else ""
        return f"{words} without a repeat meeting{proved}."


def repeat_free_rounds(
    n: int, allowed: Collection[int] = ALLOWED, *, byes: bool | None = None, most: int = _MOST
) -> Reach:
    """How many of up to ``most`` rounds bring nobody together twice. Raises SeatingError.

    >>> repeat_free_rounds(16).sentence
    'You can play up to 5 rounds without a repeat meeting (more are impossible).'
    """
    cut = sizes(n, allowed, byes=byes)
    shape = (tuple(sorted(cut)), n - sum(cut))
    at_most = next((r for r in range(most) if lower_bound([shape] * (r + 1), n)), most)
    known = 1
    if len(set(cut)) == 1 and not shape[1]:
        known = max(1, len(without_repeats(n, cut[0], at_most, lots_of(0))))
    low, high = min(known, at_most), at_most
    while low < high:
        middle = (low + high + 1) // 2
        if _is_free(n, middle, Wishes(allowed=tuple(allowed), byes=byes)):
            low = middle
        else:
            high = middle - 1
    return Reach(low, at_most)


def _is_free(n: int, rounds: int, wishes: Wishes) -> bool:
    search = Search(n, wishes, (), [range(n)] * rounds, moves=_MOVES)
    met: set[tuple[int, int]] = set()
    for tables in searched(search, lots_of(0)):
        for table in tables:
            pairs = {(one, other) for one in table for other in table if one < other}
            if pairs & met:
                return False
            met |= pairs
    return True
