"""Connections on which our limits do not hold are refused with what to do."""

from collections.abc import Iterator

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from config.running.database import LIMITS

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such limits"),
]


@pytest.fixture
def unlimited() -> Iterator[BaseDatabaseWrapper]:
    """A connection of its own on which one of our limits does not hold, as behind a pooler."""
    made = connection.copy("unlimited")
    limits = {name: value for name, value in LIMITS.items() if name != "statement_timeout"}
    options = " ".join(f"-c {name}={value}" for name, value in limits.items())
    made.settings_dict["OPTIONS"] = {**made.settings_dict["OPTIONS"], "options": options}
    yield made
    made.close()


def test_a_connection_without_our_limits_is_refused_at_every_query(
    unlimited: BaseDatabaseWrapper,
) -> None:
    for _query in range(2):
        with pytest.raises(ImproperlyConfigured, match="SET statement_timeout = '15s';"):
            unlimited.cursor()
        assert unlimited.connection is None


def test_limits_that_a_pooler_keeps_back_are_named(unlimited: BaseDatabaseWrapper) -> None:
    with pytest.raises(ImproperlyConfigured) as refusal:
        unlimited.ensure_connection()
    assert "SET statement_timeout = '15s';" in str(refusal.value)
    assert "lock_timeout" not in str(refusal.value)
