"""Identifiers of things, and codes that people type.

In addresses and in the API stand UUIDs of version 7 (RFC 9562), in order of making. Codes are of
letters and digits that are not mistaken for each other: 4.9 bits a letter. Being at a table is a
weak proof, so what its code opens is open for a limited time.
"""

import secrets
import time
import uuid
from datetime import timedelta
from typing import Final

from django.utils.crypto import get_random_string

from tournaments.core.errors import NotThereError

_RANDOM_BITS = 62
ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No 0 and O, no 1, I and L, and no U, which is taken for V."""
_GROUP: Final = 4
AFTER_THE_GAME: Final = timedelta(hours=12)
"""How long a table's code goes on once the game or the event is over, for whoever was offline."""
LONGEST_LIFE: Final = timedelta(days=7)
"""It ends then, though nobody ended the game or the event."""


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


def random_code(length: int) -> str:
    """Return a random code."""
    return get_random_string(length, ALPHABET)


def group_code(code: str) -> str:
    """Return a code as it is shown, in groups of four: ``ABCD-EFGH``."""
    return "-".join(code[at : at + _GROUP] for at in range(0, len(code), _GROUP))


def normalize_code(typed: str) -> str:
    """Return the code that somebody typed, in whatever case, with blanks and dashes."""
    return "".join(letter for letter in typed.upper() if letter in ALPHABET)
