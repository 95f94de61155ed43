"""Plots: numbers over hands or nights as an SVG that the server draws.

A plot is as wide as the place where it stands: places along it are parts of the width, heights are
pixels, so that its text keeps its size on a phone and on a wide screen.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from typing import Final

from tournaments.web.number_format import format_number

Number = Fraction | int
WHOLE: Final = 10_000
"""The width of a plot: places along it are ten-thousandths."""
HEIGHT: Final = 200
"""Pixels between the highest line of the grid and the lowest."""
_LINES: Final = 5
"""About so many lines of the grid."""
_TICKS: Final = 5
"""At most so many marks under the plot: so many days stand beside each other on a phone."""
_SHORT: Final = 2
_SHORT_TICKS: Final = 10
"""The same for marks of at most two characters."""
_BAR: Final = Fraction(7, 10)
"""The part of its place that a bar fills."""


@dataclass(frozen=True, slots=True)
class Series:
    """The data of one curve; where a value is None, nothing is known.

    With ``labels`` each value has a dot, and its label beside it.
    """

    name: str
    style: str
    values: Sequence[Number | None]
    labels: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ValueBand:
    """An area between two rows of values, one of each at a place."""

    style: str
    lows: Sequence[Number]
    highs: Sequence[Number]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from zero to ``value``, which ``text`` says; an interval, and a value to compare.

    ``label`` stands at its end; ``is_pale``: it does not count.
    """

    value: Number
    text: str
    low: Number | None = None
    high: Number | None = None
    usual: Number | None = None
    label: str = ""
    is_pale: bool = False


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """A point in ten-thousandths of the width and pixels from the top."""

    x: int
    y: int
    text: str = ""

    @property
    def percent(self) -> str:
        """Return the distance from the left, as SVG has it in every language."""
        return f"{self.x // 100}.{self.x % 100:02d}%"


@dataclass(frozen=True, slots=True)
class Curve:
    """A drawn series, in pieces where something was not known, with dots where they end."""

    name: str
    style: str
    pieces: list[str]
    dots: list[PlotPoint]


@dataclass(frozen=True, slots=True)
class Area:
    """A drawn band."""

    style: str
    points: str


@dataclass(frozen=True, slots=True)
class DrawnBar:
    """A drawn bar, with the ends of its interval and the value to compare in pixels."""

    left: int
    middle: int
    width: int
    top: int
    height: int
    text: str
    is_below: bool
    interval: tuple[int, int] | None
    usual: int | None
    label: PlotPoint
    is_pale: bool

    @property
    def right(self) -> int:
        """The right end."""
        return self.left + self.width


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of the grid, and what stands beside it."""

    at: int
    text: str
    is_base: bool = False


@dataclass(frozen=True, slots=True)
class Plot:
    whole: int
    height: int
    curves: list[Curve]
    areas: list[Area]
    columns: list[DrawnBar]
    grid: list[Mark]
    ticks: list[PlotPoint]


@dataclass(frozen=True, slots=True)
class Chart:
    """A plot with its title, what it shows, how sure that is, and its values as a text.

    ``key`` tells it from the others of a page.
    """

    key: str
    title: str
    definition: str
    certainty: str
    values: str
    plot: Plot


def plot(
    series: Sequence[Series],
    ticks: Sequence[str],
    *,
    bands: Sequence[ValueBand] = (),
    bars: Sequence[Bar] = (),
    span: tuple[Number, Number] | None = None,
    unit: str = "",
    downwards: bool = False,
) -> Plot | None:
    """Draw curves, bands and bars over the same places, each place with its name.

    ``span`` are values that the plot reaches at least, ``unit`` follows each number of its grid.
    ``downwards``: the lowest value of the curves is at the top, as of places, which begin with 1.
    None for nothing to draw.
    """
    if downwards:
        series = [
            replace(one, values=[None if value is None else -value for value in one.values])
            for one in series
        ]
    values = [value for one in series for value in one.values if value is not None]
    values += [value for band in bands for value in (*band.lows, *band.highs)]
    for bar in bars:
        known = (bar.value, bar.low, bar.high, bar.usual)
        values += [value for value in known if value is not None]
    if len(ticks) < 2 or not values:
        return None
    if bars:
        values.append(0)
    values += span or ()
    step = _step(max(values) - min(values))
    low = min(values) // step * step
    high = -(-max(values) // step) * step
    high = high if high > low else low + step
    scale = _Scale(low, high, len(ticks))
    levels = [low + step * number for number in range(int((high - low) / step) + 1)]
    # Days are longer than numbers.
    most = _TICKS if max(map(len, ticks)) > _SHORT else _SHORT_TICKS
    every = -(-len(ticks) // most)
    return Plot(
        whole=WHOLE,
        height=HEIGHT,
        curves=[_curve(one, scale) for one in series],
        areas=[_area(band, scale) for band in bands],
        columns=[_column(place, bar, scale) for place, bar in enumerate(bars)],
        grid=[
            Mark(
                scale.y(level),
                format_number(str(-level if downwards else level)) + unit,
                level == 0,
            )
            for level in levels
            if level < 0 or not downwards
        ],
        ticks=[
            PlotPoint(scale.x(place), HEIGHT, name)
            for place, name in enumerate(ticks)
            if place % every == 0
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


def place_curve(places: Mapping[int, int], nights: int, members: int) -> str:
    """The points of a line of 96 by 28 through places, by night; empty for fewer than two.

    >>> place_curve({0: 5, 2: 1}, 3, 5)
    '3,25 93,3'
    """
    if len(places) < 2:
        return ""
    most = max(members - 1, 1)
    return " ".join(
        f"{3 + 90 * night // (nights - 1)},{3 + 22 * (place - 1) // most}"
        for night, place in places.items()
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    low: Fraction
    high: Fraction
    places: int

    def x(self, place: int) -> int:
        """The middle of a place, in ten-thousandths of the width."""
        return (2 * place + 1) * WHOLE // (2 * self.places)

    def y(self, value: Number) -> int:
        """Pixels from the top."""
        return HEIGHT - round((value - self.low) * HEIGHT / (self.high - self.low))


def _curve(series: Series, scale: _Scale) -> Curve:
    pieces = list(_pieces(series, scale))
    if series.labels:
        dots = [point for piece in pieces for point in piece]
    else:
        dots = [piece[-1] for piece in pieces] + [piece[0] for piece in pieces if len(piece) == 1]
    return Curve(
        name=series.name,
        style=series.style,
        pieces=[_points(piece) for piece in pieces],
        dots=dots,
    )


def _pieces(series: Series, scale: _Scale) -> Iterator[list[PlotPoint]]:
    piece: list[PlotPoint] = []
    for place, value in enumerate(series.values):
        if value is None:
            if piece:
                yield piece
            piece = []
        else:
            label = series.labels[place] if series.labels else ""
            piece.append(PlotPoint(scale.x(place), scale.y(value), label))
    if piece:
        yield piece


def _area(band: ValueBand, scale: _Scale) -> Area:
    there = [PlotPoint(scale.x(place), scale.y(high)) for place, high in enumerate(band.highs)]
    back = [PlotPoint(scale.x(place), scale.y(low)) for place, low in enumerate(band.lows)]
    return Area(band.style, _points([*there, *reversed(back)]))


def _points(points: Sequence[PlotPoint]) -> str:
    return " ".join(f"{point.x},{point.y}" for point in points)


def _column(place: int, bar: Bar, scale: _Scale) -> DrawnBar:
    middle, width = scale.x(place), int(_BAR * WHOLE / scale.places)
    zero, end = scale.y(0), scale.y(bar.value)
    interval = None
    if bar.low is not None and bar.high is not None:
        interval = (scale.y(bar.low), scale.y(bar.high))
    return DrawnBar(
        left=middle - width // 2,
        middle=middle,
        width=width,
        top=min(zero, end),
        height=abs(zero - end),
        text=bar.text,
        is_below=bar.value < 0,
        interval=interval,
        usual=None if bar.usual is None else scale.y(bar.usual),
        label=PlotPoint(middle, end + 15 if bar.value < 0 else end - 5, bar.label),
        is_pale=bar.is_pale,
    )
