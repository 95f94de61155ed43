"""Whole amounts, shared exactly (rules.md A7.2, Q26).

Chips and the minor units of money are whole numbers. A division always says what is left over.
"""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, NewType

from .messages import PluralMessage
from .seats import Seat

Chips = NewType("Chips", int)


class RebuyTime(StrEnum):
    """When a seat may buy chips again (DEC-9)."""

    SHORT = "short"
    """It cannot pay what it owes in the hand."""
    EMPTY = "empty"
    """It has nothing left after the hand."""


class Rebuy(NamedTuple):
    """The table's decision on one seat: how many stacks it bought again; 0 is none (DEC-9)."""

    seat: Seat
    when: RebuyTime
    stacks: int


def in_words(chips: int) -> PluralMessage:
    """A number of chips in a sentence: ``1 chip``, ``18 chips``."""
    return PluralMessage("{count} chip", "{count} chips", count=chips)


def share(pot: Chips, winners: int) -> tuple[Chips, Chips]:
    """Return each winner's share of a pot, and the odd chips that stay in it (A7.2).

    >>> share(Chips(17), 2)
    (8, 1)
    """
    each, left = divmod(pot, winners)
    return Chips(each), Chips(left)


def floors(total: int, weights: Sequence[int]) -> tuple[list[int], list[Fraction]]:
    """Proportional parts rounded down, and the fraction that each part lost by it."""
    whole = sum(weights)
    exact = [Fraction(total * weight, whole) if whole else Fraction(0) for weight in weights]
    parts = [amount.numerator // amount.denominator for amount in exact]
    return parts, [amount - part for amount, part in zip(exact, parts, strict=True)]


def apportion(total: int, weights: Sequence[int], order: Sequence[int]) -> list[int]:
    """Share whole units by weight; the spare units go to the largest fractions.

    ``order`` lists the places in the order in which equal fractions are served. The parts sum
    to ``total`` exactly; when nobody has any weight, everybody weighs the same.

    >>> apportion(132, [55, 55, 55, 35], [1, 2, 3, 0])
    [36, 37, 36, 23]
    """
    if not any(weights):
        weights = [1] * len(weights)
    parts, lost = floors(total, weights)
    ranked = sorted(order, key=lambda place: -lost[place])
    for place in ranked[: total - sum(parts)]:
        parts[place] += 1
    assert sum(parts) == total
    return parts
