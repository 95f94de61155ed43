"""The files that the page at a table needs: few and small, so that the phone can keep them all."""

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

STYLES: Final = ("css/tokens.css", "css/base.css", "css/phone.css", "css/phone-cards.css")
FONTS: Final = (
    "css/fonts.css",
    "fonts/sans-latin-400.woff2",
    "fonts/sans-latin-600.woff2",
    "fonts/serif-latin-600.woff2",
)
"""The typeface, which comes once a hand can be told; phones keep what Latin letters need."""
SCRIPTS: Final = "js/phone"
START: Final = "start.js"
"""The module that all begins with; it imports the others."""
ICON: Final = "favicon.svg"
_IMPORTED: Final = re.compile(r'\bfrom "\./([^"]+)"')


@cache
def scripts() -> tuple[str, ...]:
    """The names of all modules of the page, also of those that it fetches later."""
    folder = finders.find(SCRIPTS)
    assert folder is not None
    return tuple(f"{SCRIPTS}/{path.name}" for path in sorted(Path(folder).glob("*.js")))


@cache
def first_scripts() -> tuple[str, ...]:
    """The names of the modules without which nothing is shown: what the first one imports."""
    names = [START]
    for name in names:
        path = finders.find(f"{SCRIPTS}/{name}")
        assert path is not None
        imported = _IMPORTED.findall(Path(path).read_text(encoding="utf-8"))
        names += [one for one in dict.fromkeys(imported) if one not in names]
    return tuple(f"{SCRIPTS}/{name}" for name in names)


def addresses() -> list[str]:
    """Return the addresses of all files for the browser."""
    return [staticfiles_storage.url(name) for name in (*STYLES, *FONTS, *scripts(), ICON)]


def edition(page: str) -> str:
    """A short digest of the page, which names its files: another one for every change."""
    return hashlib.sha256(page.encode()).hexdigest()[:16]
