"""What all tests of the API share: clean counters, and a database that threads can share."""

import pytest
from django.core.cache import cache

from tests.committing import shared_database

__all__ = ["fresh_counters", "shared_database"]


@pytest.fixture(autouse=True)
def fresh_counters() -> None:
    cache.clear()
