"""The number of rounds without a repeat meeting."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from engine.core.messages import PluralMessage
from tournaments.movements.bounds import common, lower_bound
from tournaments.movements.mixed import count_mixed_rounds
from tournaments.movements.rainbow import known_rounds
from tournaments.movements.seating import ROUNDS_MAX, Shape
from tournaments.movements.sizes import ALLOWED, sizes

_ROUNDS_MAX: Final[Mapping[Shape, int]] = {((3, 3, 3, 3), 0): 4}
"""Where fewer rounds are possible than the bounds say: there is no nearly Kirkman system of 12
(A. Kotzig and A. Rosa 1974)."""


@dataclass(frozen=True, slots=True)
class RepeatFreeReach:
    """``rounds`` without a repeat are known; more than ``at_most`` there cannot be.

    Neither says anything beyond the number of rounds that was asked for.
    """

    rounds: int
    at_most: int

    @property
    def sentence(self) -> str:
        """Return a sentence for a director."""
        if self.rounds == self.at_most:
            return PluralMessage(
                "You can play up to {count} round without a repeat meeting (more are impossible).",
                "You can play up to {count} rounds without a repeat meeting (more are impossible).",
                count=self.rounds,
            )
        return PluralMessage(
            "You can play up to {count} round without a repeat meeting (more are not built in,"
            " and more than {most} are impossible).",
            "You can play up to {count} rounds without a repeat meeting (more are not built in,"
            " and more than {most} are impossible).",
            count=self.rounds,
            most=self.at_most,
        )


def repeat_free_rounds(
    n: int, allowed: Collection[int] = ALLOWED, *, byes: bool | None = None, most: int = ROUNDS_MAX
) -> RepeatFreeReach:
    """Return how many of ``most`` rounds bring nobody together twice. Raises SeatingError.

    The planner finds that many from every seed, where everybody plays from the first round on and
    no wishes stand against it.

    >>> repeat_free_rounds(16).sentence
    'You can play up to 5 rounds without a repeat meeting (more are impossible).'
    """
    cut = sizes(n, allowed, byes=byes)
    shape = (tuple(sorted(cut)), n - sum(cut))
    at_most = 1 if common(shape, shape) else _ROUNDS_MAX.get(shape, most)
    at_most = next(
        r for r in range(at_most + 1) if r == at_most or lower_bound([shape] * (r + 1), n) > 0
    )
    if len(set(cut)) == 1 and not shape[1]:
        known = len(known_rounds(n, cut[0]))
    else:
        known = count_mixed_rounds(shape)
    return RepeatFreeReach(min(known, at_most), at_most)
