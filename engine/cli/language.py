"""The language of the terminal: messages in the words of the reader, chosen as programs choose.

``LANGUAGE``, ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` name languages; the first for which there is
a catalogue is taken, English where there is none. What programs read (JSON, CSV, records) is never
translated.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations
from itertools import takewhile
from typing import Final

from ..core.messages import Message

_UNTRANSLATED: Final = ("en", "C", "POSIX")
_active: Final[ContextVar[NullTranslations | None]] = ContextVar("translations", default=None)


def say(text: str) -> str:
    """A message in the reader's language; any other text as it is.

    >>> say(Message("Before trick {number}", number=3)), say("Ann")
    ('Before trick 3', 'Ann')
    """
    if not isinstance(text, Message) or (active := _active.get()) is None:
        return text
    return text.in_language(active.gettext, active.ngettext)


@contextmanager
def speaking(translations: NullTranslations) -> Iterator[None]:
    """`say` the messages of this block by a catalogue."""
    token = _active.set(translations)
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
