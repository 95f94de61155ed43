"""An LRU cache of the events and leagues that this process computed last.

With it, after a hand only the changed games are read again (`ChangedGames`), and only the parts
that depend on them are computed again (`Memo`).
"""

from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from uuid import UUID

from tournaments.publishing.documents import ChangedGames
from tournaments.standings.memo import Memo

T = TypeVar("T")


@dataclass(slots=True)
class RememberedSubject(Generic[T]):
    """The inputs of one event or league as last read, their digest, and memos of its parts.

    ``blocks``: the compressed blocks of its text (`StandingsDocument`).
    """

    inputs: str = ""
    found: T | None = None
    setting: str = ""
    parts: Memo = field(default_factory=Memo)
    ranking: Memo = field(default_factory=Memo)
    blocks: Memo = field(default_factory=Memo)

    def reread(
        self, changed: ChangedGames | None, read: Callable[[T, Collection[UUID]], T | None]
    ) -> T | None:
        """Return the inputs with the changed games reread; None if everything must be read."""
        if changed is None or self.found is None or self.inputs != changed.inputs:
            return None
        return read(self.found, changed.games)


class RecentSubjects(Generic[T]):
    """Keeps the ``most`` recently used subjects."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[UUID, RememberedSubject[T]] = OrderedDict()

    def recall(self, subject: UUID) -> RememberedSubject[T]:
        """Return the entry of a subject, a new one if it is unknown, and make it the latest."""
        known = self._known.pop(subject, None) or RememberedSubject()
        self._known[subject] = known
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        return known

    def clear(self) -> None:
        """Clear the cache."""
        self._known.clear()
