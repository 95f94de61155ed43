"""Transactions that are read-only, and transactions that may be lost in a crash."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def consistent_snapshot() -> Iterator[None]:
    """See one moment of the database, whoever writes meanwhile; nobody waits for it.

    Inside another transaction that one decides what is seen.
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
    """Write what may be lost with the power, though not with a process: no disk is waited for.

    What is written afterwards never lasts without it.
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
