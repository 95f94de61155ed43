"""Fields: a value has the type that is asked for, or the request is refused naming it."""

import time
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from tournaments.api.fields import (
    Field,
    Flag,
    Form,
    Identifier,
    ListOf,
    Mapped,
    Moment,
    OneOf,
    Text,
    Whole,
    changes,
    form,
)
from tournaments.api.problems import ProblemError

SOME_ID = "0193f000-0000-7000-8000-00000000000a"


@pytest.mark.parametrize(
    ("field", "value", "read"),
    [
        (Text(), " Nora\u00a0Adams ", "Nora\u00a0Adams"),
        (Text(lines=True), "a\nb\tc", "a\nb\tc"),
        (Text(raw=True), " a\u202e\n", " a\u202e\n"),
        (Text(least=0), "", ""),
        (Text(nullable=True), None, None),
        (Whole(least=-5), -5, -5),
        (Flag(), False, False),
        (Identifier(), SOME_ID.upper(), UUID(SOME_ID)),
        (OneOf(of=("a", "b")), "b", "b"),
        (Moment(), "2026-11-21T20:15:00Z", datetime(2026, 11, 21, 20, 15, tzinfo=UTC)),
        (ListOf(of=Whole()), [1, 2], [1, 2]),
        (Mapped(of=Whole()), {"a": 1}, {"a": 1}),
        (form(a=Whole(), b=Flag(required=False)), {"a": 1}, {"a": 1}),
    ],
)
def test_a_value_of_the_right_type_is_read(field: Field, value: Any, read: Any) -> None:
    assert field.read(value, "it") == read


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        (Text(), 7, "TYPE"),
        (Text(), None, "TYPE"),
        (Text(), ["a"], "TYPE"),
        (Text(), " \u2003 ", "VALUE"),
        (Text(), "a\u2028b", "VALUE"),
        (Text(), "a\x85b", "VALUE"),
        (Text(), "\udfff", "ENCODING"),
        (Text(raw=True), "\ud800", "ENCODING"),
        (Text(raw=True), "a\0", "VALUE"),
        (Text(lines=True), "a\x1b[31m", "VALUE"),
        (Text(most=3), "abcd", "VALUE"),
        (Text(least=3), "ab", "VALUE"),
        (Whole(), True, "TYPE"),
        (Whole(), 7.0, "TYPE"),
        (Whole(), "7", "TYPE"),
        (Whole(), -1, "NUMBER_RANGE"),
        (Whole(), 10**30, "NUMBER_RANGE"),
        (Flag(), 1, "TYPE"),
        (Flag(), "true", "TYPE"),
        (Identifier(), SOME_ID.replace("-", ""), "VALUE"),
        (Identifier(), "urn:uuid:" + SOME_ID, "VALUE"),
        (Identifier(), 7, "TYPE"),
        (OneOf(of=("a",)), "A", "VALUE"),
        (OneOf(of=("1",)), 1, "TYPE"),
        (Moment(), "2026-11-21T20:15:00", "VALUE"),
        (Moment(), "2026-11-21", "VALUE"),
        (Moment(), "2026-11-21T25:00:00Z", "VALUE"),
        (Moment(), "2026-11-21T20:15:00\uff3a", "VALUE"),
        (Moment(), 7, "TYPE"),
        (ListOf(of=Whole()), {"0": 1}, "TYPE"),
        (ListOf(of=Whole(), most=2), [1, 2, 3], "VALUE"),
        (ListOf(of=Whole(), least=1), [], "VALUE"),
        (Mapped(of=Whole()), [], "TYPE"),
        (Mapped(of=Whole(), most=1), {"a": 1, "b": 2}, "VALUE"),
        (Mapped(of=Whole()), {"": 1}, "VALUE"),
        (form(a=Whole()), [], "TYPE"),
        (form(a=Whole()), {}, "KEY_REQUIRED"),
        (form(a=Whole()), {"a": 1, "b": 2}, "KEY_UNKNOWN"),
    ],
)  # fmt: skip
def test_any_other_value_is_refused(field: Field, value: Any, code: str) -> None:
    with pytest.raises(ProblemError) as error:
        field.read(value, "it")
    assert error.value.code == code
    assert error.value.where
    assert error.value.where["key"].startswith("it")


def test_what_is_wrong_within_is_named_from_the_outside() -> None:
    seats = form(seats=ListOf(of=form(player=Identifier(), chips=Whole(required=False))))
    with pytest.raises(ProblemError) as error:
        seats.read({"seats": [{"player": SOME_ID}, {"player": "x", "chips": -1}]}, "")
    assert error.value.where == {"key": "seats.1.player"}
    assert [one["where"]["key"] for one in error.value.more["errors"]] == [
        "seats.1.player",
        "seats.1.chips",
    ]


@pytest.mark.parametrize(
    ("field", "text", "read"),
    [(Whole(), "7", 7), (Whole(least=-9), "-9", -9), (Flag(), "true", True), (Text(), "a", "a")],
)
def test_words_in_an_address_are_read_by_their_type(field: Field, text: str, read: Any) -> None:
    assert Form(fields={"it": field}).of_query({"it": [text]}) == {"it": read}


@pytest.mark.parametrize("text", ["", "+7", "7 ", "1_0", "\u0667", "0x7", "7e0", "--7", "1" * 19])
def test_a_number_in_an_address_has_plain_digits(text: str) -> None:
    with pytest.raises(ProblemError):
        Form(fields={"it": Whole()}).of_query({"it": [text]})


def test_a_change_may_leave_out_every_key_but_not_empty_a_name() -> None:
    change = changes(form(name=Text(), note=Text(least=0)))
    assert change.read({}, "") == {}
    with pytest.raises(ProblemError):
        change.read({"name": ""}, "")


def test_a_field_describes_itself() -> None:
    schema = form(
        name=Text(most=5, words="As written."),
        suit=OneOf(of=("S", "H"), required=False, nullable=True),
        seats=ListOf(of=Whole(most=5), least=3, most=6),
    ).schema
    assert schema == {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "seats"],
        "properties": {
            "name": {
                "type": "string",
                "maxLength": 5,
                "minLength": 1,
                "description": "As written.",
            },
            "suit": {"type": ["string", "null"], "enum": ["S", "H", None]},
            "seats": {
                "type": "array",
                "items": {"type": "integer", "minimum": 0, "maximum": 5},
                "minItems": 3,
                "maxItems": 6,
            },
        },
    }


def test_a_long_text_is_read_at_once() -> None:
    text, field = '[Event "Club night"]\n' * 40_000, Text(most=10**6, raw=True)
    start = time.process_time()
    field.read(text, "text")
    assert time.process_time() - start < 0.05
