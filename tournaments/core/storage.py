"""Whether an error says that the disk is full or cannot be written to."""

import errno
import sqlite3
from typing import Final

from django.db import DatabaseError

_ERRNOS: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})
_SQLITE_CODES: Final = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY})
_SQLSTATE_DISK_FULL: Final = "53100"


def is_disk_full(error: BaseException) -> bool:
    """Whether a write failed for want of space, of a file or of the database.

    >>> is_disk_full(OSError(errno.ENOSPC, "No space left on device"))
    True
    >>> is_disk_full(OSError(errno.ENOENT, "No such file or directory"))
    False
    """
    if isinstance(error, OSError):
        return error.errno in _ERRNOS
    if not isinstance(error, DatabaseError):
        return False
    match error.__cause__:
        case sqlite3.Error() as cause:
            code: int = getattr(cause, "sqlite_errorcode", 0)
            return code & 0xFF in _SQLITE_CODES  # what is above are details of the same code
        case cause:
            return getattr(cause, "sqlstate", None) == _SQLSTATE_DISK_FULL
