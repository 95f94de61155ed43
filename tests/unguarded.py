"""Without the database's guards: for the tests' clean-up, and for tests that damage something."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def unguarded() -> Iterator[None]:
    """Let this connection do what the triggers refuse; afterwards they stand as before."""
    if connection.vendor == "postgresql":
        with _replica():
            yield
    else:
        with _without_triggers():
            yield


@contextmanager
def _replica() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = DEFAULT")


@contextmanager
def _without_triggers() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            for _, made in triggers:
                cursor.execute(made)
