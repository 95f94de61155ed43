"""Questions that come with every request: put into SQL once for a database, not every time.

Django makes the SQL of a query anew each time it is asked, which takes several times as long as the
database takes to answer. A `Prepared` question is a query like any other, with a `Blank` wherever a
value is known only when it is asked::

    _KEY = Prepared(lambda: ApiKey.objects.filter(digest=Blank("digest", CharField())))

    key = _KEY.first(digest=digest_of(secret))

Its shape never depends on a value: no blank is ever None or a list.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.query import get_related_populators
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

M = TypeVar("M", bound=Model)


class Blank(Expression):
    """A value that is known only when the question is asked, of the kind of some field."""

    def __init__(self, name: str, kind: "Field[Any, Any]") -> None:
        super().__init__(output_field=kind)
        self.name: Final = name
        self.kind: Final = kind

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, tuple[Any, ...]]:
        """A place for the value, and this blank in it."""
        return "%s", (self,)


class Prepared(Generic[M]):
    """A question for rows of one model, and for those that belong to them (``select_related``)."""

    def __init__(self, ask: Callable[[], "QuerySet[M]"]) -> None:
        self._ask = ask
        self._form: _Form[M] | None = None

    def rows(self, **values: Any) -> list[M]:
        """The whole answer with every blank filled. One query."""
        connection = connections[DEFAULT_DB_ALIAS]
        form = self._form
        if form is None or form.vendor != connection.vendor:
            form = self._form = _Form(self._ask(), connection)
        return list(form.answers(values, connection))

    def first(self, **values: Any) -> M | None:
        """The first row of the answer; None where there is none. One query."""
        found = self.rows(**values)
        return found[0] if found else None


class _Form(Generic[M]):
    """A question in the SQL of one database, and how a row of its answer is read.

    All threads share it, each with its own connection.
    """

    def __init__(self, asked: "QuerySet[M]", connection: BaseDatabaseWrapper) -> None:
        self.vendor: Final = connection.vendor
        compiler = asked.query.get_compiler(connection=connection)
        self._sql, self._places = compiler.as_sql()
        select, info = compiler.select, compiler.klass_info
        self._locks = asked.query.select_for_update and connection.features.has_select_for_update
        self._readers = compiler.get_converters([column for column, _, _ in select])
        own = info["select_fields"]
        self._own = slice(own[0], own[-1] + 1)
        self._names = [column.target.attname for column, _, _ in select[self._own]]
        # The type stubs are those of a later Django.
        self._related = get_related_populators(info, select, connection.alias)  # type: ignore[call-arg]
        self._model: type[M] = asked.model

    def answers(self, values: Mapping[str, Any], connection: BaseDatabaseWrapper) -> Iterator[M]:
        """The rows, read one after the other; the database is asked before the first."""
        if self._locks and connection.get_autocommit():
            raise TransactionManagementError("A row is locked in a transaction only.")
        with connection.cursor() as cursor:
            filled = [_value(place, values, connection) for place in self._places]
            cursor.execute(self._sql, filled)
            rows = cursor.fetchall()
        for row in map(list, rows):
            for place, (readers, column) in self._readers.items():
                for read in readers:
                    row[place] = read(row[place], column, connection)
            found = self._model.from_db(connection.alias, self._names, row[self._own])
            for related in self._related:
                related.populate(row, found)
            yield found


def _value(place: Any, values: Mapping[str, Any], connection: BaseDatabaseWrapper) -> Any:
    """What stands in a place: a blank's value as the database takes it."""
    if isinstance(place, Blank):
        return place.kind.get_db_prep_value(values[place.name], connection)
    return place
