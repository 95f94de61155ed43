"""Django set up, in a data folder of its own, unless the process has set it up already.

Whoever needs tables imports this before them; the other benchmarks run without Django.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import parent_process
from pathlib import Path
from tempfile import TemporaryDirectory

import django
from django.apps import apps
from django.core.management import call_command
from django.db import connections

if not apps.ready:
    if parent_process() is None:  # others of a pool share the folder of the first
        _folder = TemporaryDirectory(prefix="painsuit-bench-")  # goes when the process does
        (Path(_folder.name) / "static").mkdir()
        os.environ["PAINSUIT_DATA"] = _folder.name
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()


@contextmanager
def database() -> Iterator[None]:
    """An empty database in that folder, or DATABASE_URL's."""
    call_command("migrate", verbosity=0)
    yield
    connections.close_all()
