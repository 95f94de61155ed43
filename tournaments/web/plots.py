"""Plots: numbers over hands or nights as an SVG that the server draws."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Final

from tournaments.web.number_format import format_number

Number = Fraction | int
WIDTH: Final = 720
HEIGHT: Final = 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 16, 16, 40
_LINES: Final = 5
"""About so many lines of the grid."""
_TICKS: Final = 12
"""At most so many marks under the plot."""


@dataclass(frozen=True, slots=True)
class Series:
    """What one curve is drawn from; where a value is None, nothing is known."""

    name: str
    style: str
    values: Sequence[Number | None]


@dataclass(frozen=True, slots=True)
class PlotPoint:
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Curve:
    """A drawn series, in pieces where something was not known, with dots where they end."""

    name: str
    style: str
    pieces: list[str]
    dots: list[PlotPoint]


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of the grid or a mark of the axis, and what stands beside it."""

    at: int
    text: str
    is_base: bool = False


@dataclass(frozen=True, slots=True)
class Plot:
    width: int
    height: int
    left: int
    right: int
    bottom: int
    curves: list[Curve]
    grid: list[Mark]
    ticks: list[Mark]


def plot(series: Sequence[Series], ticks: Sequence[str]) -> Plot | None:
    """Draw some series over the same places, each place with its name; None for nothing to draw."""
    values = [value for one in series for value in one.values if value is not None]
    if len(ticks) < 2 or not values:
        return None
    step = _step(max(values) - min(values))
    low = min(values) // step * step
    high = -(-max(values) // step) * step
    high = high if high > low else low + step
    scale = _Scale(low, high, len(ticks))
    levels = [low + step * number for number in range(int((high - low) / step) + 1)]
    every = -(-len(ticks) // _TICKS)
    return Plot(
        width=WIDTH,
        height=HEIGHT,
        left=_LEFT,
        right=WIDTH - _RIGHT,
        bottom=HEIGHT - _BOTTOM,
        curves=[_curve(one, scale) for one in series],
        grid=[Mark(scale.y(level), format_number(str(level)), level == 0) for level in levels],
        ticks=[
            Mark(scale.x(place), name) for place, name in enumerate(ticks) if place % every == 0
        ],
    )


def _step(span: Number) -> Fraction:
    """A round number that parts a span into about so many.

    >>> _step(47), _step(3), _step(0)
    (Fraction(10, 1), Fraction(1, 1), Fraction(1, 1))
    """
    if span <= _LINES:
        return Fraction(1)
    return next(
        Fraction(factor * 10**power)
        for power in count()
        for factor in (1, 2, 5)
        if factor * 10**power * _LINES >= span
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    low: Fraction
    high: Fraction
    places: int

    def x(self, place: int) -> int:
        """Pixels from the left."""
        return _LEFT + place * (WIDTH - _LEFT - _RIGHT) // (self.places - 1)

    def y(self, value: Number) -> int:
        """Pixels from the top."""
        room = HEIGHT - _TOP - _BOTTOM
        return HEIGHT - _BOTTOM - round((value - self.low) * room / (self.high - self.low))


def _curve(one: Series, scale: _Scale) -> Curve:
    pieces = list(_pieces(one, scale))
    ends = [piece[-1] for piece in pieces] + [piece[0] for piece in pieces if len(piece) == 1]
    return Curve(
        name=one.name,
        style=one.style,
        pieces=[" ".join(f"{point.x},{point.y}" for point in piece) for piece in pieces],
        dots=ends,
    )


def _pieces(one: Series, scale: _Scale) -> Iterator[list[PlotPoint]]:
    piece: list[PlotPoint] = []
    for place, value in enumerate(one.values):
        if value is None:
            if piece:
                yield piece
            piece = []
        else:
            piece.append(PlotPoint(scale.x(place), scale.y(value)))
    if piece:
        yield piece
