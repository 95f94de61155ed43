"""A fair lock for writers of one SQLite file: the next one begins as soon as the last has ended.

SQLite itself lets whoever finds the file locked sleep and look again, up to a tenth of a second
later: of many writers that wait at once, most sleep while nobody writes, and some starve. This lock
is only a queue in front of SQLite's own lock, which still keeps writers apart: whoever writes
without it (a command, the worker) is safe too. It is a ``flock`` on a file beside the database, so
it ends with its process.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

LOCK_FILE_SUFFIX: Final = "-turn"
"""Added to the name of the database file."""
TIMEOUT_S: Final = 20.0
"""As long as SQLite itself waits, in `config.database`."""
_THREADS: Final = Lock()


@contextmanager
def sqlite_write_lock() -> Iterator[None]:
    """Hold the write lock of the SQLite file; does nothing on PostgreSQL and in memory.

    Raises OperationalError where another thread of this process holds it for `TIMEOUT_S` seconds.
    """
    path = _lock_file()
    if path is None:
        yield
        return
    if not _THREADS.acquire(timeout=TIMEOUT_S):
        raise OperationalError("database is locked")
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
        finally:
            os.close(file)
    finally:
        _THREADS.release()


def _lock_file() -> str | None:
    """The path of the lock file; None where no lock is needed."""
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "sqlite":
        return None
    name = str(connection.settings_dict["NAME"])
    in_memory = name == ":memory:" or "mode=memory" in name
    return None if in_memory else name + LOCK_FILE_SUFFIX
