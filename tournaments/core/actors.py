"""Actor: who performs an operation, and from where; every service function is passed one."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class ActorKind(StrEnum):
    """Kinds of hands at work."""

    PERSON = "person"
    """Somebody who signed in."""
    KEY = "key"
    """A program, by its API key."""
    LINK = "link"
    """A phone at a table, by its seat link."""
    DOOR = "door"
    """A player who checks themselves in, by the code at the door of an event."""
    PLAYER = "player"
    """A player at home, by a device that is signed in as them."""
    SYSTEM = "system"
    """The service itself: a nightly task, a command on its machine."""


class Source(StrEnum):
    """Origins of an entry."""

    PAGE = "page"
    API = "api"
    TABLE = "table link"
    DOOR = "door"
    IMPORT = "import"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class Actor:
    """``id``: of the account, key, link, event or player; ``seat``: for which a link speaks."""

    kind: ActorKind
    source: Source
    id: UUID | None = None
    seat: int | None = None

    @property
    def label(self) -> str:
        """One stable word for the audit trail; it names nobody.

        >>> Actor(ActorKind.SYSTEM, Source.COMMAND).label
        'system'
        """
        return f"{self.kind}:{self.id}" if self.id is not None else str(self.kind)
