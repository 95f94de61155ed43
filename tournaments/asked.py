"""Questions in SQL that come with every hand: PostgreSQL plans them once for a connection.

It takes longer to plan a question about one event than to answer it. What `Prepared` is for rows of
a model, `Asked` is for sums over several::

    _SUMS = Asked("SELECT entry_id, SUM(score) FROM ... WHERE event_id = %s GROUP BY 1", "uuid")

    rows = _SUMS.rows(event)

Such a plan belongs to its session: a pooler must keep sessions apart (docs/postgresql.md).
"""

from collections.abc import Sequence
from hashlib import sha256
from threading import local
from typing import Any, Final
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

_WITH_HYPHENS: Final = 36


class Asked:
    """A question with a ``%s`` for each value; ``kinds`` are the types of these in PostgreSQL.

    Texts that are put together (``STRING_AGG``) have another name in SQLite.
    """

    def __init__(self, sql: str, *kinds: str) -> None:
        assert sql.count("%s") == len(kinds), kinds
        self._sql: Final = sql
        self._kinds: Final = kinds
        self._name: Final = f"asked_{sha256(sql.encode()).hexdigest()[:16]}"
        self._here = local()  # a connection is one thread's

    def rows(self, *values: Any) -> list[tuple[Any, ...]]:
        """The answer. One query."""
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            self._ask(cursor, values)
            found: list[tuple[Any, ...]] = cursor.fetchall()
        return found

    def do(self, *values: Any) -> None:
        """The same for a statement that answers nothing."""
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            self._ask(cursor, values)

    def _ask(self, cursor: Any, values: Sequence[Any]) -> None:
        connection = connections[DEFAULT_DB_ALIAS]
        given = [key(value) if isinstance(value, UUID) else value for value in values]
        if connection.vendor == "postgresql":
            self._plan(connection, cursor)
            cursor.execute(f"EXECUTE {self._name} ({', '.join(['%s'] * len(given))})", given)
        else:
            cursor.execute(self._sql.replace("STRING_AGG(", "GROUP_CONCAT("), given)

    def _plan(self, connection: BaseDatabaseWrapper, cursor: Any) -> None:
        """Let this session know the question, if it does not yet."""
        session: Any = connection.connection
        if getattr(self._here, "session", None) is session:
            return
        numbered = self._sql
        for number in range(1, len(self._kinds) + 1):
            numbered = numbered.replace("%s", f"${number}", 1)
        known = "SELECT EXISTS (SELECT 1 FROM pg_prepared_statements WHERE name = %s)"
        cursor.execute(known, [self._name])
        if not cursor.fetchone()[0]:
            cursor.execute(f"PREPARE {self._name} ({', '.join(self._kinds)}) AS {numbered}")
        self._here.session = session


def key(number: UUID) -> Any:
    """An identifier as the database takes it."""
    return number if connections[DEFAULT_DB_ALIAS].vendor == "postgresql" else number.hex


def known(number: Any) -> UUID:
    """An identifier as the database gave it."""
    return number if isinstance(number, UUID) else UUID(number)


def shown(text: str) -> str:
    """An identifier that the database gave as text, with its hyphens."""
    return text if len(text) == _WITH_HYPHENS else str(UUID(text))


def stored(number: UUID) -> str:
    """An identifier as the text that the database gives of it."""
    return str(key(number))
