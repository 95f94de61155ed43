"""Disks that are full or read-only, as drivers and the system tell of them."""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg
import pytest
from django.db import OperationalError, connection

from tournaments.core import storage

WRITES: Final = ("INSERT", "UPDATE", "DELETE")


def sqlite_error(code: int, words: str) -> OperationalError:
    """What Django raises where SQLite refuses with a code."""
    cause = sqlite3.OperationalError(words)
    cause.sqlite_errorcode = code
    return _caused(cause)


def postgresql_error(cause: psycopg.Error) -> OperationalError:
    """What Django raises where PostgreSQL refuses."""
    return _caused(cause)


def _caused(cause: Exception) -> OperationalError:
    error = OperationalError(str(cause))
    error.__cause__ = cause
    return error


FULL_DATABASES: Final[dict[str, Callable[[], OperationalError]]] = {
    "SQLite is full": lambda: sqlite_error(sqlite3.SQLITE_FULL, "database or disk is full"),
    "SQLite is read-only": lambda: sqlite_error(
        sqlite3.SQLITE_READONLY, "attempt to write a readonly database"
    ),
    "SQLite cannot write": lambda: sqlite_error(sqlite3.SQLITE_IOERR_WRITE, "disk I/O error"),
    "PostgreSQL is full": lambda: postgresql_error(
        psycopg.errors.DiskFull("could not extend file: No space left on device")
    ),
    "PostgreSQL is read-only": lambda: postgresql_error(
        psycopg.errors.ReadOnlySqlTransaction("cannot execute INSERT in a read-only transaction")
    ),
}


@contextmanager
def database_that_refuses_writes(
    make_error: Callable[[], Exception], writes: tuple[str, ...] = WRITES
) -> Iterator[None]:
    """Let the driver refuse every statement that writes; reading goes on."""

    def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().upper().startswith(writes):
            raise make_error()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        yield


@contextmanager
def full_disk_for_files(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No file can be brought to the disk."""

    def fail(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        yield


def free_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the minute pass in which a refused write is remembered."""
    monkeypatch.setattr(storage, "_refused", None)
