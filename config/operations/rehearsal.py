"""Nightly backups into a folder, and rehearsals of a restore into a scratch database.

A rehearsal does what a person would do: `manage.py restore` and `manage.py verify`, with a data
folder that is thrown away; on PostgreSQL also with a schema that is thrown away.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final
from urllib.parse import quote

from django.conf import settings
from django.db import DatabaseError, connection

from config.env import env_secret
from config.operations.backups import back_up, unpacked_bytes, write_trails_beside
from config.running.data_folder import lock_within
from engine.cli.inputs import TroubleError
from engine.cli.outputs import open_output
from engine.core.messages import message_of
from tournaments.core.storage import LOW_BYTES, disk_space
from tournaments.models import BackupKind, BackupReport
from tournaments.models.limits import max_length

WEEK: Final = timedelta(days=6, hours=12)
"""A rehearsal is due after so long: less than a week, so that the night stays the same."""
LIMIT: Final = timedelta(hours=2)
"""How long one step of a rehearsal may take, and a backup."""
SCHEMA: Final = "painsuit_rehearsal"
BACKUP_NAMES: Final = "painsuit-????-??-??T??????Z.backup"
"""The names that `back_up_tonight` gives, as a pattern of `fnmatch`; others are left alone."""
_OUTCOME_MAX: Final = max_length(BackupReport, "outcome")


class RehearsalError(Exception):
    """A backup that could not be restored or verified, or a rehearsal that could not begin."""


def back_up_tonight(*, at: datetime) -> Path:
    """Write a backup into the folder, and delete all but the newest. Raises RehearsalError."""
    folder: Path = settings.BACKUPS_FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"painsuit-{at:%Y-%m-%dT%H%M%SZ}.backup"
    _require_space(_database_bytes())
    try:
        write_trails_beside(str(path), at=at)
        with open_output(str(path), None, private=True) as write:
            back_up(write)
    except (TroubleError, DatabaseError, OSError) as error:
        _delete_backup(path)
        raise RehearsalError(str(message_of(error))) from error
    for old in backups_in(folder)[settings.BACKUPS_KEPT :]:
        _delete_backup(old)
    for part in folder.glob(".painsuit-*.part"):  # left by one that a power cut ended
        if part.stat().st_mtime < (at - LIMIT).timestamp():
            part.unlink()
    return path


def _delete_backup(path: Path) -> None:
    """Delete a backup and the trails beside it."""
    for part in path.parent.glob(f"{path.name}*"):
        part.unlink(missing_ok=True)


def backups_in(folder: Path) -> list[Path]:
    """The backups in a folder, the newest first; their names say when they were written."""
    return sorted(folder.glob(BACKUP_NAMES), reverse=True)


def rehearse(source: Path) -> str:
    """Restore a backup into a scratch database and verify it there; return the output of `verify`.

    Raises RehearsalError with what was wrong with it.
    """
    if not source.is_file():
        raise RehearsalError(f"there is no file {source}")
    # The copy that is unpacked, and the database that it becomes.
    _require_space(2 * unpacked_bytes(source))
    scratch = settings.DATA.root / "rehearsal"
    shutil.rmtree(scratch, ignore_errors=True)  # left by a rehearsal that was killed
    scratch.mkdir(mode=0o700, parents=True)
    try:
        with _scratch_database() as scratch_environ:
            environ = {
                **os.environ,
                **scratch_environ,
                "PAINSUIT_DATA": str(scratch),
                "LC_ALL": "C.UTF-8",
            }
            _manage(environ, "restore", str(source))
            return _manage(environ, "verify")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


@contextmanager
def alone() -> Iterator[None]:
    """Let one backup or rehearsal at a time use the folder. Raises RehearsalError."""
    settings.DATA.root.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (settings.DATA.root / "rehearsal.lock").open("w") as handle:
        if not lock_within(handle, 0):
            raise RehearsalError("another backup or rehearsal is running")
        yield


def report(kind: BackupKind, path: Path, outcome: str, *, is_good: bool, at: datetime) -> None:
    """Store the outcome of a backup or rehearsal, for the desk."""
    values = {"at": at, "is_good": is_good, "file_name": path.name[:200]}
    values |= {"outcome": outcome[:_OUTCOME_MAX]}
    if is_good:
        values["good_at"] = at
    BackupReport.objects.update_or_create(kind=kind, defaults=values)


def is_rehearsal_due(at: datetime) -> bool:
    """Whether the last rehearsal was a week ago, or went wrong."""
    last = BackupReport.objects.filter(kind=BackupKind.REHEARSAL).first()
    return last is None or not last.is_good or last.at < at - WEEK


@contextmanager
def _scratch_database() -> Iterator[Mapping[str, str]]:
    """The environment of commands that are to work on an empty database of the same kind."""
    keys = {"PAINSUIT_SECRET_KEY": settings.SECRET_KEY}
    if settings.SIGNING_KEY:
        keys["PAINSUIT_SIGNING_KEY"] = settings.SIGNING_KEY
    url = env_secret("DATABASE_URL")
    if url is None:
        yield keys
        return
    schema = connection.ops.quote_name(SCHEMA)
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
            cursor.execute(f"CREATE SCHEMA {schema}")
    except DatabaseError as error:
        raise RehearsalError(f"no schema can be made to restore into: {error}") from error
    try:
        yield {**keys, "DATABASE_URL": f"{url}{'&' if '?' in url else '?'}schema={quote(SCHEMA)}"}
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP SCHEMA {schema} CASCADE")


def _manage(environ: Mapping[str, str], *words: str) -> str:
    """Run a management command; return the end of its output. Raises RehearsalError with it."""
    files = ("DATABASE_URL_FILE", "PAINSUIT_SECRET_KEY_FILE", "PAINSUIT_SIGNING_KEY_FILE")
    environ = {name: value for name, value in environ.items() if name not in files}
    try:
        done = subprocess.run(  # noqa: S603 (our own command, no shell)
            [sys.executable, str(settings.BASE_DIR / "manage.py"), *words],
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT.total_seconds(),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise RehearsalError(f"{words[0]} took longer than {LIMIT}") from None
    output = "\n".join((done.stdout + done.stderr).strip().splitlines()[-5:])
    if done.returncode:
        raise RehearsalError(f"{words[0]}: {output}")
    return output


def _database_bytes() -> int:
    if connection.vendor == "sqlite":
        name = Path(str(connection.settings_dict["NAME"]))
        return name.stat().st_size if name.is_file() else 0
    newest = backups_in(settings.BACKUPS_FOLDER)[:1]
    return sum(path.stat().st_size for path in newest)


def _require_space(needed: int) -> None:
    """Raise RehearsalError if writing so many bytes would leave too little free for new hands."""
    free = disk_space().free
    if free < needed + LOW_BYTES // 4:
        raise RehearsalError(f"the disk has too little space: {free // 2**20} MiB are free")
