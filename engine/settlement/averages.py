"""Average settlement: who pays and who collects, exactly (rules.md B6, Q31, Q32)."""

from collections.abc import Sequence
from fractions import Fraction

from ..core.ranking import payout_order
from ..core.seats import Seat


def average(totals: Sequence[int]) -> Fraction:
    """The average score."""
    return Fraction(sum(totals), len(totals))


def net(totals: Sequence[int]) -> list[Fraction]:
    """Return each seat's gain (positive) or payment (negative), in exact n-ths; sums to 0.

    >>> [str(amount) for amount in net([5, 4, 3, 1])]
    ['-7/4', '-3/4', '1/4', '9/4']
    """
    middle = average(totals)
    return [middle - total for total in totals]


def howell(totals: Sequence[int]) -> list[int]:
    """Return gains times the number of players: whole numbers, sum 0 (Howell's settling).

    >>> howell([5, 4, 3, 1])
    [-7, -3, 1, 9]
    """
    whole = sum(totals)
    return [whole - len(totals) * total for total in totals]


def odd_to_pot(totals: Sequence[int]) -> tuple[list[int], int]:
    """Whole chips: payments rounded up, collections down; and what stays in the pot.

    >>> odd_to_pot([5, 4, 3, 1])
    ([-2, -1, 0, 2], 1)
    """
    amounts = [amount.numerator // amount.denominator for amount in net(totals)]
    return amounts, -sum(amounts)


def cash(totals: Sequence[int], unit: int, last_dealer: Seat) -> list[int]:
    """Minor units collected or paid at ``unit`` a point; sums to 0 (Q31).

    Amounts are rounded down; spare units go one each to the lower scores first, equal ones
    clockwise from the left of the last dealer.
    """
    exact = [unit * amount for amount in net(totals)]
    amounts = [amount.numerator // amount.denominator for amount in exact]
    order = payout_order([-total for total in totals], last_dealer)
    for seat in order[: -sum(amounts)]:
        amounts[seat] += 1
    assert sum(amounts) == 0
    return amounts
