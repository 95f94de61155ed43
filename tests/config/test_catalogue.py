"""The catalogues: whole, in every form, with the fields of what they translate, and compiled.

Whoever has new words for people runs `manage.py messages` and translates what is new.
"""

import re
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from config.catalogue import pages
from config.catalogue.gathering import gathered
from config.catalogue.messages import HEAD, Key, Message, compiled, read, written

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
DOMAINS = ("django",)
FIELD = re.compile(r"%\(\w+\)[a-z]|%[a-z%]|\{[^{}]*\}")
every_catalogue = pytest.mark.parametrize(
    ("language", "domain"), [(language, domain) for language in LANGUAGES for domain in DOMAINS]
)


def path_of(language: str, domain: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / f"{domain}.po"


@cache
def spoken(domain: str) -> dict[Key, Message]:
    return gathered(pages.found(settings.BASE_DIR), {})


def told(language: str, domain: str) -> dict[Key, Message]:
    return {key: one for key, one in read(path_of(language, domain)).items() if key != HEAD}


@every_catalogue
def test_everything_that_is_said_is_in_the_catalogue_and_nothing_else(
    language: str, domain: str
) -> None:
    known = told(language, domain)
    assert {key: one.plural for key, one in spoken(domain).items()} == {
        key: one.plural for key, one in known.items()
    }


@every_catalogue
def test_everything_is_translated_in_every_form(language: str, domain: str) -> None:
    missing = [one.key for one in told(language, domain).values() if not one.is_translated]
    assert missing == []


@every_catalogue
def test_nobody_has_to_look_at_a_translation_again(language: str, domain: str) -> None:
    assert [one.key for one in told(language, domain).values() if one.is_fuzzy] == []


@every_catalogue
def test_a_translation_has_the_fields_of_what_it_translates(language: str, domain: str) -> None:
    wrong = [
        one.key.id
        for one in told(language, domain).values()
        for text, english in zip(one.texts, (one.key.id, one.plural or one.key.id), strict=False)
        if sorted(FIELD.findall(text)) != sorted(FIELD.findall(english))
    ]
    assert wrong == []


@every_catalogue
def test_a_translation_begins_and_ends_as_what_it_translates(language: str, domain: str) -> None:
    wrong = [
        one.key.id
        for one in told(language, domain).values()
        for text in one.texts
        if (text[:1].isspace(), text[-1:].isspace())
        != (one.key.id[:1].isspace(), one.key.id[-1:].isspace())
        or (one.key.id[-1:] in "?…") != (text[-1:] in "?…")
    ]
    assert wrong == []


@every_catalogue
def test_what_is_compiled_is_what_is_written(language: str, domain: str) -> None:
    path = path_of(language, domain)
    messages = read(path)
    assert path.read_text("utf-8") == written(messages)
    assert path.with_suffix(".mo").read_bytes() == compiled(messages.values())


TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), include_characters="\n"),
    min_size=1,
    max_size=60,
)
HEADER = Message(HEAD, texts=("Content-Type: text/plain; charset=UTF-8\n",))


@given(st.dictionaries(TEXTS, TEXTS, max_size=8))
def test_a_file_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, kept: dict[str, str]
) -> None:
    messages = {Key(said_): Message(Key(said_), texts=(text,)) for said_, text in kept.items()}
    messages[HEAD] = HEADER
    path = tmp_path_factory.getbasetemp() / "some.po"
    path.write_text(written(messages), "utf-8", newline="")
    assert read(path) == messages
    table = GNUTranslations(BytesIO(compiled(messages.values())))
    assert all(table.gettext(said_) == text for said_, text in kept.items())
