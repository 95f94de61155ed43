"""Entity tags that are known before the work: digests of all that an answer is made of."""

import hashlib
import json
from functools import cache
from typing import Final

from django.conf import settings
from django.utils.translation import get_language

from engine import __version__

_FOLDERS: Final = ("config", "engine", "locale", "scoring", "static", "templates", "tournaments")
_SUFFIXES: Final = frozenset({".css", ".html", ".js", ".json", ".mo", ".py", ".svg", ".txt"})


def tag_of(facts: object) -> str:
    """Return an entity tag: other facts, another language or another program, another tag."""
    told = [program_stamp(), get_language(), facts]
    text = json.dumps(told, sort_keys=True, default=str)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


@cache
def program_stamp() -> str:
    """Return a digest of the deployed files: code, templates, translations, scripts and styles.

    It is made of their names, sizes and times of change, not of their contents, and only once in
    each process, so a process that runs on keeps the digest of the files it was started with.
    """
    whole = hashlib.sha256(__version__.encode())
    for folder in _FOLDERS:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.suffix in _SUFFIXES:
                about = path.stat()
                name = path.relative_to(settings.BASE_DIR)
                whole.update(f"{name} {about.st_size} {about.st_mtime_ns}\n".encode())
    return whole.hexdigest()[:16]
