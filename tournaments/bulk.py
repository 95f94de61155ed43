"""Bulk: many rows at once: read as of one moment, written by COPY or one prepared statement.

Rows to be written are plain values as both databases read them: identifiers as hexadecimal digits,
truth as a truth value, moments as `moment` writes them. Constraints and guards hold as ever.
"""

import gc
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Any, Final

from django.db import connection, models, transaction

from tournaments.rows import inserted, values_of

_TOGETHER: Final = 200
"""So many rows are one statement of SQLite: at a table with guards, each keeps a journal."""


def moment(at: datetime) -> str:
    """A moment as the database at hand reads it."""
    at = at.astimezone(UTC)
    return str(at if connection.vendor == "postgresql" else at.replace(tzinfo=None))


def by_index(*, afresh: bool = False) -> None:
    """Let keys and guards look rows up by index for the rest of this transaction.

    PostgreSQL keeps a plan that it made while a table was small, and reads the whole table for
    every row when it has grown; ``afresh`` lets go of such plans. Statistics come too late: a
    first import fills empty tables.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        if afresh:
            cursor.execute("DISCARD PLANS")
        cursor.execute("SET LOCAL enable_seqscan = off")


def keys_at_once() -> None:
    """Let keys be checked with every statement for the rest of this transaction.

    What rows refer to is there before them, and none of many rows waits to be looked at again.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


@contextmanager
def one_moment() -> Iterator[None]:
    """Let a long read see the database as it is now, whatever is written meanwhile.

    Nothing may be written in it: it holds nobody up. Inside another transaction that one's own
    moment counts.
    """
    if connection.in_atomic_block:
        yield
        return
    with _without_lock(), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                cursor.execute("SET LOCAL statement_timeout = 0")
        yield


@contextmanager
def _without_lock() -> Iterator[None]:
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
def collecting_later() -> Iterator[None]:
    """Let the search for cycles of garbage wait while many rows are made, none of which has any.

    It would look through everything that a process holds several times in every thousand rows.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def put(model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Add rows to the table of a model; columns are named as they are in the database.

    Rows are made while they are written: making them may not ask the database. Raises
    IntegrityError.
    """
    table = connection.ops.quote_name(model._meta.db_table)
    names = ", ".join(map(connection.ops.quote_name, columns))
    with connection.wrap_database_errors, connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        # Django's own cursor would rewrite every %, and adapt every value once more.
        _insert(cursor.cursor.connection, f"INSERT INTO {table} ({names})", len(columns), rows)


def put_rows(rows: Sequence[models.Model]) -> None:
    """Add new rows of one model; the numbers that the database gives them stay unknown."""
    if not rows:
        return
    model = type(rows[0])
    columns = [str(field.column) for field in inserted(model)]
    put(model, columns, (values_of(row, connection) for row in rows))


def _insert(
    database: sqlite3.Connection, beginning: str, columns: int, rows: Iterable[Sequence[Any]]
) -> None:
    marks = f"({', '.join('?' * columns)})"
    most = min(_TOGETHER, database.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER) // columns)
    rest = iter(rows)
    while some := list(islice(rest, most)):
        places = ", ".join([marks] * len(some))
        database.execute(f"{beginning} VALUES {places}", list(chain.from_iterable(some)))
