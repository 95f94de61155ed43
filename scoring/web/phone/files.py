"""The files that the page at a table needs, so that the phone can keep all of them."""

import hashlib
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

STYLES: Final = ("css/tokens.css", "css/base.css", "css/phone.css")
START: Final = "js/phone/start.js"
MODULES: Final = tuple(
    f"js/phone/{name}.js"
    for name in (
        *("acts", "ahead", "answers", "api", "cards", "changes", "counting", "course"),
        *(
            "dom",
            "drafts",
            "forecast",
            "identifiers",
            "keys",
            "outbox",
            "pad",
            "page",
            "papers",
            "passing",
            "picking",
            "reading",
            "review",
        ),
        *("screen", "sha256", "store", "strip", "telling", "waiting", "words"),
    )
)
"""What the first script imports, by addresses beside its own."""
ICON: Final = "favicon.svg"


def addresses() -> list[str]:
    """Where the browser finds them all."""
    named = [staticfiles_storage.url(name) for name in (*STYLES, START, ICON)]
    return [*named, *(f"/{settings.STATIC_URL.strip('/')}/{name}" for name in MODULES)]


def edition(page: str) -> str:
    """A short digest of the page and of what is in its files: another one for every change."""
    found = hashlib.sha256(page.encode())
    for name in (*STYLES, START, *MODULES, ICON):
        path = finders.find(name)
        assert path is not None, name
        found.update(Path(path).read_bytes())
    return found.hexdigest()[:16]
