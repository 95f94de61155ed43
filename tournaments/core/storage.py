"""Disk space: how much is free, and whether an error says that nothing more can be written."""

import errno
import os
import sqlite3
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import structlog
from django.conf import settings
from django.db import DatabaseError, connection

DiskState = Literal["ok", "low", "full", "read-only"]
LOW_BYTES: Final = 256 * 1024 * 1024
"""Less free space than this is a warning: a season of a large club, its backups and exports."""
FULL_BYTES: Final = 1024 * 1024
"""With less than this the next hand may not fit any more."""
REFUSED_FOR: Final = 60.0
"""For how many seconds a write that was refused says that the disk is full."""
_ERRNOS: Final[Mapping[int, DiskState]] = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EROFS: "read-only",
}
_SQLITE_CODES: Final[Mapping[int, DiskState]] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read-only",
}
_SQLITE_WRITE_CODES: Final = frozenset(
    {
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_DIR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_SHMOPEN,
        sqlite3.SQLITE_IOERR_SHMSIZE,
        sqlite3.SQLITE_IOERR_SHMMAP,
    }
)
"""Where "disk I/O error" means that something could not be written."""
_SQLSTATES: Final[Mapping[str, DiskState]] = {
    "53100": "full",
    "25006": "read-only",  # as on a standby
}

log = structlog.get_logger(__name__)
_refused: tuple[float, DiskState, str] | None = None


@dataclass(frozen=True, slots=True)
class DiskSpace:
    """The state of the fullest disk that is written to, and its free bytes.

    ``name`` tells operators which one it is: a folder on it, or the database server.
    """

    state: DiskState
    free: int
    name: str = ""

    @property
    def is_writable(self) -> bool:
        """Whether a write may succeed."""
        return self.state in {"ok", "low"}


def is_disk_full(error: BaseException) -> bool:
    """Whether a write of a file or of the database failed for want of space, or of a writable disk.

    >>> is_disk_full(OSError(errno.ENOSPC, "No space left on device"))
    True
    >>> is_disk_full(OSError(errno.ENOENT, "No such file or directory"))
    False
    """
    return _refusal(error) is not None


def _refusal(error: BaseException) -> DiskState | None:
    if isinstance(error, OSError):
        return _ERRNOS.get(error.errno or 0)
    cause = error.__cause__ if isinstance(error, DatabaseError) else error
    if isinstance(cause, sqlite3.Error):
        code: int = getattr(cause, "sqlite_errorcode", 0)
        # What is above the lowest byte are details of the same code.
        return "full" if code in _SQLITE_WRITE_CODES else _SQLITE_CODES.get(code & 0xFF)
    return _SQLSTATES.get(getattr(cause, "sqlstate", None) or "")


def note_refused_write(error: BaseException) -> None:
    """Log a write that failed as `is_disk_full` says, and let `disk_space` know of it."""
    global _refused  # noqa: PLW0603 (what this process has seen)
    name = "the database server"
    if connection.vendor == "sqlite" or isinstance(error, OSError):
        name = _space_of(_folders()).name
    _refused = (time.monotonic(), _refusal(error) or "full", name)
    log.error("a write failed: the disk is full or read-only", error=str(error), disk=name)


def disk_space() -> DiskSpace:
    """The space for the database, as far as it lies here, and for files.

    A full disk of a database server, or a used-up quota, is known from the writes that this process
    was refused in the last minute.
    """
    space = _space_of(_folders())
    if space.is_writable and _refused and time.monotonic() - _refused[0] < REFUSED_FOR:
        return DiskSpace(_refused[1], space.free, _refused[2])
    return space


def _folders() -> set[Path]:
    return {settings.DATA.root, Path(settings.FILES)}


def _space_of(folders: Iterable[Path]) -> DiskSpace:
    stats: dict[str, Any] = {str(folder): os.statvfs(_existing(folder)) for folder in folders}
    # What is reserved for root is free for root alone.
    free, name = min(
        (stat.f_frsize * (stat.f_bfree if os.geteuid() == 0 else stat.f_bavail), name)
        for name, stat in stats.items()
    )
    if closed := [name for name, stat in sorted(stats.items()) if stat.f_flag & os.ST_RDONLY]:
        return DiskSpace("read-only", free, closed[0])
    state: DiskState = "full" if free < FULL_BYTES else "low" if free < LOW_BYTES else "ok"
    return DiskSpace(state, free, name)


def _existing(path: Path) -> Path:
    return path if path.exists() or path == path.parent else _existing(path.parent)
