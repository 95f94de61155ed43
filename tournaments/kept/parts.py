"""A scoring as whole numbers that a database adds up exactly.

What a game brings a seat is the points of its place, a share of its score, and a share of what all
seats came to: each a whole number of parts of one measure.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from typing import Final, NamedTuple

from engine.rules.switches import Toggle
from tournaments.kept.worth import Worth
from tournaments.standings.choices import Incomplete, Method, Total
from tournaments.standings.exact import Exact
from tournaments.standings.scoring import BY_TABLE

SIZES: Final = range(3, 7)


class Points(NamedTuple):
    """What a place brings that so many share, at a table of so many; and the two shares.

    ``score`` is the worth of a point of the own score, ``pool`` that of one of all seats' scores,
    both as they are ranked: the highest is best.
    """

    size: int
    place: int
    tied: int
    points: Exact
    score: Exact
    pool: Exact


@dataclass(frozen=True)
class Parts:
    """A scoring told in points of places; ``low``: the lowest score is best.

    A game counts from ``least`` of the hands that are planned.
    """

    low: bool
    least: Fraction
    planned: int
    points: tuple[Points, ...]

    @cached_property
    def measure(self) -> int:
        """So many parts make one point."""
        values = (value for one in self.points for value in (one.points, one.score, one.pool))
        return lcm(*{value.denominator for value in values})


@lru_cache(maxsize=512)
def parts_of(worth: Worth) -> Parts | None:
    """A scoring by parts; None where values of games are not sums of such."""
    scoring = worth.scoring
    by_hand = scoring.per_hand is Toggle.ON and scoring.method in BY_TABLE
    if by_hand or scoring.total is not Total.SUM:
        return None
    counts = scoring.incomplete is Incomplete.COUNTS
    return Parts(
        scoring.low,
        Fraction(0) if counts else scoring.incomplete_below,
        worth.planned or scoring.par or 0,
        tuple(one for size in SIZES for one in _points(worth, size)),
    )


def _points(worth: Worth, size: int) -> Iterator[Points]:
    score, pool = _shares(worth, size)
    sign = -1 if worth.scoring.low else 1
    for place in range(1, size + 1):
        for tied in range(1, size - place + 2):
            scores = [-seat for seat in range(1, size + 1)]
            scores[place - 1 : place - 1 + tied] = [-place] * tied
            hands = worth.planned or worth.scoring.par or 1
            values = worth.of(tuple((sign * one, hands) for one in scores))
            assert values is not None
            rest = score * -place + pool * sum(scores)
            yield Points(size, place, tied, values[place - 1] - rest, score, pool)


def _shares(worth: Worth, size: int) -> tuple[Exact, Exact]:
    """What a point of the own score is worth, and one of all scores, the highest being best."""
    scoring = worth.scoring
    if scoring.method in (Method.CHIPS, Method.POINTS):
        return -1 if scoring.low else 1, 0
    if scoring.method is Method.SETTLEMENT:
        return 1, Fraction(-1, size)
    if scoring.method is Method.UMA:
        return 1 / scoring.uma_unit, 0
    return 0, 0
