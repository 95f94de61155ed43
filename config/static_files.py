"""Collect the static files under names that carry their hash, when they have changed."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Files under names that carry their hash, also in the imports of JavaScript modules."""

    support_js_module_import_aggregation = True
    max_post_process_passes = 20
    """A module's hash is right when those of its imports are: modules may lie so deep."""


def collect() -> bool:
    """Bring the collected files up to date; tell whether there was anything to do."""
    mark = Path(settings.STATIC_ROOT) / ".collected"
    now = _digest()
    if mark.exists() and mark.read_text(encoding="ascii") == now:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    mark.write_text(now, encoding="ascii")
    return True


def _digest() -> str:
    """Fingerprint names, sizes and times of the sources: reading them all would be slow."""
    total = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            facts = Path(storage.path(path)).stat()
            total.update(f"{path}\0{facts.st_size}\0{facts.st_mtime_ns}\n".encode())
    return total.hexdigest()
