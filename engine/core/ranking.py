"""Places with ties, and the order in which spare units are given out (rules.md A10, Q26, Q27)."""

from collections.abc import Sequence
from typing import Any

from .seats import Seat, clockwise, left_of


def places(values: Sequence[Any]) -> list[int]:
    """The place of each value, the highest first; equal values share a place: 1, 2, 2, 4.

    >>> places([50, 80, 50, 20])
    [2, 1, 2, 4]
    """
    falling = sorted(values, reverse=True)
    return [falling.index(value) + 1 for value in values]


def payout_order(values: Sequence[Any], last_dealer: Seat) -> list[Seat]:
    """Seats by falling value; equal ones clockwise from the left of the last dealer (Q26)."""
    turn = clockwise(left_of(last_dealer, len(values)), len(values))
    return sorted(turn, key=lambda seat: values[seat], reverse=True)
