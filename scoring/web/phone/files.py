"""The files that a page on a phone needs: few and small, so that the phone can keep them all."""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage, staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

SCRIPTS: Final = "js/phone"
ICON: Final = "favicon.svg"
FONTS: Final = (
    "css/fonts.css",
    "fonts/sans-latin-400.woff2",
    "fonts/sans-latin-600.woff2",
    "fonts/serif-latin-600.woff2",
)
"""The typeface, which comes once a hand can be told; phones keep what Latin letters need."""
_IMPORTED: Final = re.compile(r'\bfrom "\./(\w+)\.js"')


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page that a phone keeps, to open it without a network.

    ``start`` is the module that all begins with; it imports the others. Where files are collected,
    ``shared`` has what it imports, and ``later`` are those that it fetches once it is shown.
    """

    name: str
    styles: tuple[str, ...]
    start: str
    shared: str
    later: tuple[str, ...] = ()

    def scripts(self) -> list[str]:
        """Return the names of all scripts of the page, also of those that it fetches later."""
        if _are_bundled():
            return [_name(one) for one in (self.start, self.shared, *self.later)]
        return [_name(one) for one in _modules(self.start, *self.later)]

    def first_scripts(self) -> list[str]:
        """Return the names of the scripts without which nothing is shown."""
        bundled = (self.start, self.shared)
        return [_name(one) for one in (bundled if _are_bundled() else _modules(self.start))]

    def addresses(self) -> list[str]:
        """Return the addresses of all files for the browser."""
        names = (*self.styles, *FONTS, *self.scripts(), ICON)
        return [staticfiles_storage.url(name) for name in names]


TABLE: Final = KeptPage(
    name="table",
    styles=("css/tokens.css", "css/base.css", "css/phone.css", "css/phone-cards.css"),
    start="start",
    shared="shared",
    later=("screens",),
)
"""The page at a table."""
PRACTICE: Final = KeptPage(
    name="practice",
    styles=(*TABLE.styles, "css/practice.css"),
    start="practice",
    shared="practice_parts",
)
"""The practice table."""


@cache
def _modules(*first: str) -> list[str]:
    """Modules with all that they import."""
    names = list(first)
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


def edition(page: str) -> str:
    """A short digest of the page, which names its files: another one for every change."""
    return hashlib.sha256(page.encode()).hexdigest()[:16]


def worker_response(
    request: HttpRequest, kept: KeptPage, *, page: HttpResponse, at: str, language: str
) -> HttpResponse:
    """The service worker that keeps a page and its files; ``at`` is the address of the page."""
    context = {
        "name": kept.name,
        "page": at,
        "edition": edition(page.content.decode()),
        "addresses": json.dumps(kept.addresses()),
        "static": settings.STATIC_URL,
        "language": language,
    }
    answer = render(request, "phone/worker.js", context, content_type="text/javascript")
    answer["Cache-Control"] = "no-cache"
    return answer
