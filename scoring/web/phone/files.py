"""The files that the page at a table needs: few and small, so that the phone can keep them all."""

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage, staticfiles_storage

STYLES: Final = ("css/tokens.css", "css/base.css", "css/phone.css", "css/phone-cards.css")
FONTS: Final = (
    "css/fonts.css",
    "fonts/sans-latin-400.woff2",
    "fonts/sans-latin-600.woff2",
    "fonts/serif-latin-600.woff2",
)
"""The typeface, which comes once a hand can be told; phones keep what Latin letters need."""
SCRIPTS: Final = "js/phone"
START: Final = "start"
"""The module that all begins with; it imports the others."""
SHARED: Final = "shared"
LATER: Final = "screens"
"""The files beside it where they are collected: what it imports, and what it fetches later."""
ICON: Final = "favicon.svg"
_IMPORTED: Final = re.compile(r'\bfrom "\./(\w+)\.js"')


def scripts() -> list[str]:
    """Return the names of all scripts of the page, also of those that it fetches later."""
    if _are_bundled():
        return [_name(one) for one in (START, SHARED, LATER)]
    folder = finders.find(SCRIPTS)
    assert folder is not None
    return [f"{SCRIPTS}/{path.name}" for path in sorted(Path(folder).glob("*.js"))]


def first_scripts() -> list[str]:
    """Return the names of the scripts without which nothing is shown: what the first imports."""
    return [_name(one) for one in ((START, SHARED) if _are_bundled() else _first_modules())]


@cache
def _first_modules() -> list[str]:
    names = [START]
    for name in names:
        path = finders.find(_name(name))
        assert path is not None
        imported = _IMPORTED.findall(Path(path).read_text(encoding="utf-8"))
        names += [one for one in dict.fromkeys(imported) if one not in names]
    return names


def _name(script: str) -> str:
    return f"{SCRIPTS}/{script}.js"


def _are_bundled() -> bool:
    """Modules are put together where files are collected (``config.running.static_files``)."""
    return isinstance(staticfiles_storage, ManifestStaticFilesStorage)


def addresses() -> list[str]:
    """Return the addresses of all files for the browser."""
    return [staticfiles_storage.url(name) for name in (*STYLES, *FONTS, *scripts(), ICON)]


def edition(page: str) -> str:
    """A short digest of the page, which names its files: another one for every change."""
    return hashlib.sha256(page.encode()).hexdigest()[:16]
