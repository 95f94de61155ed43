"""Names for things in addresses and in the API: UUID version 7 (RFC 9562), in order of making."""

import secrets
import time
import uuid

from tournaments.core.errors import NotThereError

_RANDOM_BITS = 62


def new_id() -> uuid.UUID:
    """A new identifier: 48 bits of time in milliseconds, 12 of their parts, then 62 random ones.

    The parts (RFC 9562, 6.2, method 3) keep the order of things made within one millisecond.

    >>> new_id().version, new_id() != new_id()
    (7, True)
    """
    milliseconds, nanoseconds = divmod(time.time_ns(), 1_000_000)
    parts = (nanoseconds << 12) // 1_000_000
    head = (milliseconds & (1 << 48) - 1) << 16 | 7 << 12 | parts
    return uuid.UUID(int=head << 64 | 2 << 62 | secrets.randbits(_RANDOM_BITS))


def parse_id(text: str | None) -> uuid.UUID:
    """The id that a form or an address holds. Raises NotThereError for anything else."""
    try:
        return uuid.UUID(text or "")
    except ValueError as error:
        raise NotThereError from error
