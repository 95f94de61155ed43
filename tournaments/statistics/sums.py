"""Exact counts that can be merged in any order."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TypeVar

from tournaments.statistics.catalogue import Statistic
from tournaments.statistics.lines import Exact

KeyT = TypeVar("KeyT", bound=Hashable)
LineT = TypeVar("LineT")
Key = Hashable
"""The key of a statistic; or the key and a group."""


@dataclass(slots=True)
class Sum:
    """A count, its sum, and the sum of its squares."""

    n: int = 0
    total: Exact = 0
    squares: Exact = 0

    @property
    def mean(self) -> Fraction:
        """The mean of one or more."""
        return Fraction(self.total) / self.n

    @property
    def deviation(self) -> float | None:
        """The standard deviation of two or more."""
        if self.n < 2:
            return None
        return sqrt((self.squares - self.mean * self.total) / (self.n - 1))

    @property
    def error(self) -> float | None:
        """The standard error of the mean of two or more."""
        return None if self.deviation is None else self.deviation / sqrt(self.n)

    def add(self, value: Exact) -> None:
        """Count one more."""
        self.n += 1
        self.total += value
        self.squares += value * value

    def merge(self, other: "Sum") -> None:
        """Count all of the other."""
        self.n += other.n
        self.total += other.total
        self.squares += other.squares


def counting(statistics: Iterable[Statistic[LineT]]) -> Callable[[dict[Key, Sum], LineT], None]:
    """Return a function that counts a line in all statistics in which it counts, quickly."""
    readers = [(one.key, one.read, one.by) for one in statistics]

    def count(sums: dict[Key, Sum], line: LineT) -> None:
        for name, read, by in readers:
            value = read(line)
            if value is None:
                continue
            key: Key = name
            if by is not None:
                group = by(line)
                if group is None:
                    continue
                key = (name, group)
            found = sums.get(key)
            if found is None:
                found = sums[key] = Sum()
            found.n += 1
            found.total += value
            found.squares += value * value

    return count


def merge(sums: dict[KeyT, Sum], others: dict[KeyT, Sum]) -> None:
    """Count all that others have counted."""
    for key, other in others.items():
        sums.setdefault(key, Sum()).merge(other)
