"""Transactions that are read-only, and transactions that may be lost in a crash."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def consistent_snapshot() -> Iterator[None]:
    """Read one consistent snapshot of the database; blocks no writer.

    Inside a transaction this does nothing: the outer one decides what is visible.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            _execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        embedded: Any = connection
        usual, embedded.transaction_mode = embedded.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            embedded.transaction_mode = usual


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
