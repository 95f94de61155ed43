"""Transactions that see the database as of one moment, and some that may be lost in a crash."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db import InternalError, connection, transaction

_READ_ONLY: Final = "25006"
"""What PostgreSQL calls a write in a transaction that only reads."""


@contextmanager
def read_snapshot(*, is_long: bool = False) -> Iterator[None]:
    """Read in one snapshot; blocks no writer.

    ``is_long``: a statement may take as long as it needs, as for an export. Inside another
    transaction it is that one's snapshot. Nothing may be written in it: PostgreSQL then raises
    RuntimeError, since that is a mistake of ours and not a database to read alone.
    """
    if not transaction.get_autocommit():
        yield
        return
    with _deferred_transactions(), transaction.atomic():
        if connection.vendor == "postgresql":
            _execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            if is_long:
                _execute("SET LOCAL statement_timeout = 0")
        try:
            yield
        except InternalError as error:
            if getattr(error.__cause__, "sqlstate", None) == _READ_ONLY:
                raise RuntimeError("nothing may be written in a snapshot") from error
            raise


@contextmanager
def _deferred_transactions() -> Iterator[None]:
    """Let a transaction of SQLite begin as one that reads; ours begin as those that write."""
    if connection.vendor != "sqlite":
        yield
        return
    sqlite: Any = connection
    usual, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = usual


@contextmanager
def asynchronous_commit() -> Iterator[None]:
    """Commit without waiting for the disk: a power cut may lose the write, a killed process not.

    Order is kept: if a later commit is durable, so is this one.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            _execute("SET LOCAL synchronous_commit = off")
            yield
    else:
        _execute("PRAGMA synchronous = NORMAL")
        try:
            with transaction.atomic():
                yield
        finally:
            _execute("PRAGMA synchronous = FULL")


def _execute(words: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(words)
