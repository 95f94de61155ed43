"""Cached results of the last computation, so that only what has changed is computed again.

A value is taken from a memo if it has the same name and was made of equal parts as now. So a
ranking is the same with a memo or without one, and there is no sum of differences to go wrong.
"""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Memo:
    """The parts of one ranking by name, and what each was made of.

    >>> memo = Memo()
    >>> for total in (7, 7, 8):
    ...     memo.begin("an event")
    ...     memo.part("row", (total,), lambda: print("made") or total)
    made
    7
    7
    made
    8
    """

    def __init__(self) -> None:
        self._about: object = None
        self._last: dict[Hashable, tuple[object, Any]] = {}
        self._parts: dict[Hashable, tuple[object, Any]] = {}

    def begin(self, about: object) -> None:
        """Begin a ranking; one that is ``about`` something else takes nothing from the last."""
        self._last = self._parts if about == self._about else {}
        self._about, self._parts = about, {}

    def part(self, name: Hashable, made_of: object, make: Callable[[], T]) -> T:
        """A part by name, the last one if it was made of the same."""
        known = self._last.get(name)
        if known is None or known[0] != made_of:
            known = (made_of, make())
        self._parts[name] = known
        value: T = known[1]
        return value
