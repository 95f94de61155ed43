"""The distribution of the pain cards that a player took in a hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tournaments.statistics.figures import LEAST, wilson
from tournaments.statistics.sums import Key, Sum


@dataclass(frozen=True, slots=True)
class CapturedShare:
    """The part of the hands in which so many pain cards were taken, with its 90 % interval.

    ``usual`` is that part for everybody at the same tables.
    """

    captured: int
    hands: int
    share: Fraction
    low: float
    high: float
    usual: Fraction


def captured_shares(sums: Mapping[Key, Sum], usual: Mapping[Key, Sum]) -> list[CapturedShare]:
    """The part of each number from none to the most that they took; nothing of too few hands."""
    own, others = _counts(sums), _counts(usual)
    hands, met = sum(own.values()), sum(others.values())
    if hands < LEAST:
        return []
    shares = []
    for captured in range(max(own) + 1):
        n = own.get(captured, 0)
        low, high = wilson(Sum(hands, n, n))
        part = Fraction(others.get(captured, 0), met) if met else Fraction()
        shares.append(CapturedShare(captured, n, Fraction(n, hands), low, high, part))
    return shares


def _counts(sums: Mapping[Key, Sum]) -> dict[int, int]:
    """Hands by the number of pain cards taken."""
    return {
        key[1][0]: one.n
        for key, one in sums.items()
        if isinstance(key, tuple) and key[0] == "pain_spread"
    }
