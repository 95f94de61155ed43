"""The order of hands and tables within a session, stored in a few bits each.

Which hands there were, and which of them were hits, are bit masks by number; so lines may come
in any order and in any parts, and rows of hits are still found.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

NUMBERS: Final = 4096
"""A night has fewer hands than this."""


@dataclass(slots=True)
class Marks:
    """Events of one night in order, and the hits among them."""

    seen: int = 0
    hits: int = 0

    def add(self, number: int, *, hit: bool) -> None:
        """Note one of them. Raises ValueError for a number that no night reaches."""
        if not 0 <= number < NUMBERS:
            raise ValueError(f"{number} is not the number of a hand of one night")
        self.seen |= 1 << number
        if hit:
            self.hits |= 1 << number

    def merge(self, other: "Marks") -> None:
        """Note all that others have noted."""
        self.seen |= other.seen
        self.hits |= other.hits


@dataclass(frozen=True, slots=True)
class Streak:
    """Hits in a row: now, and at most; ``since`` is the night in which the most was reached."""

    now: int = 0
    longest: int = 0
    since: str = ""


def streak(nights: Mapping[str, Marks]) -> Streak:
    """The hits in a row over all nights."""
    now = longest = 0
    since = ""
    for night, hit in _in_order(nights):
        now = now + 1 if hit else 0
        if now > longest:
            longest, since = now, night
    return Streak(now, longest, since)


def longest_streaks(nights: Mapping[str, Marks], length: int) -> tuple[int, str]:
    """Return the number and the first night of streaks so long, each hit counting once."""
    now = times = 0
    first = ""
    for night, hit in _in_order(nights):
        now = now + 1 if hit else 0
        if now == length:
            now, times, first = 0, times + 1, first or night
    return times, first


def _in_order(nights: Mapping[str, Marks]) -> Iterator[tuple[str, bool]]:
    for night in sorted(nights):
        marks = nights[night]
        for number in range(marks.seen.bit_length()):
            if marks.seen >> number & 1:
                yield night, bool(marks.hits >> number & 1)
