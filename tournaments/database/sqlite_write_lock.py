"""A fair lock for writers of one SQLite file: the next one begins as soon as the last has ended.

SQLite itself lets whoever finds the file locked sleep and look again, up to a tenth of a second
later: of many writers that wait at once, most sleep while nobody writes, and some starve. This lock
is only a queue in front of SQLite's own lock, which still keeps writers apart: whoever writes
without it (a command, the worker) is safe too. It is a ``flock`` on a file beside the database, so
it ends with its process.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Lock, Thread
from typing import Final

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

LOCK_FILE_SUFFIX: Final = "-turn"
"""Added to the name of the database file."""
TIMEOUT_S: Final = 20.0
"""As long as SQLite itself waits, in `config.running.database`."""
_THREADS: Final = Lock()


@contextmanager
def sqlite_write_lock() -> Iterator[None]:
    """Hold the write lock of the SQLite file; does nothing on PostgreSQL and in memory.

    Raises OperationalError where another thread or process holds it for `TIMEOUT_S` seconds.
    """
    path = _lock_file()
    if path is None:
        yield
        return
    deadline = time.monotonic() + TIMEOUT_S
    if not _THREADS.acquire(timeout=TIMEOUT_S):
        raise OperationalError("database is locked")
    try:
        file = _acquire(path, deadline)
        try:
            yield
        finally:
            os.close(file)
    finally:
        _THREADS.release()


def _acquire(path: str, deadline: float) -> int:
    """Open the lock file and lock it. Raises OperationalError at the deadline."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
    else:
        return file
    waiter = _WAITERS.get(path)
    if waiter is None or not waiter.is_still_queued():
        waiter = _WAITERS[path] = _Waiter(path)
        waiter.start()
    return waiter.take(deadline)


class _Waiter(Thread):
    """Waits for the lock file in the queue of the system, which knows no deadline.

    Where nobody wants the lock any more when its turn comes, it lets go of it. A process has one
    of a file at a time: whoever comes after one that gave up goes on waiting with the same.
    """

    def __init__(self, path: str) -> None:
        super().__init__(name="sqlite write lock", daemon=True)
        self._path = path
        self._changed = Condition()
        self._is_wanted = True
        self._is_done = False
        self._file: int | None = None

    def run(self) -> None:
        file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        fcntl.flock(file, fcntl.LOCK_EX)
        with self._changed:
            self._is_done = True
            if self._is_wanted:
                self._file = file
                self._changed.notify()
            else:
                os.close(file)

    def is_still_queued(self) -> bool:
        """Whether its turn is still to come; if so, it now waits for whoever asks."""
        with self._changed:
            self._is_wanted = not self._is_done
            return self._is_wanted

    def take(self, deadline: float) -> int:
        """Return the locked file. Raises OperationalError at the deadline."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._file is not None, max(0.0, deadline - time.monotonic())
            )
            self._is_wanted = False
            file, self._file = self._file, None
        if file is None:
            raise OperationalError("database is locked")
        return file


_WAITERS: Final[dict[str, _Waiter]] = {}


def _lock_file() -> str | None:
    """The path of the lock file; None where no lock is needed."""
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "sqlite":
        return None
    name = str(connection.settings_dict["NAME"])
    in_memory = name == ":memory:" or "mode=memory" in name
    return None if in_memory else name + LOCK_FILE_SUFFIX
