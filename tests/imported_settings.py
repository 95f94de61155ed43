"""The settings of a test's own child process: those of the tests, and the database it uses."""

import os

from tests.settings import *  # noqa: F403

DATABASES["default"]["NAME"] = os.environ["TEST_DATABASE_NAME"]  # noqa: F405
