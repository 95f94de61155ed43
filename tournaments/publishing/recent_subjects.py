"""What a process remembers of the subjects that it computed last.

After a hand only what that changed is read again (`ChangedGames`), and worked out again (`Memo`).
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
    """A subject as it was seen last, by the digest of that, and what was made of its parts."""

    inputs: str = ""
    found: T | None = None
    setting: str = ""
    parts: Memo = field(default_factory=Memo)
    ranking: Memo = field(default_factory=Memo)

    def gather_again(
        self, changed: ChangedGames | None, gather: Callable[[T, Collection[UUID]], T | None]
    ) -> T | None:
        """The inputs with what has ``changed`` read again; None where all must be read."""
        if changed is None or self.found is None or self.inputs != changed.inputs:
            return None
        return gather(self.found, changed.games)


class RecentSubjects(Generic[T]):
    """The subjects that were computed last, so many of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[UUID, RememberedSubject[T]] = OrderedDict()

    def recall(self, subject: UUID) -> RememberedSubject[T]:
        """What is remembered of a subject, which is now the last one; nothing of a new one."""
        known = self._known.pop(subject, None) or RememberedSubject()
        self._known[subject] = known
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        return known

    def forget(self) -> None:
        """Remember nothing, like a new process."""
        self._known.clear()
