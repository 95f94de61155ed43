"""The files that the page at a table needs: few and small, so that the phone can keep them all."""

import gzip
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import reverse

from scoring.web.phone.linking import link

STYLES: Final = ("css/tokens.css", "css/base.css", "css/phone.css")
START: Final = "start"
"""The module that all begins with; it says what else is needed."""
ICON: Final = "favicon.svg"


@dataclass(frozen=True, slots=True)
class Joined:
    """Several files as one, under a name that is another one for every change."""

    name: str
    kind: str
    content: bytes
    packed: bytes

    @property
    def address(self) -> str:
        """Where it is served."""
        return reverse("phone-file", args=[self.name])


def script() -> Joined:
    """All modules of the page as one script."""
    folder = _path(f"js/phone/{START}.js").parent
    return _joined("js", _script, tuple(sorted(folder.glob("*.js"))))


def style() -> Joined:
    """All style sheets of the page as one."""
    return _joined("css", _style, tuple(map(_path, STYLES)))


def joined(name: str) -> Joined | None:
    """What is served under a name; None for one that is not of now."""
    return next((one for one in (script(), style()) if one.name == name), None)


def addresses() -> list[str]:
    """Where the browser finds them all."""
    return [style().address, script().address, staticfiles_storage.url(ICON)]


def edition(page: str) -> str:
    """A short digest of the page and of what is in its files: another one for every change."""
    found = hashlib.sha256(page.encode())
    for address in addresses():
        found.update(address.encode())
    found.update(_path(ICON).read_bytes())
    return found.hexdigest()[:16]


def _path(name: str) -> Path:
    path = finders.find(name)
    assert path is not None, name
    return Path(path)


def _script(paths: tuple[Path, ...]) -> str:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in paths}
    return link(START, texts.__getitem__)


def _style(paths: tuple[Path, ...]) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in paths)


def _joined(kind: str, join: Callable[[tuple[Path, ...]], str], paths: tuple[Path, ...]) -> Joined:
    return _made(kind, join, paths, tuple(path.stat().st_mtime_ns for path in paths))


@lru_cache(maxsize=4)
def _made(
    kind: str,
    join: Callable[[tuple[Path, ...]], str],
    paths: tuple[Path, ...],
    _changed: tuple[int, ...],
) -> Joined:
    content = join(paths).encode()
    name = f"table-{hashlib.sha256(content).hexdigest()[:12]}.{kind}"
    return Joined(name, kind, content, gzip.compress(content, mtime=0))
