"""Names for things in addresses and in the API: UUID version 7 (RFC 9562), in order of making."""

import secrets
import time
import uuid

_RANDOM_BITS = 74


def new_id() -> uuid.UUID:
    """A new identifier: 48 bits of time in milliseconds, then 74 random ones.

    >>> new_id().version, new_id() != new_id()
    (7, True)
    """
    milliseconds = time.time_ns() // 1_000_000
    random = secrets.randbits(_RANDOM_BITS)
    high, low = random >> 62, random & (1 << 62) - 1
    value = (milliseconds & (1 << 48) - 1) << 80 | 7 << 76 | high << 64 | 2 << 62 | low
    return uuid.UUID(int=value)
