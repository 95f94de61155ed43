"""A language that nobody speaks: whatever is translated stands in brackets, from right to left.

It takes the place of Hebrew, of which Django knows that it is written from right to left.
"""

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.conf import settings
from django.test import override_settings

from config.management.commands.messages import read_catalogue, to_mo

CODE: Final = "he"
LOCALE: Final = Path(settings.LOCALE_PATHS[0])
_INNERMOST: Final = re.compile("⟦[^⟦⟧]*⟧")
_SKIPPED: Final = re.compile(
    r"https?://[^\s<\"]+|<(script|style|textarea|pre|code)\b.*?</\1>|<select[^>]*time_zone.*?</select>",
    re.DOTALL,
)
_READ_ALOUD: Final = re.compile(r'\b(?:aria-label|title|placeholder|alt|content)="([^"]*)"')
_WORD: Final = re.compile(r"[A-Za-z]{3,}")


@contextmanager
def spoken(folder: Path) -> Iterator[None]:
    """Let the pages speak it; the folder takes its catalogue."""
    made = folder / CODE / "LC_MESSAGES"
    made.mkdir(parents=True)
    catalogue = read_catalogue(LOCALE / "de" / "LC_MESSAGES" / "django.po")
    for one in catalogue:
        if one.id:
            is_plural = isinstance(one.id, tuple | list)
            one.string = tuple(map(_bracketed, one.id)) if is_plural else _bracketed(str(one.id))
    (made / "django.mo").write_bytes(to_mo(catalogue))
    languages = [*settings.LANGUAGES, (CODE, "⟦⟧")]
    with override_settings(LANGUAGES=languages, LOCALE_PATHS=[folder, LOCALE]):
        yield


def _bracketed(text: str) -> str:
    return f"⟦{text}⟧"


def untranslated(page: str, names: Iterator[str] | list[str]) -> list[str]:
    """The English words that a reader of a page meets, but for what people have named."""
    plain = _SKIPPED.sub(" ", page)
    spoken_of = [re.sub(r"<[^>]*>", "\n", plain), *_READ_ALOUD.findall(plain)]
    known = sorted(map(re.escape, filter(None, names)), key=len, reverse=True)
    named = re.compile(rf"(?<!\w)(?:{'|'.join(known)})(?!\w)")
    return [
        line.strip()
        for text in spoken_of
        for line in _bare(named.sub(" ", html.unescape(text))).splitlines()
        if _WORD.search(line)
    ]


def _bare(text: str) -> str:
    before = ""
    while before != text:
        before, text = text, _INNERMOST.sub(" ", text)
    return text
