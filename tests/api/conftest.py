"""What all tests of the API share: clean counters, and people who ask."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def fresh_counters() -> None:
    cache.clear()
