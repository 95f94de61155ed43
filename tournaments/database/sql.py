"""SQL in place of the ORM, where its time counts: parameters, rows of hot queries, inserts.

The ORM takes two to five times as long to make the SQL of a query of every write as the database to
answer it: 270 to 500 us, where SQL text takes 20 to 150 us on SQLite. Such a query stands in the
module of its subject, returns the same as the queryset in its docstring, and a test compares the
two on both databases. Whatever is asked less often is a queryset.

Bulk inserts of plain values are COPY on PostgreSQL and multi-row INSERT on SQLite, several times as
fast as ``bulk_create``, which makes a model instance and an SQL expression of every value.
Constraints and triggers hold as ever; the numbers that the database gives new rows stay unknown.
Values are what both databases read: identifiers as hexadecimal digits, booleans as such, moments as
`timestamp_parameter` writes them.
"""

import gc
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from itertools import chain, islice
from typing import Any, Final, TypeVar
from uuid import UUID

from django.db import connection, models
from django.db.models.query import RawQuerySet

_ROWS_PER_STATEMENT: Final = 200
"""On SQLite, where every row of a statement at a table with triggers costs a journal of its own."""
M = TypeVar("M", bound=models.Model)
_UUID_FIELD: "models.UUIDField[UUID, UUID]" = models.UUIDField()
_MOMENT_FIELD: "models.DateTimeField[datetime, datetime]" = models.DateTimeField()


def uuid_parameter(value: UUID) -> Any:
    """An identifier as the database at hand takes it as a parameter of SQL text."""
    return _UUID_FIELD.get_db_prep_value(value, connection)


def moment_parameter(value: datetime) -> Any:
    """A moment as the database at hand takes it as a parameter of SQL text."""
    return _MOMENT_FIELD.get_db_prep_value(value, connection)


def timestamp_parameter(at: datetime) -> str:
    """A moment as the database at hand reads it."""
    at = at.astimezone(UTC)
    return str(at if connection.vendor == "postgresql" else at.replace(tzinfo=None))


def uuid_value(value: Any) -> UUID:
    """An identifier from the database at hand, as a cursor gives it."""
    return value if isinstance(value, UUID) else UUID(value)


def first_row(rows: "RawQuerySet[M]") -> M | None:
    """The first row of a raw query; None where it has none."""
    return next(iter(rows), None)


def insert_row(row: models.Model) -> None:
    """``row.save(force_insert=True)``, but a number that the database gives it stays unknown.

    Raises IntegrityError.
    """
    sql, fields = _insert_statement(type(row))
    values = [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
    # What save() leaves in this documented attribute: a later save() updates the row.
    row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001


@cache
def _insert_statement(model: type[models.Model]) -> "tuple[str, list[models.Field[Any, Any]]]":
    fields = [field for field in model._meta.concrete_fields if not is_numbered(field)]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    table = quote(model._meta.db_table)
    return f"INSERT INTO {table} ({columns}) VALUES ({places})", fields  # noqa: S608 (our own names)


def bulk_insert(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Insert rows into the table of a model; ``columns`` are the names in the database.

    Rows may be made while they are written, but making them may not query the database. Raises
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


def bulk_insert_models(rows: Sequence[models.Model]) -> None:
    """Insert new instances of one model; a number that the database gives them stays unknown."""
    if not rows:
        return
    fields = [field for field in rows[0]._meta.concrete_fields if not is_numbered(field)]
    bulk_insert(
        type(rows[0]),
        [str(field.column) for field in fields],
        (
            [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in fields]
            for row in rows
        ),
    )


def is_numbered(field: "models.Field[Any, Any]") -> bool:
    """Whether the database gives a new row the value of this field."""
    return isinstance(field, models.AutoField)


def _insert(
    database: sqlite3.Connection, beginning: str, columns: int, rows: Iterable[Sequence[Any]]
) -> None:
    marks = f"({', '.join('?' * columns)})"
    parameters_max = database.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER)
    most = min(_ROWS_PER_STATEMENT, parameters_max // columns)
    rest = iter(rows)
    while some := list(islice(rest, most)):
        places = ", ".join([marks] * len(some))
        database.execute(f"{beginning} VALUES {places}", list(chain.from_iterable(some)))


def prefer_indexes(*, afresh: bool = False) -> None:
    """Let foreign keys and triggers look rows up by index for the rest of this transaction.

    PostgreSQL keeps a plan that it made while a table was small, and reads the whole table for
    every row when it has grown; ``afresh`` drops such plans. Statistics come too late: a first
    import fills empty tables.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        if afresh:
            cursor.execute("DISCARD PLANS")
        cursor.execute("SET LOCAL enable_seqscan = off")


def check_constraints_immediately() -> None:
    """Let foreign keys be checked with every statement for the rest of this transaction.

    What rows refer to is there before them, and none of many rows has to be looked at again.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Pause the collection of reference cycles while many rows are made, none of which has any.

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
