"""Process records in batches, so that a per-batch step runs once for many records.

Whoever reads one record, then judges it, then reads the next goes from one end of the engine to
the other each time, and a processor keeps only so much of a program at hand. A step done for some
records before the next step begins takes noticeably less time for each.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, TypeVar

T = TypeVar("T")

TOGETHER: Final = 64
"""How many records are taken at a time; more gain little, and have to be held."""


def batches(items: Iterable[T], size: int = TOGETHER) -> Iterator[list[T]]:
    """Items in lists of so many; the last may be shorter.

    >>> list(batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
