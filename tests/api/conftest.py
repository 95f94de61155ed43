"""What all tests of the API share: clean counters, and a database that threads can share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection, connections


@pytest.fixture(autouse=True)
def fresh_counters() -> None:
    cache.clear()


@pytest.fixture
def shared_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """A database that really commits, for many threads: SQLite in a file, or the server.

    SQLite in memory locks in a way of its own that no installation ever sees.
    """
    if connection.vendor != "sqlite":
        request.getfixturevalue("transactional_db")
        yield
        return
    blocker = request.getfixturevalue("django_db_blocker")
    request.getfixturevalue("django_db_setup")
    with blocker.unblock():
        usual, settings = connections["default"], connections.settings["default"]
        connections.settings["default"] = {**settings, "NAME": str(tmp_path / "shared.sqlite3")}
        del connections["default"]
        call_command("migrate", verbosity=0)
        yield
        connections["default"].close()
        connections.settings["default"] = settings
        connections["default"] = usual
