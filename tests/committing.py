"""A database that really commits, for tests with many threads."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, connections


@pytest.fixture
def shared_database(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """The server as it is, or SQLite in a file.

    SQLite in memory locks in a way of its own that no installation ever sees.
    """
    if connection.vendor != "sqlite":
        yield
        return
    usual, settings = connections["default"], connections.settings["default"]
    connections.settings["default"] = {**settings, "NAME": str(tmp_path / "shared.sqlite3")}
    del connections["default"]
    call_command("migrate", verbosity=0)
    yield
    connections["default"].close()
    connections.settings["default"] = settings
    connections["default"] = usual
