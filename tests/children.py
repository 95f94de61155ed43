"""Child processes of tests: they use the database that the test uses."""

import os

from django.db import connection


def environment() -> dict[str, str]:
    """That of a process that uses the same database."""
    found = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.imported_settings"}
    return {**found, "TEST_DATABASE_NAME": str(connection.settings_dict["NAME"])}
