"""Writers of one SQLite file take turns, so that the next one begins when the last has ended.

SQLite lets whoever finds the file locked sleep and look again, up to a tenth of a second later:
of many who wait at once, most sleep while nobody writes, and some have bad luck again and again. A
turn is only a place in a queue: what keeps writers apart is SQLite's own lock, as before, and
whoever writes without a turn (a command, the worker) is safe too. A turn ends with its process.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

SUFFIX: Final = "-turn"
"""What the name of the file ends with that is locked, beside the database."""
PATIENCE: Final = 20.0
"""Seconds until somebody is told that the database is busy, as SQLite itself would tell him."""
_HERE: Final = Lock()


@contextmanager
def turn() -> Iterator[None]:
    """Wait for a turn to write, and hold it. Nothing for a server, which has a queue of its own.

    Raises OperationalError after `PATIENCE`.
    """
    place = _place()
    if place is None:
        yield
        return
    if not _HERE.acquire(timeout=PATIENCE):
        raise OperationalError("database is locked")
    try:
        line = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(line, fcntl.LOCK_EX)
            yield
        finally:
            os.close(line)
    finally:
        _HERE.release()


def _place() -> str | None:
    """The file of turns; None where nobody needs one: on a server, and in memory."""
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "sqlite":
        return None
    name = str(connection.settings_dict["NAME"])
    in_memory = name == ":memory:" or "mode=memory" in name
    return None if in_memory else name + SUFFIX
