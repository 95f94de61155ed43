"""Backups: the whole database in one file, and back; sign-ins, roles and keys included.

Of SQLite it is a copy by its backup interface, which waits for nobody and misses nothing that was
committed. Of PostgreSQL it is every table as COPY gives it, read as of one moment. Both begin with
a line that says what they are, and end with the digest of all before.
"""

import hashlib
import json
import sqlite3
import struct
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder

from scoring.transfer.bundling.reader import Stream
from tournaments.database.bulk_insert import prefer_indexes
from tournaments.database.read_snapshot import read_snapshot
from tournaments.models import Account, Club

FORMAT: Final = "painsuit backup"
VERSION: Final = 1
_BLOCK: Final = 1 << 20
_LENGTH: Final = struct.Struct(">I")
_DIGEST: Final = 32
_MADE_BY_MIGRATE: Final = ("contenttypes", "auth")

Write = Callable[[bytes], Any]


class BackupError(Exception):
    """A file that is no backup, or one that does not fit this database; in one clear line."""


def back_up(write: Write) -> None:
    """Write the whole database, as of one moment."""
    whole = hashlib.sha256()

    def write_and_digest(data: bytes) -> None:
        whole.update(data)
        write(data)

    head = {"format": FORMAT, "version": VERSION, "of": connection.vendor}
    write_and_digest(
        json.dumps({**head, "migrations": _migrations()}, sort_keys=True).encode() + b"\n"
    )
    for name, blocks in _sqlite() if connection.vendor == "sqlite" else _tables():
        write_and_digest(_frame(name.encode()))
        for block in blocks:
            write_and_digest(_frame(block))
        write_and_digest(_frame(b""))
    write_and_digest(_frame(b""))
    write(whole.digest())


def _frame(data: bytes) -> bytes:
    return _LENGTH.pack(len(data)) + data


def _migrations() -> list[list[str]]:
    """The migrations that the database has had, of our own applications."""
    own = {"scoring", "tournaments"}
    return sorted(
        [app, name]
        for app, name in MigrationRecorder(connection).applied_migrations()
        if app in own
    )


def _sqlite() -> Iterator[tuple[str, Iterator[bytes]]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "copy"
        connection.ensure_connection()
        with closing(sqlite3.connect(path)) as copy:
            connection.connection.backup(copy)
        yield "sqlite", _file(path)


def _file(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def _tables() -> Iterator[tuple[str, Iterator[bytes]]]:
    with read_snapshot():
        for model in _in_order():
            yield model._meta.db_table, _copy_rows(model)


def _copy_rows(model: type[models.Model]) -> Iterator[bytes]:
    table, columns = _table_name(model)
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) TO STDOUT") as copy:
        for block in copy:
            yield bytes(block)


def _table_name(model: type[models.Model]) -> tuple[str, str]:
    quote, meta = connection.ops.quote_name, model._meta
    columns = ", ".join(quote(str(field.column)) for field in meta.concrete_fields)
    return quote(meta.db_table), columns


def _in_order() -> list[type[models.Model]]:
    """Every table, after those that its rows refer to."""
    waiting = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    ]
    found: list[type[models.Model]] = []
    while waiting:
        ready = [model for model in waiting if not (_refers(model) - {model}) & set(waiting)]
        found += ready
        waiting = [model for model in waiting if model not in ready]
    return found


def _refers(model: type[models.Model]) -> set[Any]:
    fields = model._meta.concrete_fields
    return {field.related_model for field in fields if field.is_relation}


def restore(source: Stream) -> None:
    """Fill a fresh database; all of it or nothing. Raises BackupError."""
    if Club.objects.exists() or Account.objects.exists():
        raise BackupError("this database is not empty; restore into a new one")
    reader = _Reader(source)
    head = reader.head()
    if head.get("of") != connection.vendor:
        words = f"it is of {str(head.get('of'))[:20]}, and this is {connection.vendor}"
        raise BackupError(f"{words}; take clubs over with manage.py export and import")
    try:
        if connection.vendor == "sqlite":
            _restore_sqlite(reader)
        else:
            _restore_tables(reader, head)
    except (DatabaseError, sqlite3.Error) as error:
        raise BackupError(f"the database refuses it: {str(error).splitlines()[0]}") from error


def _restore_sqlite(reader: "_Reader") -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "copy"
        with path.open("wb") as file:
            for _name, blocks in reader.parts():
                for block in blocks:
                    file.write(block)
        reader.check()
        connection.ensure_connection()
        with closing(sqlite3.connect(path)) as copy:
            if copy.execute("PRAGMA quick_check").fetchone() != ("ok",):
                raise BackupError("the database in it is damaged")
            copy.backup(connection.connection)
    # One that an older version wrote is brought up to date.
    call_command("migrate", verbosity=0)


def _restore_tables(reader: "_Reader", head: dict[str, Any]) -> None:
    if head.get("migrations") != _migrations():
        raise BackupError("it was written by another version; use that version to restore it")
    known = {model._meta.db_table: model for model in _in_order()}
    with transaction.atomic():
        prefer_indexes(afresh=True)
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 0")
            for model in reversed(known.values()):
                if model._meta.app_label in _MADE_BY_MIGRATE:
                    cursor.execute(f"DELETE FROM {_table_name(model)[0]}")  # noqa: S608 (our own name)
            for name, blocks in reader.parts():
                if name not in known:
                    raise BackupError(f"this program has no table {name[:60]!r}")
                table, columns = _table_name(known[name])
                with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                    for block in blocks:
                        copy.write(block)
            for statement in connection.ops.sequence_reset_sql(no_style(), list(known.values())):
                cursor.execute(statement)
        reader.check()


class _Reader:
    """A backup while it is read, with the digest of what was read of it."""

    def __init__(self, source: Stream) -> None:
        self._source = source
        self._digest = hashlib.sha256()
        self._rest = b""

    def _take(self, size: int) -> bytes:
        while len(self._rest) < size:
            block = self._source.read(_BLOCK)
            if not block:
                raise BackupError("the file breaks off")
            self._rest += block
        found, self._rest = self._rest[:size], self._rest[size:]
        self._digest.update(found)
        return found

    def head(self) -> dict[str, Any]:
        """What the file says of itself. Raises BackupError for one that is no backup."""
        line = b""
        while not line.endswith(b"\n") and len(line) < _BLOCK:
            line += self._take(1)
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise BackupError("this is no backup")
        if found.get("version") != VERSION:
            raise BackupError("it was written by a newer version")
        return found

    def _frame(self) -> bytes:
        (size,) = _LENGTH.unpack(self._take(_LENGTH.size))
        if size > 64 * _BLOCK:
            raise BackupError("the file is damaged")
        return self._take(size) if size else b""

    def parts(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """The tables, each with its blocks; these are to be read before the next."""
        while name := self._frame():
            yield name.decode("utf-8", "replace"), iter(self._frame, b"")

    def check(self) -> None:
        """Whether this was all, and as it was written. Raises BackupError."""
        made = self._digest.digest()
        if self._take(_DIGEST) != made:
            raise BackupError("it was changed after it was written: its digest is another one")
