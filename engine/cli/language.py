"""The language of the terminal: messages in the words of the reader, chosen as programs choose.

``LANGUAGE``, ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` name languages; the first for which there is
a catalogue is taken, English where there is none. The catalogues are those of the service; a wheel
holds a copy. What programs read (JSON, CSV, records) is never translated.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations, translation
from itertools import takewhile
from pathlib import Path
from typing import Final

from engine.core.messages import Message

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_FOLDERS: Final = (_PACKAGE / "locale", _PACKAGE.parent / "locale")
"""Where catalogues are: inside an installed library, beside the package in the repository."""
_UNTRANSLATED: Final = ("en", "C", "POSIX")
_active: Final[ContextVar[NullTranslations | None]] = ContextVar("translations", default=None)


def say(text: str) -> str:
    """A message in the reader's language; any other text as it is.

    >>> say(Message("Before trick {number}", number=3)), say("Ann")
    ('Before trick 3', 'Ann')
    """
    if not isinstance(text, Message):
        return text
    active = _active.get()
    return text if active is None else text.in_language(active.gettext, active.ngettext)


@contextmanager
def in_reader_language() -> Iterator[None]:
    """`say` the messages of this block as the environment asks for."""
    folder = next((one for one in _FOLDERS if one.is_dir()), None)
    token = _active.set(translation("django", folder, languages(), fallback=True))
    try:
        yield
    finally:
        _active.reset(token)


def languages() -> list[str]:
    """The languages that the environment names before English, the most wanted first."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if named := os.environ.get(variable):
            return [*takewhile(lambda one: not one.startswith(_UNTRANSLATED), named.split(":"))]
    return []
