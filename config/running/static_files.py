"""Collect the static files under names that carry their hash, when they have changed."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage
from django.core.management import call_command
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.running.script_bundles import bundle_modules
from scoring.web.phone.files import PRACTICE, SCRIPTS, TABLE

_MINIFIERS: Final[dict[tuple[str, str], Callable[[bytes], bytes]]] = {
    ("css", ".css"): cssmin,
    ("js", ".js"): jsmin,
}
"""By folder and suffix: ours alone, those of libraries stay as they came."""
_IMPORTED_STYLE: Final = re.compile(r'@import "([\w-]+\.css)";')
"""A stylesheet of the same folder, as `static/css` names it."""


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Files without comments and indents, under names that carry their hash.

    So do the imports of JavaScript modules name each other. Those of each page of a phone are
    put into few files, and a stylesheet has in it what it imports: each file costs a turn.
    """

    support_js_module_import_aggregation = True
    max_post_process_passes = 20
    """A module's hash is right when those of its imports are: modules may lie so deep."""

    def post_process(self, paths: dict[str, Any], **options: Any) -> Any:
        modules = {name: "" for name in paths if PurePath(name).parent == PurePath(SCRIPTS)}
        for name in modules:
            modules[name] = _read(paths.pop(name))
            self.delete(name)
        texts = {PurePath(name).stem: text for name, text in modules.items()}
        for page in (TABLE, PRACTICE) if texts else ():
            for stem, text in bundle_modules(texts, page.start, page.shared).items():
                name = f"{SCRIPTS}/{stem}.js"
                paths[name] = (self, self._save(name, ContentFile(text.encode())))
        for name in [name for name in paths if PurePath(name).parent == PurePath("css")]:
            text = _read(paths[name])
            whole = _IMPORTED_STYLE.sub(lambda one: _read(paths[f"css/{one[1]}"]), text)
            if whole != text:
                self.delete(name)
                paths[name] = (self, self._save(name, ContentFile(whole.encode())))
        return super().post_process(paths, **options)

    def _save(self, name: str, content: "File[bytes]") -> str:
        path = PurePath(name)
        minify = _MINIFIERS.get((path.parts[0], path.suffix))
        if minify is not None:
            content = ContentFile(minify(b"".join(content.chunks())))
        saved: str = super()._save(name, content)
        return saved


def _read(source: tuple[Storage, str]) -> str:
    storage, path = source
    with storage.open(path) as file:
        text: str = file.read().decode()
    return text


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
