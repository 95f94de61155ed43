"""What all tests of the API share: clean counters, and a database that threads can share."""

from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache

from tests.committing import shared_database

__all__ = ["files", "fresh_counters", "shared_database"]


@pytest.fixture(autouse=True)
def fresh_counters() -> None:
    cache.clear()


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Path) -> Path:
    """A folder for what jobs read and make."""
    settings.FILES = tmp_path / "files"
    return tmp_path / "files"
