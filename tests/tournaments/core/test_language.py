"""Messages of the engine and of the services in the language of the reader."""

import json
from typing import Any

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from engine.core.faults import Code
from engine.core.messages import Message, PluralMessage, Sentence
from engine.notation.diagnostics import RULES
from engine.rules.presets import PRESETS
from engine.rules.presets import TITLES as PRESET_TITLES
from engine.rules.rule_sheet import sheet
from engine.rules.switch_specs import SWITCHES
from tournaments.core.language import from_stored, to_stored, translate
from tournaments.core.text_fields import read_message, write_message
from tournaments.standings import ScoringRules
from tournaments.standings.season import SeasonRules

TYPED = [
    "hearts",
    "There is nothing at this address.",
    "{count} chips",
    "{0}",
    "{",
    "}}",
    "%(name)s",
    "100 %",
    "%s",
    '{"say": "hearts"}',
    '{"say": "{name}", "with": {"name": "Ann"}}',
    '{"sentence": {"say": "hearts"}}',
    "",
]
"""What a person may type: words of the catalogue, fields of templates, and what is stored."""


def in_german(value: Any) -> Any:
    with translation.override("de"):
        return translate(value)


def test_a_message_is_translated_with_the_messages_in_it() -> None:
    chips = PluralMessage("{count} chip", "{count} chips", count=3)
    assert in_german(Message("hearts")) == "Herz"
    assert in_german(Sentence(Message("{items} and {last}", items="Ann", last=chips))) == (
        "Ann und 3 Chips."
    )


def test_english_readers_get_the_message_itself() -> None:
    message = Message("hearts")
    assert translate(message) is message


def test_every_message_in_plain_data_is_translated_and_nothing_else() -> None:
    data = {"suit": Message("hearts"), "name": "hearts", "rows": [{"hint": [Message("spades"), 3]}]}
    assert in_german(data) == {"suit": "Herz", "name": "hearts", "rows": [{"hint": ["Pik", 3]}]}
    assert data["suit"] == "hearts"


@pytest.mark.parametrize("typed", TYPED)
def test_what_a_person_typed_is_never_translated_or_formatted(typed: str) -> None:
    assert in_german(typed) == typed
    assert in_german(Message("There is no round {number}.", number=typed)) == (
        f"Runde {typed} gibt es nicht."
    )
    assert in_german(from_stored(json.loads(json.dumps(to_stored({"why": typed}))))) == {
        "why": typed
    }
    assert in_german(read_message(write_message(typed))) == typed


@given(st.text())
def test_any_text_is_stored_and_read_as_it_is(typed: str) -> None:
    assert read_message(write_message(typed)) == typed
    assert in_german(read_message(write_message(typed))) == typed
    within = Message("There is no round {number}.", number=typed)
    assert in_german(read_message(write_message(within))) == f"Runde {typed} gibt es nicht."


def test_a_message_is_stored_as_its_template_and_its_arguments() -> None:
    message = Sentence(Message("It waits for hand {number}.", number=3))
    assert json.loads(write_message(message)) == {
        "sentence": {"say": "It waits for hand {number}.", "with": {"number": 3}}
    }
    assert read_message(write_message(message)) == message
    assert in_german(read_message(write_message(message))) == in_german(message)


def test_a_sentence_that_was_stored_before_is_shown_as_it_was_written() -> None:
    assert in_german(read_message("It waits for hand 3.")) == "It waits for hand 3."
    assert in_german(from_stored({"message": "There is no name"})) == {
        "message": "There is no name"
    }


def test_what_only_looks_like_a_message_is_somebodys_own_words() -> None:
    for stored in ('{"say": "{a.b}", "with": {"a": "x"}}', '{"say": 7}', '{"say": "unfinished'):
        assert in_german(read_message(stored)) == stored


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_sheet_of_every_preset_is_german(preset: str) -> None:
    english = [
        words
        for line in sheet(PRESETS[preset])
        for words in line
        if in_german(words) == words and len(words) > 6
    ]
    assert english == []


def test_every_question_and_every_choice_is_german() -> None:
    said: list[str] = [switch.question for switch in SWITCHES.values()]
    said += [words for code in Code for words in (code.words, code.details)]
    said += [*PRESET_TITLES.values()]
    said += [rule.title for rule in RULES.values()]
    said += [rule.hint for rule in RULES.values() if rule.hint]
    said += [*ScoringRules().describe(), *SeasonRules().describe()]
    assert [words for words in said if in_german(words) == words] == []
