"""The reader's language: where messages of the engine and the services become text for somebody.

Pages, API, printed paper and the command line call `translate` on what they show. Only the
template of a `Message` and the messages inside it are translated; every other text is a name, a
number or somebody's own words, and stays as it is (docs/languages.md).
"""

from collections.abc import Mapping
from typing import Any, overload

from django.conf import settings
from django.utils.functional import lazy
from django.utils.translation import get_language, gettext, ngettext

from engine.core.messages import Message, from_json


@overload
def translate(value: str) -> str: ...


@overload
def translate(value: Any) -> Any: ...


def translate(value: Any) -> Any:
    """A message in the active language; in plain data every message that it contains.

    >>> translate({"why": Message("{n} of them", n=3), "name": "Ann"})
    {'why': '3 of them', 'name': 'Ann'}
    """
    return _translate(value) if is_translated() else value


translated_lazily = lazy(translate, str)
"""The same for labels of forms, which are made before there is a reader."""


def is_translated() -> bool:
    """Whether the active language is another one than that of the messages."""
    return get_language() not in (None, settings.LANGUAGE_CODE)


def _translate(value: Any) -> Any:
    match value:
        case Message():
            return value.in_language(gettext, ngettext)
        case Mapping():
            return {key: _translate(one) for key, one in value.items()}
        case list() | tuple():
            return [_translate(one) for one in value]
        case _:
            return value


def to_stored(value: Any) -> Any:
    """Plain data with every message in it as data, for a JSON column; `from_stored` undoes it."""
    match value:
        case Message():
            return value.as_json()
        case Mapping():
            return {key: to_stored(one) for key, one in value.items()}
        case list() | tuple():
            return [to_stored(one) for one in value]
        case _:
            return value


def from_stored(value: Any) -> Any:
    """Return the value given to `to_stored`; a text is somebody's own, or an old version's.

    >>> from_stored(to_stored([{"line": 3, "message": Message("there is no name")}]))
    [{'line': 3, 'message': 'there is no name'}]
    """
    match value:
        case {"say": str()} | {"sentence": dict()}:
            return from_json(value)
        case dict():
            return {key: from_stored(one) for key, one in value.items()}
        case list():
            return [from_stored(one) for one in value]
        case _:
            return value
