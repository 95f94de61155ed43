"""The catalogues: whole, in every form, with the fields of what they translate, and compiled.

Whoever has new words for people runs `manage.py messages` and translates what is new.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from django.conf import settings

from config.management.commands.messages import (
    collect,
    library_part,
    library_path,
    read_catalogue,
    to_mo,
    to_po,
    untranslated_messages,
    update_catalogue,
)

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
FIELD = re.compile(r"%\(\w+\)[a-z]|%[a-z%]|\{\w*\}")
FORMAL = re.compile(r"(?<=[a-zäöüß] )(?:Sie|Ihr|Ihre[mnrs]?|Ihnen)\b")
"""A capital within a sentence: the formal address, where the house says *du*."""
every_language = pytest.mark.parametrize("language", LANGUAGES)


def path_of(language: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.po"


@cache
def collected() -> Catalog:
    return collect(settings.BASE_DIR)


def messages(language: str) -> Iterator[tuple[Message, str, str]]:
    """Every message of a language, each form of it in English and translated."""
    for one in read_catalogue(path_of(language)):
        if isinstance(one.id, tuple | list) and isinstance(one.string, tuple | list):
            for place, text in enumerate(one.string):
                yield one, one.id[min(place, 1)], text
        elif one.id:
            yield one, str(one.id), str(one.string)


@every_language
def test_everything_that_is_said_is_in_the_catalogue_and_nothing_else(language: str) -> None:
    path = path_of(language)
    assert to_po(update_catalogue(read_catalogue(path), collected())) == path.read_bytes()


@every_language
def test_everything_is_translated_in_every_form(language: str) -> None:
    assert untranslated_messages(read_catalogue(path_of(language))) == []


@every_language
def test_nobody_has_to_look_at_a_translation_again(language: str) -> None:
    assert [one.id for one in read_catalogue(path_of(language)) if one.id and one.fuzzy] == []


@every_language
def test_a_translation_has_the_fields_of_what_it_translates(language: str) -> None:
    wrong = [
        english
        for _message, english, text in messages(language)
        if sorted(FIELD.findall(text)) != sorted(FIELD.findall(english))
    ]
    assert wrong == []


@every_language
def test_a_translation_begins_and_ends_as_what_it_translates(language: str) -> None:
    wrong = [
        english
        for _message, english, text in messages(language)
        if (text[:1].isspace(), text[-1:].isspace())
        != (english[:1].isspace(), english[-1:].isspace())
        or (english[-1:] in "?…") != (text[-1:] in "?…")
    ]
    assert wrong == []


@every_language
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    path = path_of(language)
    assert path.with_suffix(".mo").read_bytes() == to_mo(read_catalogue(path))
    library = library_part(read_catalogue(path))
    assert library_path(language).read_bytes() == to_mo(library)
    assert "Entry fees" not in library


def test_calls_with_literal_words_are_collected_wherever_they_stand() -> None:
    found = {(one.id, one.context) for one in collected()}
    assert {
        ("{card} does not follow {suit}", None),
        (("{count} chip", "{count} chips"), None),
        ("Accepted", "state"),
        ("Entry fees", None),
        ("Paid", "button"),
    } <= found


def test_german_says_du_to_whoever_reads_it() -> None:
    assert [text for _one, _english, text in messages("de") if FORMAL.search(text)] == []
