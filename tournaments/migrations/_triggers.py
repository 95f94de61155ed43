"""Guards: what the database itself refuses, whoever asks, in triggers of either database.

A migration sets them with `setting`; a later one that changes a guarded table sets them again,
because SQLite makes such a table anew and forgets them. The name of a guard is the sentence that
the database answers with.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.apps.registry import Apps

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

ALWAYS: Final = "1 = 1"
Setter = Callable[[Apps, "BaseDatabaseSchemaEditor"], None]


class Beside(NamedTuple):
    """A row that a new row speaks of, by a name: that of a table whose id is in a column."""

    name: str
    table: str
    column: str


@dataclass(frozen=True, slots=True)
class Guard:
    """Refuses an event (INSERT, UPDATE, DELETE) on a row for which ``when`` holds.

    ``when`` is SQL that both databases understand, with OLD and NEW. A new row is looked at with
    the rows ``beside`` it, which are NULL where there are none. PostgreSQL looks at all the rows
    that a statement adds at once, at equal ones only once; SQLite at one after the other.
    """

    name: str
    table: str
    event: str
    when: str = ALWAYS
    vendors: Sequence[str] = ("sqlite", "postgresql")
    beside: Sequence[Beside] = ()


def append_only(table: str, *keys: Sequence[str]) -> list[Guard]:
    """Rows may be added to a table, and nothing else; ``keys`` are its unique columns."""
    refused = [
        Guard(f"{table}_is_never_changed", table, "UPDATE"),
        Guard(f"{table}_is_never_removed", table, "DELETE"),
        Guard(f"{table}_is_never_emptied", table, "TRUNCATE", vendors=("postgresql",)),
    ]
    return [*refused, replaced(table, *keys)]


def erasable(table: str, texts: Sequence[str], fixed: Sequence[str], mark: str = "") -> Guard:
    """Rows are never changed, but that a name may be erased from their texts.

    A text may only change to one with a former member in it, or where ``mark`` is set in the row.
    """
    same = " OR ".join(["OLD.id <> NEW.id", *map(differs, fixed)])
    changed = " OR ".join(map(differs, texts))
    erased = f"NEW.{mark} <> ''" if mark else " AND ".join(map(_is_erased, texts))
    when = f"{same} OR NOT ({changed}) OR NOT ({erased})"
    return Guard(f"{table}_is_never_changed", table, "UPDATE", when)


def _is_erased(name: str) -> str:
    written = f"CAST(NEW.{name} AS text)"
    return f"(NOT {differs(name)} OR {written} LIKE '%Former member %')"


def replaced(table: str, *keys: Sequence[str]) -> Guard:
    """SQLite's INSERT OR REPLACE removes a row without saying so to any trigger."""
    wheres = (" AND ".join(f"{name} = NEW.{name}" for name in key) for key in (("id",), *keys))
    same = " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE {where})" for where in wheres)
    return Guard(f"{table}_is_never_replaced", table, "INSERT", same, vendors=("sqlite",))


def differs(name: str) -> str:
    """That a column which may be null is changed, as both databases understand it.

    Names are quoted: PL/pgSQL finds no ``OLD.by``, since "by" is a word of its own.

    >>> differs("by")
    '(COALESCE(OLD."by" <> NEW."by", (OLD."by" IS NULL) <> (NEW."by" IS NULL)))'
    """
    old, new = f'OLD."{name}"', f'NEW."{name}"'
    return f"(COALESCE({old} <> {new}, ({old} IS NULL) <> ({new} IS NULL)))"


def setting(guards: Sequence[Guard]) -> tuple[Setter, Setter]:
    """Two functions for a migration: one sets the guards, whatever was there; one removes them."""

    def install(_apps: Apps, editor: "BaseDatabaseSchemaEditor") -> None:
        remove(_apps, editor)
        for guard in _of(guards, editor):
            for statement in _made(guard, editor.connection.vendor):
                editor.execute(statement, params=None)

    def remove(_apps: Apps, editor: "BaseDatabaseSchemaEditor") -> None:
        for guard in _of(guards, editor):
            editor.execute(_dropped(guard, editor.connection.vendor), params=None)

    return install, remove


def missing(guards: Sequence[Guard], connection: Any) -> list[str]:
    """The guards that a database lacks. One query."""
    names = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE tgenabled <> 'D'",
    }
    with connection.cursor() as cursor:
        cursor.execute(names[connection.vendor])
        found = {name for (name,) in cursor.fetchall()}
    wanted = [guard.name for guard in guards if connection.vendor in guard.vendors]
    return [name for name in wanted if name not in found]


def _of(guards: Sequence[Guard], editor: "BaseDatabaseSchemaEditor") -> Iterator[Guard]:
    return (guard for guard in guards if editor.connection.vendor in guard.vendors)


def _made(guard: Guard, vendor: str) -> list[str]:
    name, table, event, when = guard.name, guard.table, guard.event, guard.when
    if vendor == "sqlite":
        if guard.beside:
            joins = " ".join(
                f"LEFT JOIN {of} {near} ON {near}.id = NEW.{key}" for near, of, key in guard.beside
            )
            when = f"EXISTS (SELECT 1 FROM (SELECT 1) {joins} WHERE {when})"
        refuse = f"BEGIN SELECT RAISE(ABORT, '{name}'); END"
        return [f"CREATE TRIGGER {name} BEFORE {event} ON {table} WHEN {when} {refuse}"]
    raised = f"RAISE EXCEPTION '{name}' USING ERRCODE = 'restrict_violation'"
    if event == "INSERT":
        return _made_for_all(guard, raised)
    row = "STATEMENT" if event == "TRUNCATE" else "ROW"
    body = f"BEGIN IF {when} THEN {raised}; END IF; RETURN NEW; END"
    return [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$",
        f"CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH {row} EXECUTE FUNCTION {name}()",
    ]


def _made_for_all(guard: Guard, raised: str) -> list[str]:
    """A guard of PostgreSQL that looks at all rows which a statement has added.

    What is beside them is found by its key, row by row: another plan, made while tables were
    empty, would compare all with all when they are not.
    """
    name, table = guard.name, guard.table
    joins = " ".join(
        f"LEFT JOIN LATERAL (SELECT * FROM {of} WHERE id = new.{key} OFFSET 0) {near} ON TRUE"
        for near, of, key in guard.beside
    )
    columns = ", ".join(_looked_at(guard))
    rows = f"(SELECT DISTINCT {columns} FROM added)" if guard.beside else "added"
    wrong = f"EXISTS (SELECT FROM {rows} AS new {joins} WHERE {guard.when})"
    refuse = f"BEGIN IF {wrong} THEN {raised}; END IF; RETURN NULL; END"
    return [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql"
        f" SET enable_seqscan = off SET jit = off AS $$#variable_conflict use_column\n{refuse}$$",
        f"CREATE TRIGGER {name} AFTER INSERT ON {table} REFERENCING NEW TABLE AS added"
        f" FOR EACH STATEMENT EXECUTE FUNCTION {name}()",
    ]


def _looked_at(guard: Guard) -> list[str]:
    """The columns of a new row on which it hangs whether the guard refuses it."""
    named = re.findall(r"\bNEW\.\"?(\w+)", guard.when)
    return sorted({*named, *(near.column for near in guard.beside)})


def _dropped(guard: Guard, vendor: str) -> str:
    if vendor == "sqlite":
        return f"DROP TRIGGER IF EXISTS {guard.name}"
    return f"DROP FUNCTION IF EXISTS {guard.name}() CASCADE"
