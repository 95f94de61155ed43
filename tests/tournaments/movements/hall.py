"""What the tests of seating share: when rounds are legal, and how many meetings they have."""

from collections import Counter
from collections.abc import Collection, Sequence

from tournaments.movements import RoundSeating, faults

QUICK = 15_000
"""Moves that are enough for what is legal and level, if not for what is best."""


def legal(
    seating: RoundSeating, there: Collection[int], allowed: Collection[int] = (3, 4, 5)
) -> bool:
    """Whether everybody who is there has one place, at tables of the right sizes."""
    return not list(faults(seating, there, allowed))


def meetings(rounds: Sequence[RoundSeating]) -> Counter[tuple[int, int]]:
    """How often every pair meets."""
    return Counter(pair for seating in rounds for pair in seating.meetings())


def share_a_table(rounds: Sequence[RoundSeating], one: int, other: int) -> int:
    """How often two meet."""
    return meetings(rounds)[min(one, other), max(one, other)]
