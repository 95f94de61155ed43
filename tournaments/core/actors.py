"""Actor: who performs an operation, and from where; every service function is passed one."""

from dataclasses import dataclass
from uuid import UUID

from engine.core.messages import Choice, Message


class ActorKind(Choice):
    """Kinds of hands at work."""

    PERSON = "person", Message("person")
    """Somebody who signed in."""
    KEY = "key", Message("key")
    """A program, by its API key."""
    LINK = "link", Message("table link")
    """A phone at a table, by its seat link."""
    DOOR = "door", Message("code at the door")
    """A player who checks themselves in, by the code at the door of an event."""
    PLAYER = "player", Message("player")
    """A player at home, by a device that is signed in as them."""
    SYSTEM = "system", Message("system")
    """The service itself: a nightly task, a command on its machine."""


class Source(Choice):
    """Origins of an entry: through what something was done."""

    PAGE = "page", Message("page")
    API = "api", Message("API")
    TABLE = "table link", Message("table link")
    DOOR = "door", Message("code at the door")
    SLIP = "slip", Message("score slip")
    """A slip that was filled in at a table and read from a picture; somebody accepted it."""
    IMPORT = "import", Message("import")
    COMMAND = "command", Message("command")


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
