"""Messages: equal to their English text, translated by their template, stored as data."""

import copy
import json
import pickle
from collections.abc import Callable

import pytest

from engine.core.cards import card
from engine.core.messages import (
    Message,
    MessageError,
    PluralMessage,
    Sentence,
    from_json,
    join_items,
    join_with_and,
    join_with_or,
)
from engine.live.state import Phase

GERMAN = {
    "{card} does not follow {suit}": "{card} bedient {suit} nicht",
    "hearts": "Herz",
    "{seat} pays {chips}": "{chips} zahlt {seat}",
    "{items} and {last}": "{items} und {last}",
    "{items}, {last}": "{items}, {last}",
    "{message}.": "{message}.",
    "": "Content-Type: text/plain",
}
PLURALS = {"{count} chip": ("{count} Chip", "{count} Chips")}
WHY = Message("{card} does not follow {suit}", card="SQ", suit=Message("hearts"))
PAID = Message(
    "{seat} pays {chips}",
    seat="North",
    chips=PluralMessage("{count} chip", "{count} chips", count=1),
)
EVERY_KIND = (
    Message("no card is left over to choose"),
    WHY,
    PAID,
    PAID.arguments["chips"],
    Sentence(WHY),
    join_with_and(["H2", "H5", Message("hearts")]),
)


def ngettext(one: str, many: str, count: int) -> str:
    assert many
    return PLURALS[one][count != 1]


def in_german(message: Message) -> str:
    return message.in_language(lambda text: GERMAN.get(text, text), ngettext)


def test_a_message_is_its_english_text() -> None:
    assert WHY == "SQ does not follow hearts"
    assert hash(WHY) == hash("SQ does not follow hearts")
    assert type(str(WHY)) is str
    assert json.dumps({"message": WHY}) == '{"message": "SQ does not follow hearts"}'


def test_a_message_is_translated_with_the_messages_inside() -> None:
    assert in_german(WHY) == "SQ bedient Herz nicht"
    assert in_german(PAID) == "1 Chip zahlt North"
    assert in_german(Sentence(PAID)) == "1 Chip zahlt North."


def test_what_a_person_typed_is_not_translated() -> None:
    typed = Message("{seat} pays {chips}", seat="hearts", chips="nothing")
    assert in_german(typed) == "nothing zahlt hearts"


def test_an_empty_message_is_not_the_head_of_the_catalogue() -> None:
    assert in_german(Message("")) == ""


def test_an_argument_may_contain_braces() -> None:
    typed = Message("{seat} pays {chips}", seat="{chips}", chips="{0.__class__} {")
    assert typed == "{chips} pays {0.__class__} {"
    assert in_german(typed) == "{0.__class__} { zahlt {chips}"
    assert from_json(typed.as_json()) == typed


def test_an_argument_is_stored_as_it_is_shown() -> None:
    shown = Message("{card} in {phase} by {seat}", card=card("SQ"), phase=Phase.PLAY, seat=2)
    assert shown == "SQ in play by 2"
    assert shown.as_json()["with"] == {"card": "SQ", "phase": "play", "seat": 2}
    assert type(shown.as_json()["with"]["phase"]) is str
    assert from_json(shown.as_json()) == shown


def test_a_message_without_arguments_may_contain_braces() -> None:
    plain = Message("write { in front of a comment, and } behind it")
    assert plain == plain.template
    assert from_json(plain.as_json()) == plain


@pytest.mark.parametrize("message", EVERY_KIND, ids=str)
@pytest.mark.parametrize(
    "copied",
    [
        lambda message: pickle.loads(pickle.dumps(message)),  # noqa: S301 - our own bytes
        copy.copy,
        copy.deepcopy,
        lambda message: from_json(json.loads(json.dumps(message.as_json()))),
    ],
    ids=["pickle", "copy", "deepcopy", "json"],
)
def test_a_copy_is_the_same_message(message: Message, copied: Callable[[Message], Message]) -> None:
    again = copied(message)
    assert again == message
    assert type(again) is type(message)
    assert again.as_json() == message.as_json()
    assert in_german(again) == in_german(message)


def test_a_plain_text_was_stored_before_there_were_messages() -> None:
    assert from_json("SQ does not follow hearts") == "SQ does not follow hearts"


@pytest.mark.parametrize(
    "stored",
    [
        None,
        7,
        {},
        {"say": 7},
        {"say": "{name}", "with": ["Ann"]},
        {"say": "{name}", "with": {"other": "Ann"}},
        {"say": "{name!r}", "with": {"name": "Ann"}},
        {"say": "{name:>9999999}", "with": {"name": "Ann"}},
        {"say": "{name", "with": {"name": "Ann"}},
        {"say": "{name}", "with": {"name": 1.5}},
        {"say": "{count} chip", "plural": "{count} chips"},
        {"say": "{count} chip", "plural": "{count} chips", "with": {"count": "many"}},
        {"say": "{name}", "with": {"name": "Ann"}, "more": 1},
    ],
    ids=str,
)
def test_what_is_no_message_is_not_read_as_one(stored: object) -> None:
    with pytest.raises(ValueError, match=r"not a stored message|a plural needs a count"):
        from_json(stored)


def test_an_error_keeps_its_message() -> None:
    with pytest.raises(MessageError, match=r"^SQ does not follow hearts$") as caught:
        raise MessageError(WHY)
    assert caught.value.message is WHY


def test_one_item_is_no_enumeration() -> None:
    assert join_items(["H2"]) == join_with_and(["H2"]) == join_with_or(["H2"]) == "H2"
    assert join_with_or(["H2", "H3", "H4"]) == "H2, H3 or H4"
