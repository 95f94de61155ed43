"""A migrated SQLite database, made once for each state of the migrations, and copied by tests."""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import django
from django.db import connection, connections

from config.running.data_folder import DataFolder

ROOT: Final = Path(__file__).parent.parent
CACHE: Final = ROOT / ".cache" / "tests"


@contextmanager
def database_in(path: Path) -> Iterator[None]:
    """Use the SQLite database in this file as the default one."""
    usual, settings = connections["default"], connections.settings["default"]
    connections.settings["default"] = {**settings, "NAME": str(path)}
    del connections["default"]
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"] = settings
        connections["default"] = usual


def copy_migrated(target: Path) -> None:
    """Put a migrated database without rows of ours into a new file."""
    shutil.copyfile(_migrated_file(), target)


def make_data_folder(root: Path) -> None:
    """Make a data folder for processes of their own, whose database is migrated already."""
    folder = DataFolder(root)
    folder.prepare()
    copy_migrated(folder.database)


def fill_migrated() -> None:
    """Make the default database, which is in memory, a copy of a migrated one."""
    connection.ensure_connection()
    with closing(sqlite3.connect(_migrated_file())) as source:
        source.backup(connection.connection)


def _migrated_file() -> Path:
    path = CACHE / f"migrated-{_digest_of_migrations()}.sqlite3"
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        # Two processes that do this at once make the same, and the second replaces the first.
        with TemporaryDirectory(dir=CACHE) as folder:
            made = DataFolder(Path(folder)).database
            # A process of its own: the tests may keep ours away from every database.
            subprocess.run(
                [sys.executable, str(ROOT / "manage.py"), "migrate", "--verbosity", "0"],
                env={"PATH": os.environ["PATH"], "PAINSUIT_DATA": folder},
                check=True,
            )
            with closing(sqlite3.connect(made)) as database:
                database.execute("PRAGMA journal_mode = DELETE")  # one file, which can be copied
            made.replace(path)
    return path


def _digest_of_migrations() -> str:
    """Of everything that an empty migrated database follows from."""
    found = hashlib.sha256(django.__version__.encode())
    for pattern in ("*/migrations/*.py", "*/models/*.py"):
        for path in sorted(ROOT.glob(pattern)):
            found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:16]
