"""Catalogue: what a statistic is, with the sentence that defines it; those counted by tables."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final, Generic, TypeVar

from engine.core.messages import Message
from tournaments.statistics.lines import Exact, PlayerHandLine, TableLine

LineT = TypeVar("LineT")
Group = tuple[Hashable, ...]
MILLION: Final = 10**6
LEAST: Final = 10
"""A figure of fewer lines is hidden."""


class Unit(StrEnum):
    """Units of a number.

    A RATE is a part of the lines, from 0 to 1; a SPREAD the part that each group has of them.
    """

    RATE = "rate"
    SPREAD = "spread"
    GAIN = "gain"
    CHIPS = "chips"
    CARDS = "cards"
    POINTS = "points"
    RATING = "rating"


@dataclass(frozen=True, slots=True)
class Statistic(Generic[LineT]):
    """A mean over lines: ``read`` says what a line adds to it, None where it does not count.

    With ``by`` there is one mean for each group of lines; None again for none. What fewer than
    ``least`` lines say is hidden.
    """

    key: str
    title: str
    definition: str
    unit: Unit
    read: Callable[[LineT], Exact | None]
    by: Callable[[LineT], Group | None] | None = None
    least: int = LEAST


@dataclass(frozen=True, slots=True)
class Extreme:
    """The highest (or lowest) value of any hand."""

    key: str
    title: str
    definition: str
    unit: Unit
    read: Callable[[PlayerHandLine], Exact | None]
    highest: bool = True


def beaten(line: TableLine) -> Fraction:
    """The part of the others who came in after them, ties counting half (table percentage)."""
    points = sum((rival.place > line.place) + (rival.place >= line.place) for rival in line.rivals)
    return Fraction(points, 2 * len(line.rivals))


def _millionths(value: float | None) -> Fraction | None:
    """A number of the ratings, exact to six digits, so that sums do not depend on their order."""
    return None if value is None else Fraction(round(value * MILLION), MILLION)


def _beyond(line: TableLine) -> Fraction | None:
    expected = _millionths(line.expected)
    return None if expected is None else beaten(line) - expected


OF_TABLES: Final[tuple[Statistic[TableLine], ...]] = (
    Statistic(
        "tables_won",
        Message("Tables won"),
        Message("The part of the tables at which nobody came in before them."),
        Unit.RATE,
        lambda line: line.place == 1,
    ),
    Statistic(
        "table_net",
        Message("Gain a table"),
        Message("Gain per table."),
        Unit.GAIN,
        lambda line: line.net,
    ),
    Statistic(
        "beaten",
        Message("Table percentage"),
        Message(
            "The part of the others at the table who came in after them,"
            " ties counting half, per table."
        ),
        Unit.POINTS,
        beaten,
    ),
    Statistic(
        "expected",
        Message("Expected table percentage"),
        Message("The part of the others whom their rating expected them to beat, per table."),
        Unit.POINTS,
        lambda line: _millionths(line.expected),
    ),
    Statistic(
        "beyond",
        Message("Beyond expectation"),
        Message("Table percentage less what their rating expected, per table."),
        Unit.POINTS,
        _beyond,
    ),
    Statistic(
        "met",
        Message("Opponents' rating"),
        Message("The mean rating of the others, per table."),
        Unit.RATING,
        lambda line: _millionths(line.met),
    ),
    Statistic(
        "places",
        Message("Places"),
        Message("The part of the tables by the number of players and the place."),
        Unit.SPREAD,
        lambda _: 1,
        lambda line: (line.players, line.place),
    ),
)
