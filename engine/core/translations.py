"""Translations of the library's own messages, from the small catalogue that lies in the package."""

from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

from .messages import Message


@cache
def catalogue(*languages: str) -> NullTranslations:
    """The catalogue of the first of these languages that has one; English if none has."""
    return translation("painsuit", Path(__file__).parents[1] / "locale", languages, fallback=True)


def translate(text: str, *, language: str) -> str:
    """A message in a language, English if there is no catalogue for it; any other text as it is.

    >>> translate(Message("Before trick {number}", number=3), language="de")
    'Vor Stich 3'
    >>> translate(Message("stopped"), language="tlh"), translate("Ann", language="de")
    ('stopped', 'Ann')
    """
    if not isinstance(text, Message):
        return text
    words = catalogue(language)
    return text.in_language(words.gettext, words.ngettext)
