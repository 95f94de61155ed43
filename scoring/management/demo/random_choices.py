"""The random choices of a demo club, all from one seed.

Each thing has dice of its own, named by words: what happens at one table changes nothing at
another.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final
from uuid import UUID

FIRST_FRIDAY: Final = datetime(2025, 1, 3, 19, 30, tzinfo=UTC)
"""When the club of seed 0 sits down first; another seed begins on another Friday of the year."""
_FRIDAYS: Final = 52
_RANDOM_BITS: Final = 74


@dataclass(frozen=True, slots=True)
class Chance:
    """Dice, identifiers and the calendar of one seed."""

    seed: int

    def dice(self, *words: object) -> Random:
        """Dice that fall the same way for the same seed and words."""
        return Random("/".join(map(str, (self.seed, *words))))  # noqa: S311 - play, not secrets

    def identifier(self, at: datetime, *words: object) -> UUID:
        """A version 7 identifier of a moment (RFC 9562), always the same for the same words.

        >>> from datetime import timedelta
        >>> now = FIRST_FRIDAY
        >>> Chance(1).identifier(now, "hand", 1) == Chance(1).identifier(now, "hand", 1)
        True
        >>> one = Chance(1).identifier(now, "hand", 1)
        >>> one.version, one < Chance(1).identifier(now + timedelta(seconds=1), "hand", 2)
        (7, True)
        """
        milliseconds = int(at.timestamp() * 1000) & (1 << 48) - 1
        bits = self.dice("identifier", *words).getrandbits(_RANDOM_BITS)
        head = milliseconds << 16 | 7 << 12 | bits >> 62
        return UUID(int=head << 64 | 2 << 62 | bits & (1 << 62) - 1)

    def night(self, number: int) -> datetime:
        """When a club night begins; they are a week apart."""
        return FIRST_FRIDAY + timedelta(weeks=self.seed % _FRIDAYS + number - 1)
