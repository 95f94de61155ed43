"""Catalogue: what a statistic is; each has the sentence that defines it."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from tournaments.statistics.lines import Exact, PlayerHandLine

LineT = TypeVar("LineT")
Group = tuple[Hashable, ...]


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

    With ``by`` there is one mean for each group of lines; None again for none.
    """

    key: str
    title: str
    definition: str
    unit: Unit
    read: Callable[[LineT], Exact | None]
    by: Callable[[LineT], Group | None] | None = None


@dataclass(frozen=True, slots=True)
class Extreme:
    """The highest (or lowest) value of any hand."""

    key: str
    title: str
    definition: str
    unit: Unit
    read: Callable[[PlayerHandLine], Exact | None]
    highest: bool = True
