"""Rows in the order of people's names, the same on every database.

Names are compared as they are folded for searching (`tournaments.core.name_folding`): without case,
accents and special letters, by code points. A database would ask the locale that it was made
with, and SQLite puts *Émile* and *de Vries* behind *Zoe*.
"""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import F, Func
from django.db.models.expressions import OrderBy
from django.db.models.sql.compiler import SQLCompiler

_Sql = tuple[str, list[Any] | tuple[Any, ...]]


class CodePoints(Func):
    """A text that is compared by its code points."""

    template = "%(expressions)s"
    arity = 1

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> _Sql:
        return self.as_sql(
            compiler, connection, template='(%(expressions)s) COLLATE "C"', **context
        )


def order_by_name(person: str) -> tuple[OrderBy, OrderBy]:
    """For ``order_by``: by the name of ``person``, a way such as ``player__person``.

    Who was erased comes last. End with a unique key.
    """
    folded, name = (CodePoints(F(f"{person}__{column}")) for column in ("sought", "name"))
    return folded.asc(nulls_last=True), name.asc(nulls_last=True)
