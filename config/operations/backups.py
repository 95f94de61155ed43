"""Backups: the whole database in one file, and back; sign-ins, roles and keys included.

Of SQLite it is a copy by its backup interface, which waits for nobody and misses nothing that was
committed. Of PostgreSQL it is every table as COPY gives it, read as of one moment. Both begin with
a line that says what they are, and end with the digest of all before. The file is packed by gzip;
those that older versions wrote are not, and are read as well.
"""

import hashlib
import hmac
import json
import sqlite3
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from datetime import datetime
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path
from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from engine.cli.outputs import open_output
from scoring.transfer.bundling import write_trail_file
from scoring.transfer.bundling.reader import Stream
from scoring.transfer.signatures import EXTENSION, Signing
from tournaments.database.sql import prefer_indexes
from tournaments.database.transactions import read_snapshot
from tournaments.models import Account, Club

FORMAT: Final = "painsuit backup"
VERSION: Final = 1
_BLOCK: Final = 1 << 20
_GZIP: Final = 31
"""The ``wbits`` of zlib for a stream with the head and the foot of a gzip file."""
_GZIP_HEAD: Final = b"\x1f\x8b"
_PACKED_BLOCK: Final = 1 << 16
"""Bytes that are read at once; packed ones are at most a thousand times as many."""
_LENGTH: Final = struct.Struct(">I")
_DIGEST: Final = 32
_MADE_BY_MIGRATE: Final = ("contenttypes", "auth")
_OWN: Final = ("scoring", "tournaments")
OTHER_KEYS: Final = {
    "secret": (
        "This installation has another secret key than the one that wrote the backup: everybody"
        " signs in anew, links in e-mails no longer work, and second steps and the secrets of"
        " webhooks cannot be read. Put that key back in place of the new one (nothing need be"
        " restored again), or take second steps off and give each webhook a new secret."
    ),
    "signing": (
        "This installation has another signing key than the one that wrote the backup: whoever"
        " trusts the files that were taken away before is warned of new ones. Put that key back"
        " in place of the new one (nothing need be restored again), or publish the new one."
    ),
}
"""What the operator is told after a restore into an installation with other keys."""

Write = Callable[[bytes], Any]


class BackupError(Exception):
    """A file that is no backup, or one that does not fit this database; in one clear line."""


def key_fingerprints() -> dict[str, str]:
    """Return a fingerprint of each key that this installation has; no key can be derived from it.

    A backup holds them, so that a restore can tell whether the keys are the same.
    """
    keys = {"secret": settings.SECRET_KEY, "signing": settings.SIGNING_KEY}
    return {
        name: hmac.digest(key.encode(), b"painsuit backup", "sha256").hex()[:16]
        for name, key in keys.items()
        if key
    }


def back_up(write: Write) -> None:
    """Write the whole database, as of one moment."""
    whole = hashlib.sha256()
    # To a fifth of its size; level 6 takes three times as long for a seventh.
    packing = zlib.compressobj(level=1, wbits=_GZIP)

    def write_and_digest(data: bytes) -> None:
        whole.update(data)
        write(packing.compress(data))

    head: dict[str, Any] = {"format": FORMAT, "version": VERSION, "of": connection.vendor}
    head |= {"migrations": _migrations(), "keys": key_fingerprints()}
    if connection.vendor == "postgresql":
        head["columns"] = {model._meta.db_table: _columns(model) for model in _sorted_models()}
    write_and_digest(json.dumps(head, sort_keys=True).encode() + b"\n")
    for name, blocks in _read_sqlite() if connection.vendor == "sqlite" else _read_tables():
        write_and_digest(_frame(name.encode()))
        for block in blocks:
            write_and_digest(_frame(block))
        write_and_digest(_frame(b""))
    write_and_digest(_frame(b""))
    write(packing.compress(whole.digest()) + packing.flush())


def write_trails_beside(backup: str, *, at: datetime) -> None:
    """Write the ends of all trails into a file beside a backup, and its signature beside that.

    Before the backup, so that a database that is restored from it has all of them. Whoever can
    change the database cannot change a copy of them that is kept elsewhere. Raises TroubleError
    where nothing can be written.
    """
    signing = Signing()
    with open_output(f"{backup}.trails", None, private=True) as write:
        for piece in signing.passing(write_trail_file(at)):
            write(piece)
    signature = signing.sign()
    if signature is not None:
        with open_output(f"{backup}.trails{EXTENSION}", None, private=True) as write:
            write(signature.text().encode())


def _frame(data: bytes) -> bytes:
    return _LENGTH.pack(len(data)) + data


def _migrations() -> list[list[str]]:
    """The migrations that the database has had, of our own applications."""
    return sorted(
        [app, name]
        for app, name in MigrationRecorder(connection).applied_migrations()
        if app in _OWN
    )


def _read_sqlite() -> Iterator[tuple[str, Iterator[bytes]]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "copy"
        connection.ensure_connection()
        with closing(sqlite3.connect(path)) as copy:
            connection.connection.backup(copy)
        yield "sqlite", _read_blocks(path)


def _read_blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def _read_tables() -> Iterator[tuple[str, Iterator[bytes]]]:
    with read_snapshot(is_long=True):
        for model in _sorted_models():
            yield model._meta.db_table, _copy_rows(model)


def _copy_rows(model: type[models.Model]) -> Iterator[bytes]:
    table, columns = _quote_names(model._meta.db_table, _columns(model))
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) TO STDOUT") as copy:
        rows = bytearray()
        for row in copy:
            rows += row
            if len(rows) >= _BLOCK:
                yield bytes(rows)
                rows.clear()
        if rows:
            yield bytes(rows)


def _columns(model: type[models.Model]) -> list[str]:
    return [str(field.column) for field in model._meta.concrete_fields]


def _quote_names(table: str, columns: Iterable[str]) -> tuple[str, str]:
    quote = connection.ops.quote_name
    return quote(table), ", ".join(map(quote, columns))


def _sorted_models() -> list[type[models.Model]]:
    """Every model with a table of its own, after those that its rows refer to."""
    tables = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    ]
    references: dict[Any, list[Any]] = {
        model: [
            field.related_model
            for field in model._meta.concrete_fields
            if field.related_model in tables and field.related_model is not model
        ]
        for model in tables
    }
    return list(TopologicalSorter(references).static_order())


def restore(source: Stream) -> list[str]:
    """Fill a fresh database; all of it or nothing. One that an older version wrote is migrated.

    Returns a warning for each key of this installation that is not that of the backup. Raises
    BackupError.
    """
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
    # One that an older version wrote is brought up to date.
    call_command("migrate", verbosity=0)
    own, its = key_fingerprints(), head.get("keys", {})
    others = {name for name, fingerprint in dict(its).items() if fingerprint != own.get(name)}
    return [words for name, words in OTHER_KEYS.items() if name in others]


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


def _restore_tables(reader: "_Reader", head: dict[str, Any]) -> None:
    is_older = head.get("migrations") != _migrations()
    known = {model._meta.db_table: _columns(model) for model in _sorted_models()}
    if is_older:
        if not isinstance(head.get("columns"), dict):
            raise BackupError("it was written by a version before 0.3.0; use that to restore it")
        known = head["columns"]
        if not all(name.isidentifier() for name in chain(known, *known.values())):
            raise BackupError("the file is damaged")
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 0")
            if is_older:
                _build_schema(cursor, [(app, name) for app, name in head["migrations"]])
            else:
                prefer_indexes(afresh=True)
                for model in reversed(_sorted_models()):
                    if model._meta.app_label in _MADE_BY_MIGRATE:
                        cursor.execute(f"DELETE FROM {_quote_names(model._meta.db_table, [])[0]}")  # noqa: S608 (our own name)
            for name, blocks in reader.parts():
                if name not in known:
                    raise BackupError(f"this program has no table {name[:60]!r}")
                table, columns = _quote_names(name, known[name])
                with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                    for block in blocks:
                        copy.write(block)
            for name, columns_of in known.items():
                if "id" in columns_of:
                    _reset_sequence(cursor, name)
        reader.check()


def unpacked_bytes(path: Path) -> int:
    """Return the size of a backup as it is unpacked, about that of the database.

    The whole file is read: the foot of a gzip file has the size modulo 4 GiB only. Of a damaged one
    it is what can be read.
    """
    with path.open("rb") as file:
        is_packed = file.read(len(_GZIP_HEAD)) == _GZIP_HEAD
        if not is_packed:
            return path.stat().st_size
        file.seek(0)
        unpacking, size = zlib.decompressobj(_GZIP), 0
        with suppress(zlib.error):
            while block := file.read(_PACKED_BLOCK):
                size += len(unpacking.decompress(block))
        return size


def _build_schema(cursor: Any, wanted: list[tuple[str, str]]) -> None:
    """Build the tables of a fresh database anew, as they were after these migrations.

    Raises BackupError for migrations that this version does not have.
    """
    loader = MigrationExecutor(connection).loader
    replaced = {old for migration in loader.disk_migrations.values() for old in migration.replaces}
    if unknown := [name for name in wanted if name not in {*loader.disk_migrations, *replaced}]:
        raise BackupError(f"it was written by a newer version: {unknown[0][1][:80]} is unknown")
    tables = [*(model._meta.db_table for model in _sorted_models()), "django_migrations"]
    cursor.execute(f"DROP TABLE IF EXISTS {_quote_names('', tables)[1]} CASCADE")
    # What the triggers called; those of extensions are not ours.
    cursor.execute(
        "SELECT p.oid::regprocedure::text FROM pg_proc p"
        " WHERE p.pronamespace = current_schema()::regnamespace AND NOT EXISTS"
        " (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')"
    )
    for (function,) in cursor.fetchall():
        cursor.execute(f"DROP FUNCTION {function} CASCADE")
    executor = MigrationExecutor(connection)
    nodes = executor.loader.graph.leaf_nodes()
    # Of other applications all: theirs do not follow our versions.
    plan = [
        (one, is_backwards)
        for one, is_backwards in executor.migration_plan(nodes, clean_start=True)
        if one.app_label not in _OWN or (one.app_label, one.name) in wanted
    ]
    executor.migrate(nodes, plan)


def _reset_sequence(cursor: Any, table: str) -> None:
    """Let the next number of a table come after those that were restored."""
    name = connection.ops.quote_name(table)
    cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", [name])
    (sequence,) = cursor.fetchone()
    if sequence is not None:
        cursor.execute(
            f"SELECT setval(%s, coalesce(max(id), 1), max(id) IS NOT NULL) FROM {name}",  # noqa: S608 (our own name)
            [sequence],
        )


class _Reader:
    """A backup while it is read, with the digest of what was read of it."""

    def __init__(self, source: Stream) -> None:
        self._source = source
        self._digest = hashlib.sha256()
        first = source.read(_PACKED_BLOCK)
        self._unpacking = zlib.decompressobj(_GZIP) if first.startswith(_GZIP_HEAD) else None
        self._rest = self._unpack(first)

    def _unpack(self, block: bytes) -> bytes:
        try:
            return self._unpacking.decompress(block) if self._unpacking else block
        except zlib.error as error:
            raise BackupError("the file is damaged") from error

    def _read_more(self) -> None:
        block = self._source.read(_PACKED_BLOCK)
        if not block:
            raise BackupError("the file breaks off")
        self._rest += self._unpack(block)

    def _take(self, size: int) -> bytes:
        while len(self._rest) < size:
            self._read_more()
        found, self._rest = self._rest[:size], self._rest[size:]
        self._digest.update(found)
        return found

    def head(self) -> dict[str, Any]:
        """Return the head of the file. Raises BackupError for one that is no backup."""
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
        while self._unpacking and not self._unpacking.eof:
            self._read_more()
