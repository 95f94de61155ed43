"""The static files as `serve` collects them, for tests of what a browser gets."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

_BACKEND = {"BACKEND": "config.running.static_files.StaticFilesStorage"}


@contextmanager
def collected_files(folder: Path) -> Iterator[None]:
    """Collect our own files into ``folder``; pages name them there meanwhile."""
    with override_settings(
        STATIC_ROOT=folder,
        STORAGES={**settings.STORAGES, "staticfiles": _BACKEND},
        STATICFILES_FINDERS=["django.contrib.staticfiles.finders.FileSystemFinder"],
    ):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield
