"""Child processes of tests: they use the database that the test uses."""

import os
import subprocess
import sys
from typing import Final

from django.db import connection


def environment() -> dict[str, str]:
    """That of a process that uses the same database."""
    found = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.imported_settings"}
    return {**found, "TEST_DATABASE_NAME": str(connection.settings_dict["NAME"])}


_RUN_MAIN: Final = """
import importlib, sys
import django
django.setup()
importlib.import_module(sys.argv[1]).main(*sys.argv[2:])
"""


def run_main(module: str, *words: str) -> int:
    """Call ``main`` of a module in a process of its own, and return the exit status."""
    command = [sys.executable, "-c", _RUN_MAIN, module, *words]
    return subprocess.run(command, env=environment(), check=False).returncode
