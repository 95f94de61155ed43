"""House rules about people and time rather than cards (rules.md 7.5)."""

from collections import Counter
from collections.abc import Hashable, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import TypeVar

from .rules import Rules
from .switches import Credit

Person = TypeVar("Person", bound=Hashable)


def credit_shares(
    rules: Rules, entrant: Person, played: Sequence[Person]
) -> dict[Person, Fraction]:
    """Return the owners of a seat's result, as shares of 1; ``played``: who played each hand (Q62).

    A tie for the majority counts for the entrant.
    """
    if rules.credit is Credit.ENTRANT or not played:
        return {entrant: Fraction(1)}
    hands = Counter(played)
    if rules.credit is Credit.PER_HAND:
        return {person: Fraction(count, len(played)) for person, count in hands.items()}
    most = max(hands.values())
    leaders = [person for person, count in hands.items() if count == most]
    return {leaders[0] if len(leaders) == 1 else entrant: Fraction(1)}


def correction_hours(rules: Rules) -> int:
    """For how many hours after the end of a session its results may be corrected (Q64)."""
    return int(rules.correction_period.removeprefix("PT").removesuffix("H"))


def correctable_until(rules: Rules, closed: datetime) -> datetime:
    """The end of the correction period of a session that was closed at some moment (Q64)."""
    return closed + timedelta(hours=correction_hours(rules))
