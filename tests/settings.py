"""The settings under test: no variable of the caller's, and a data folder that does not exist.

A test that needs the folder makes one of its own; nothing here touches the disk. The database is
SQLite in memory, or the server that TEST_DATABASE_URL names (`python -m tests.postgresql` starts
one).
"""

import os
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from config.running.database import LIMITS
from tournaments.core import ids

NIGHT = datetime(2026, 11, 20, tzinfo=UTC)
OURS = ("REDIS_URL", "DATABASE_URL", "DATABASE_URL_FILE")
for name in [name for name in os.environ if name.startswith("PAINSUIT_") or name in OURS]:
    del os.environ[name]
if "TEST_DATABASE_URL" in os.environ:
    os.environ["DATABASE_URL"] = os.environ["TEST_DATABASE_URL"]
os.environ["PAINSUIT_DATA"] = str(Path(tempfile.gettempdir()) / f"painsuit-none-{os.getpid()}")
os.environ["PAINSUIT_BACKUPS"] = "0"  # a nightly task would begin one in another process
os.environ["PAINSUIT_SECRET_KEY"] = "a key that signs nothing outside the tests"

# A test that takes its time holds its transaction open all the while.
LIMITS["idle_in_transaction_session_timeout"] = "0"

from config.settings import *  # noqa: E402, F403

if "TEST_DATABASE_URL" not in os.environ:
    # tests/conftest.py copies a migrated database into it.
    DATABASES["default"]["TEST"] = {"MIGRATE": False}  # noqa: F405

# The password hash of production is slow on purpose; test_session.py tests it.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Nothing is collected for tests: files are found where they lie, under their plain names.
STORAGES["staticfiles"] = {  # noqa: F405
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

# The club night of the tests has a fixed date (tests/scoring/club.py). What ends a week later, as
# a code of a table does, ends later by the age of that night, so that tests do not go out of date.
NIGHTS_AGE = timedelta(days=max((datetime.now(UTC) - NIGHT).days, 0))
ids.LONGEST_LIFE += NIGHTS_AGE  # type: ignore[misc]  # final in the product

CACHES["files"] = {  # noqa: F405
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "LOCATION": "files",
}
