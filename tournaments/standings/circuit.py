"""A circuit: one ranking over tournaments of many places, older ones fading (tournaments.md 5).

A tournament is worth 1000 to its winner and 0 to its last. One half of a player's points is the
mean of all their tournaments, of at least `least` (those missing count 0), the other that of their
`best`; both weigh each by the tournament and its age.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from tournaments.standings.order import SCORE, RankedEntry, by_value, order

FULL = Fraction(1)


@dataclass(frozen=True, slots=True)
class CircuitResult:
    """A place in a tournament of ``players``; a place shared by ``tied`` is the mean of theirs.

    ``weight`` is that of the tournament, ``years`` how many whole years it lies back.
    """

    entry: str
    event: str
    place: int
    players: int
    tied: int = 1
    weight: Fraction = FULL
    years: int = 0


@dataclass(frozen=True, slots=True)
class Circuit:
    """Counting of tournaments; ``ages`` are the factors of this year, the last, and so on."""

    least: int = 5
    best: int = 4
    ages: tuple[Fraction, ...] = (FULL, Fraction(1, 2))


class _Weighed(NamedTuple):
    points: Fraction
    weight: Fraction


def base_points(result: CircuitResult) -> Fraction:
    """Return the worth of a place.

    >>> str(base_points(CircuitResult("a", "e", place=2, players=5)))
    '750'
    """
    if result.players < 2:
        return Fraction(1000)
    place = result.place + Fraction(result.tied - 1, 2)
    return 1000 * (result.players - place) / (result.players - 1)


def circuit_points(results: Iterable[CircuitResult], circuit: Circuit) -> Fraction:
    """The points of one player; 0 without results that still count."""
    found = [
        _Weighed(base_points(result), result.weight * circuit.ages[result.years])
        for result in results
        if 0 <= result.years < len(circuit.ages)
    ]
    counting = [one for one in found if one.weight > 0]
    missing = max(0, circuit.least - len(counting))
    everything = [*counting, *[_Weighed(Fraction(0), FULL)] * missing]
    falling = sorted(counting, key=lambda one: (-one.points, -one.weight))
    return (_mean(everything) + _mean(falling[: circuit.best])) / 2


def rank_circuit(
    results: Iterable[CircuitResult], circuit: Circuit
) -> tuple[list[RankedEntry], dict[str, Fraction]]:
    """All players in their places, and the points of each."""
    played: dict[str, list[CircuitResult]] = defaultdict(list)
    for result in results:
        played[result.entry].append(result)
    points = {name: circuit_points(own, circuit) for name, own in sorted(played.items())}
    return order(points, [by_value(SCORE, points)]), points


def _mean(results: Sequence[_Weighed]) -> Fraction:
    weight = sum((result.weight for result in results), Fraction(0))
    if not weight:
        return Fraction(0)
    return sum((result.points * result.weight for result in results), Fraction(0)) / weight
