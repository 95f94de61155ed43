"""A database that really commits, for tests with many threads."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from tests.migrated import copy_migrated, database_in


@pytest.fixture
def shared_database(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """The server as it is, or SQLite in a file.

    SQLite in memory locks in a way of its own that no installation ever sees.
    """
    if connection.vendor != "sqlite":
        yield
        return
    copy_migrated(tmp_path / "shared.sqlite3")
    with database_in(tmp_path / "shared.sqlite3"):
        yield
