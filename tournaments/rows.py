"""Rows written with every request: what ``save`` and ``bulk_create`` do, with SQL made only once.

Nothing here is cleaned, looked up or told to signals: the rows are complete when they come.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from types import NoneType
from typing import Any, Final
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import AutoField, Field, ForeignKey, Model
from django.db.transaction import mark_for_rollback_on_error

_FEW: Final = 12
"""So many rows come with a hand; more are written in as few statements as can be."""
_KNOWN_MOST: Final = 50
"""A driver remembers how a statement is read that has so few values, and that takes longest."""
_NOT_THERE: Final = object()
_WHOLE: Final = frozenset([int, NoneType])
_NUMBERS: Final = (
    "AutoField",
    "BigAutoField",
    "SmallIntegerField",
    "PositiveSmallIntegerField",
    "IntegerField",
    "PositiveIntegerField",
    "BigIntegerField",
    "PositiveBigIntegerField",
)
_TYPES: Final[Mapping[tuple[str, str], frozenset[Any]]] = {
    **{(vendor, kind): _WHOLE for vendor in ("postgresql", "sqlite") for kind in _NUMBERS},
    ("postgresql", "BooleanField"): frozenset([bool, NoneType]),
    ("postgresql", "CharField"): frozenset([str]),
    ("postgresql", "UUIDField"): frozenset([UUID, NoneType]),
    ("sqlite", "CharField"): frozenset([str]),
}


def add_rows(rows: Sequence[Model]) -> None:
    """Insert new rows of one model; the numbers that the database gives them are known then.

    Raises IntegrityError.
    """
    if not rows:
        return
    connection = connections[DEFAULT_DB_ALIAS]
    fields = inserted(type(rows[0]))
    most = connection.ops.bulk_batch_size(fields, rows)
    if len(rows) <= _FEW:
        most = min(most, max(1, _KNOWN_MOST // len(fields)))
    for start in range(0, len(rows), most):
        _insert(rows[start : start + most], connection)


def change_row(row: Model, *names: str) -> None:
    """Write some fields of a row that is there. Raises DatabaseError if it is not."""
    connection = connections[DEFAULT_DB_ALIAS]
    sql, fields = _update_of(type(row), names, connection.vendor)
    values = [
        field.get_db_prep_save(field.pre_save(row, add=False), connection) for field in fields
    ]
    with mark_for_rollback_on_error(DEFAULT_DB_ALIAS), connection.cursor() as cursor:
        cursor.execute(sql, values)
        if cursor.rowcount != 1:
            raise DatabaseError("The row is not there.")


def _insert(rows: Sequence[Model], connection: BaseDatabaseWrapper) -> None:
    model = type(rows[0])
    values = [value for row in rows for value in values_of(row, connection)]
    with mark_for_rollback_on_error(DEFAULT_DB_ALIAS), connection.cursor() as cursor:
        cursor.execute(_insert_of(model, len(rows), connection.vendor), values)
        if _is_numbered(model):
            for row, (number,) in zip(rows, cursor.fetchall(), strict=True):
                row.pk = number
    for row in rows:
        state = row._state  # noqa: SLF001 (what save() would leave in it)
        state.adding, state.db = False, DEFAULT_DB_ALIAS


def values_of(row: Model, connection: BaseDatabaseWrapper) -> list[Any]:
    """What a new row brings, as the driver takes it, in the order of `inserted`."""
    there, values = row.__dict__, []
    for field, name, kinds in _columns(type(row), connection.vendor):
        value = there.get(name, _NOT_THERE)
        if type(value) not in kinds:
            value = field.get_db_prep_save(field.pre_save(row, add=True), connection)
        values.append(value)
    return values


@cache
def _is_numbered(model: type[Model]) -> bool:
    return isinstance(model._meta.pk, AutoField)


@cache
def inserted(model: type[Model]) -> "list[Field[Any, Any]]":
    """The fields that a new row brings: all but the number that the database gives."""
    return [
        field for field in model._meta.local_concrete_fields if not isinstance(field, AutoField)
    ]


@cache
def _columns(
    model: type[Model], vendor: str
) -> "list[tuple[Field[Any, Any], str, frozenset[Any]]]":
    """The fields of a new row, and of which types a value is written as it is."""
    return [(field, field.attname, _as_it_is(field, vendor)) for field in inserted(model)]


def _as_it_is(field: "Field[Any, Any]", vendor: str) -> frozenset[Any]:
    """The types of which a driver takes the values of a field, if nothing is done to them first."""
    while isinstance(field, ForeignKey):
        field = field.target_field
    if type(field).pre_save is not Field.pre_save:
        return frozenset()
    return _TYPES.get((vendor, field.get_internal_type()), frozenset())


@cache
def _insert_of(model: type[Model], count: int, _vendor: str) -> str:
    table, key = _quoted(model._meta.db_table), _quoted(model._meta.pk.column)
    columns = [_quoted(field.column) for field in inserted(model)]
    places = f"({', '.join(['%s'] * len(columns))})"
    sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES {', '.join([places] * count)}"  # noqa: S608 (our own names)
    return f"{sql} RETURNING {key}" if _is_numbered(model) else sql


@cache
def _update_of(
    model: type[Model], names: tuple[str, ...], _vendor: str
) -> "tuple[str, list[Field[Any, Any]]]":
    """The statement, and the fields whose values it takes, the key of the row last."""
    table, key = _quoted(model._meta.db_table), model._meta.pk
    fields = [field for field in model._meta.local_concrete_fields if field.name in names]
    assert len(fields) == len(names), names
    columns = ", ".join(f"{_quoted(field.column)} = %s" for field in fields)
    return f"UPDATE {table} SET {columns} WHERE {_quoted(key.column)} = %s", [*fields, key]  # noqa: S608 (our own names)


def _quoted(name: str | None) -> str:
    """A name of ours as the database wants it."""
    return connections[DEFAULT_DB_ALIAS].ops.quote_name(name or "")
