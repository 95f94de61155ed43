"""The files that the page at a table needs: few and small, so that the phone can keep them all."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

STYLES: Final = ("css/tokens.css", "css/base.css", "css/phone.css")
SCRIPTS: Final = "js/phone"
START: Final = "start.js"
"""The module that all begins with; it imports the others."""
ICON: Final = "favicon.svg"


@cache
def scripts() -> tuple[str, ...]:
    """The names of all modules of the page, the one that it begins with first."""
    folder = finders.find(SCRIPTS)
    assert folder is not None
    found = sorted(path.name for path in Path(folder).glob("*.js"))
    found.sort(key=lambda name: name != START)
    return tuple(f"{SCRIPTS}/{name}" for name in found)


def addresses() -> list[str]:
    """Where the browser finds them all."""
    return [staticfiles_storage.url(name) for name in (*STYLES, *scripts(), ICON)]


def edition(page: str) -> str:
    """A short digest of the page, which names its files: another one for every change."""
    return hashlib.sha256(page.encode()).hexdigest()[:16]
