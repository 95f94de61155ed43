"""Errors of service functions: a code, which is stable, and a message for people."""

from collections.abc import Mapping
from typing import Any, ClassVar

from engine.core.messages import Message


class RefusedError(Exception):
    """Something that cannot be done; ``field`` names what is to blame.

    ``message`` is a `Message`, translated by whoever shows it; ``str()`` is the English sentence.
    """

    code: ClassVar[str] = "UNPROCESSABLE"

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class NotThereError(RefusedError):
    """There is no such thing, or none that this asker may know of: they cannot tell which."""

    code = "NOT_FOUND"

    def __init__(self) -> None:
        super().__init__(Message("There is nothing at this address."))


class NotSignedInError(RefusedError):
    """Nobody in particular asks for something that needs somebody."""

    code = "UNAUTHENTICATED"

    def __init__(self, message: str = Message("Sign in, or show a key.")) -> None:
        super().__init__(message)


class NotAllowedError(RefusedError):
    """Somebody who may see the thing may not do this to it."""

    code = "FORBIDDEN"


class SecondFactorNeededError(NotAllowedError):
    """An admin of a club that asks its admins for a second factor has none."""

    code = "SECOND_FACTOR_NEEDED"

    def __init__(self) -> None:
        super().__init__(
            Message("This club asks its admins for a second step: set one up in your account.")
        )


class ConflictError(RefusedError):
    """It contradicts what stands already."""

    code = "CONFLICT"


class EventCancelledError(RefusedError):
    """An event is called off: nothing is entered, seated or played in it."""

    code = "EVENT_CANCELLED"


class GoneError(RefusedError):
    """Something that was there once: a link that has ended, a version that is no longer kept."""

    code = "GONE"


class StaleError(RefusedError):
    """Somebody changed it meanwhile: ``theirs`` is the version that stands.

    ``current`` are the fields as they stand now, for whoever has to merge.
    """

    code = "STALE"

    def __init__(self, message: str, theirs: int, current: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.theirs = theirs
        self.current = current


class TooOftenError(RefusedError):
    """Tried too often; ``wait`` seconds must pass first."""

    code = "THROTTLED"

    def __init__(self, message: str, wait: int) -> None:
        super().__init__(message)
        self.wait = wait
