"""Strength: Plackett-Luce over all games at once, independent of their order (tournaments.md 6).

The most likely strengths, given that they are spread about zero by half the luck of a game: the
summit of a concave function, so there is one. Each step goes by the curvature
of every player's own games, as bent by what the last few steps have found (limited-memory BFGS);
sums are taken in canonical order, so that games entered in another order give the same floats.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp, isfinite, log, pi, sqrt
from typing import Final

from tournaments.ratings.games import RatedGame, canonical
from tournaments.ratings.settings import RatingSettings

_SPREAD: Final = pi**2 / 6 / 4
"""The variance of strengths: their deviation is half that of luck, which is Gumbel's."""
_STEPS_MAX: Final = 500
_SLOPE_LEAST: Final = 1e-9
_REMEMBERED: Final = 8
_NINETY: Final = 1.6448536269514722
"""So many standard deviations each way hold 90 % of a normal distribution."""
_FARTHEST: Final = 20.0
"""No start is farther out: the spread of strengths is about 1."""
_LONGEST: Final = 3.0
"""No strength moves farther in one step."""

Vector = list[float]


@dataclass(frozen=True, slots=True)
class Strength:
    """A player's strength: odds of being first among several go with the power of e.

    0 is the middle of the players. ``low`` to ``high`` is the 90 % interval of a normal
    distribution about the most likely value (a Laplace approximation), with opponents counted as
    `_Field.errors` says.
    """

    player: str
    games: int
    value: float
    low: float
    high: float
    hidden: bool


def strengths(
    games: Iterable[RatedGame],
    *,
    settings: RatingSettings | None = None,
    start: Mapping[str, float] | None = None,
) -> dict[str, Strength]:
    """The strengths of all who played, the strongest first, equal ones by name.

    ``start`` are values of an earlier evaluation; a good one saves most of the steps. Two
    starts agree to far more digits than are shown, not to the last: what must be the same
    again byte for byte is evaluated from the same start.

    Raises RefusedError for a game that cannot be.
    """
    settings = settings or RatingSettings()
    field = _Field(games, _SPREAD)
    begun = start or {}
    values = _summit(field, [_near(begun.get(name, 0.0)) for name in field.names])
    errors = field.errors(values)
    made = [
        Strength(
            player=name,
            games=played,
            value=value,
            low=value - _NINETY * error,
            high=value + _NINETY * error,
            hidden=played < settings.shown_after,
        )
        for name, played, value, error in zip(
            field.names, field.played, values, errors, strict=True
        )
    ]
    made.sort(key=lambda one: (-one.value, one.player))
    return {one.player: one for one in made}


def _near(value: float) -> float:
    """A start that is a number, and not too far out."""
    return min(max(value, -_FARTHEST), _FARTHEST) if isfinite(value) else 0.0


@dataclass(frozen=True, slots=True)
class _View:
    """The view from some strengths: how likely, how steep, how curved by player."""

    height: float
    slope: Vector
    curve: Vector


class _Field:
    """All games by number of player, and the spread (variance) of strengths about zero."""

    def __init__(self, games: Iterable[RatedGame], spread: float) -> None:
        ordered = canonical(games)
        self.names = sorted({name for _, _, places in ordered for name, _ in places})
        self.spread = spread
        number = {name: index for index, name in enumerate(self.names)}
        self.tables = [
            ([number[name] for name, _ in places], [place for _, place in places])
            for _, _, places in ordered
        ]
        self.played = [0] * len(self.names)
        self.won = [0.0] * len(self.names)
        for table, ranks in self.tables:
            for player, place in zip(table, ranks, strict=True):
                self.played[player] += 1
                self.won[player] += 1 / ranks.count(place)

    def view(self, values: Vector) -> _View:
        """The logarithm of the posterior, its slope, and its curvature taken as positive."""
        powers = [exp(value) for value in values]
        slope = [won - value / self.spread for won, value in zip(self.won, values, strict=True)]
        curve = [1 / self.spread] * len(values)
        height = sum(
            won * value - value * value / (2 * self.spread)
            for won, value in zip(self.won, values, strict=True)
        )
        for table, ranks in self.tables:
            strong = [powers[player] for player in table]
            left = list(accumulate(reversed(strong)))
            lost = lost2 = 0.0
            before = 0
            for player, place, power in zip(table, ranks, strong, strict=True):
                rest = left.pop()
                if place != before:
                    before = place
                    lost += 1 / rest
                    lost2 += 1 / (rest * rest)
                    height -= log(rest)
                part = power * lost
                slope[player] -= part
                curve[player] += part - power * power * lost2
        return _View(height, slope, curve)

    def errors(self, values: Vector) -> Vector:
        """The standard error of each strength, with those of its opponents counted in.

        An opponent counts by their own curvature alone, as if they had met the others at their
        true strength.
        """
        curve = self.view(values).curve
        shared = self._shared_curvature([exp(value) for value in values])
        less = [0.0] * len(values)
        for (one, other), both in sorted(shared.items()):
            less[one] += both * both / curve[other]
            less[other] += both * both / curve[one]
        floor = 1 / self.spread
        return [1 / sqrt(max(own - bound, floor)) for own, bound in zip(curve, less, strict=True)]

    def _shared_curvature(self, powers: Vector) -> dict[tuple[int, int], float]:
        """Return the curvature shared by every two opponents in the same games."""
        shared: dict[tuple[int, int], float] = {}
        for table, ranks in self.tables:
            left = list(accumulate(powers[player] for player in reversed(table)))
            lost2, before = 0.0, 0
            for index, (player, place) in enumerate(zip(table, ranks, strict=True)):
                rest = left.pop()
                if place != before:
                    before = place
                    lost2 += 1 / (rest * rest)
                for other in table[index + 1 :]:
                    pair = (player, other) if player < other else (other, player)
                    both = powers[player] * powers[other] * lost2
                    shared[pair] = shared.get(pair, 0.0) + both
        return shared


def _summit(field: _Field, values: Vector) -> Vector:
    """The strengths at which nothing rises any more."""
    memory: deque[tuple[Vector, Vector]] = deque(maxlen=_REMEMBERED)
    here = field.view(values)
    for _ in range(_STEPS_MAX):
        if max(map(abs, here.slope), default=0.0) <= _SLOPE_LEAST:
            break
        way = _way(here, memory)
        found = _climb(field, values, here, way)
        if found is None:
            break
        step, there = found
        turned = [old - new for old, new in zip(here.slope, there.slope, strict=True)]
        if _product(step, turned) > 0:
            memory.append((step, turned))
        values = [value + part for value, part in zip(values, step, strict=True)]
        here = there
    return values


def _way(here: _View, memory: Iterable[tuple[Vector, Vector]]) -> Vector:
    """Return the direction: the slope over the curvature, bent by the steps that are remembered."""
    way = list(here.slope)
    bends = []
    for step, turned in reversed(list(memory)):
        weight = 1 / _product(step, turned)
        bend = weight * _product(step, way)
        bends.append((bend, weight))
        way = [part - bend * turn for part, turn in zip(way, turned, strict=True)]
    way = [part / own for part, own in zip(way, here.curve, strict=True)]
    for (step, turned), (bend, weight) in zip(memory, reversed(bends), strict=True):
        back = bend - weight * _product(turned, way)
        way = [part + back * one for part, one in zip(way, step, strict=True)]
    return way


def _climb(field: _Field, values: Vector, here: _View, way: Vector) -> tuple[Vector, _View] | None:
    """The longest of ever shorter steps that climbs enough; None where none does."""
    rise, length = _product(here.slope, way), 1.0
    farthest = max(map(abs, way))
    while farthest * length > _LONGEST:
        length /= 2
    for _ in range(40):
        step = [length * part for part in way]
        there = field.view([value + part for value, part in zip(values, step, strict=True)])
        noise = 1e-12 * abs(here.height)
        if there.height >= here.height + 1e-4 * length * rise - noise:
            return step, there
        length /= 2
    return None


def _product(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(left * right for left, right in zip(one, other, strict=True))
