"""Connections on which our limits do not hold are refused with what to do."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from config.running.database import check_limits

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such limits"),
]


def test_limits_that_a_pooler_keeps_back_are_named() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        with pytest.raises(ImproperlyConfigured) as refusal:
            check_limits(connection=connection)
        cursor.execute("SET LOCAL statement_timeout = '15s'")
    assert "SET statement_timeout = '15s';" in str(refusal.value)
    assert "lock_timeout" not in str(refusal.value)
    check_limits(connection=connection)
