"""Serializers: a value has the type that is asked for, or the request is refused naming it."""

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest
from rest_framework.exceptions import ValidationError

from tests.api.test_permissions import ENDPOINTS
from tournaments.api.exceptions import ProblemError, validation_problem
from tournaments.api.serializers import (
    AnyField,
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    DateTimeField,
    DictField,
    EmailField,
    IntegerField,
    JSONObjectField,
    ListField,
    StrictSerializer,
    UUIDField,
)

SOME_ID = "0193f000-0000-7000-8000-00000000000a"


class AB(StrictSerializer):
    a = IntegerField()
    b = BooleanField(required=False)


class SeatSerializer(StrictSerializer):
    player = UUIDField()
    chips = IntegerField(required=False, min_value=0)


def read(field: AnyField, value: Any) -> Any:
    """What an object holds under the key "it"."""
    return serializer_of(field).read({"it": value})["it"]


def serializer_of(field: AnyField) -> type[StrictSerializer]:
    found: type[StrictSerializer] = type("Body", (StrictSerializer,), {"it": field})
    return found


def refused(field: AnyField, value: Any) -> ProblemError:
    with pytest.raises(ValidationError) as error:
        read(field, value)
    return validation_problem(error.value.detail)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        (CharField(), " Nora\u00a0Adams ", "Nora\u00a0Adams"),
        (CharField(multiline=True), "a\nb\tc", "a\nb\tc"),
        (CharField(raw=True), " a\u202e\n", " a\u202e\n"),
        (CharField(allow_blank=True), "", ""),
        (CharField(allow_null=True), None, None),
        (EmailField(), " Nora@Club.example ", "nora@club.example"),
        (IntegerField(min_value=-5), -5, -5),
        (BooleanField(), False, False),
        (UUIDField(), SOME_ID.upper(), UUID(SOME_ID)),
        (ChoiceField(choices=["a", "b"]), "b", "b"),
        (ChoiceField(choices=["a"], allow_blank=True), "", ""),
        (DateField(), "2024-02-29", date(2024, 2, 29)),
        (DateTimeField(), "2026-11-21T20:15:00Z", datetime(2026, 11, 21, 20, 15, tzinfo=UTC)),
        (ListField(child=IntegerField()), [1, 2], [1, 2]),
        (DictField(child=IntegerField()), {"a": 1}, {"a": 1}),
        (JSONObjectField(), {"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}),
        (AB(), {"a": 1}, {"a": 1}),
    ],
)
def test_a_value_of_the_right_type_is_read(field: AnyField, value: Any, expected: Any) -> None:
    assert read(field, value) == expected


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        (CharField(), 7, "TYPE"),
        (CharField(), None, "TYPE"),
        (CharField(), ["a"], "TYPE"),
        (CharField(), " \u2003 ", "VALUE"),
        (CharField(), "a\u2028b", "VALUE"),
        (CharField(), "a\x85b", "VALUE"),
        (CharField(), "\udfff", "ENCODING"),
        (CharField(raw=True), "\ud800", "ENCODING"),
        (CharField(raw=True), "a\0", "VALUE"),
        (CharField(multiline=True), "a\x1b[31m", "VALUE"),
        (CharField(max_length=3), "abcd", "VALUE"),
        (CharField(min_length=3), "ab", "VALUE"),
        (EmailField(), "nora", "VALUE"),
        (EmailField(), "nora@club@example", "VALUE"),
        (IntegerField(), True, "TYPE"),
        (IntegerField(), 7.0, "TYPE"),
        (IntegerField(), "7", "TYPE"),
        (IntegerField(min_value=0), -1, "NUMBER_RANGE"),
        (IntegerField(max_value=10**15), 10**30, "NUMBER_RANGE"),
        (BooleanField(), 1, "TYPE"),
        (BooleanField(), "true", "TYPE"),
        (BooleanField(), None, "TYPE"),
        (UUIDField(), SOME_ID.replace("-", ""), "VALUE"),
        (UUIDField(), "urn:uuid:" + SOME_ID, "VALUE"),
        (UUIDField(), 7, "TYPE"),
        (ChoiceField(choices=["a"]), "A", "VALUE"),
        (ChoiceField(choices=["a"]), "", "VALUE"),
        (ChoiceField(choices=["1"]), 1, "TYPE"),
        (DateField(), "2025-02-30", "VALUE"),
        (DateField(), "0000-00-00", "VALUE"),
        (DateField(), "10000-01-01", "VALUE"),
        (DateField(), "20250102", "VALUE"),
        (DateField(), "2025-W01-1", "VALUE"),
        (DateField(), "03/04/25", "VALUE"),
        (DateField(), "\uff12\uff10\uff12\uff15-01-01", "VALUE"),
        (DateField(), 20250102, "TYPE"),
        (DateTimeField(), "2026-11-21T20:15:00", "VALUE"),
        (DateTimeField(), "2026-11-21", "VALUE"),
        (DateTimeField(), "2026-11-21T25:00:00Z", "VALUE"),
        (DateTimeField(), "2026-11-21T20:15:00\uff3a", "VALUE"),
        (DateTimeField(), "9999-12-31T23:59:59-23:59", "VALUE"),
        (DateTimeField(), 7, "TYPE"),
        (ListField(child=IntegerField()), {"0": 1}, "TYPE"),
        (ListField(child=IntegerField()), ["1"], "TYPE"),
        (ListField(child=IntegerField(), max_length=2), [1, 2, 3], "VALUE"),
        (ListField(child=IntegerField(), min_length=1), [], "VALUE"),
        (DictField(child=IntegerField()), [], "TYPE"),
        (DictField(child=IntegerField(), max_length=1), {"a": 1, "b": 2}, "VALUE"),
        (DictField(child=IntegerField()), {"": 1}, "VALUE"),
        (DictField(child=IntegerField()), {"\ud800": 1}, "ENCODING"),
        (JSONObjectField(), "{}", "TYPE"),
        (JSONObjectField(max_length=10), {"a": "x" * 10}, "VALUE"),
        (JSONObjectField(), {"a": ["\ud800"]}, "ENCODING"),
        (AB(), [], "TYPE"),
        (AB(), {}, "KEY_REQUIRED"),
        (AB(), {"a": 1, "b": None}, "TYPE"),
        (AB(), {"a": 1, "c": 2}, "KEY_UNKNOWN"),
    ],
)  # fmt: skip
def test_any_other_value_is_refused(field: AnyField, value: Any, code: str) -> None:
    found = refused(field, value)
    assert found.code == code
    assert found.where
    assert found.where["key"].startswith("it")


def test_what_is_wrong_within_is_named_from_the_outside() -> None:
    seats = [{"player": SOME_ID}, {"player": "x", "chips": -1}]
    found = refused(ListField(child=SeatSerializer()), seats)
    assert found.where == {"key": "it.1.player"}
    wrong = [(one["code"], one["where"]["key"]) for one in found.more["errors"]]
    assert wrong == [("VALUE", "it.1.player"), ("NUMBER_RANGE", "it.1.chips")]


@pytest.mark.parametrize(
    ("field", "text", "expected"),
    [
        (IntegerField(), "7", 7),
        (IntegerField(min_value=-9), "-9", -9),
        (BooleanField(), "true", True),
        (CharField(), "a", "a"),
        (UUIDField(), SOME_ID, UUID(SOME_ID)),
    ],
)
def test_words_in_an_address_are_read_by_their_type(
    field: AnyField, text: str, expected: Any
) -> None:
    assert serializer_of(field).read_text({"it": text}) == {"it": expected}


@pytest.mark.parametrize("text", ["", "+7", "7 ", "1_0", "\u0667", "0x7", "7e0", "--7", "1" * 19])
def test_a_number_in_an_address_has_plain_digits(text: str) -> None:
    with pytest.raises(ValidationError):
        serializer_of(IntegerField()).read_text({"it": text})


def test_a_change_may_leave_out_every_key_but_not_empty_a_name() -> None:
    change = serializer_of(CharField())
    assert change.read({}, partial=True) == {}
    with pytest.raises(ValidationError):
        change.read({"it": ""}, partial=True)


def fields_of(serializer: Any) -> Iterator[tuple[str, Any]]:
    """Every field that is read from a request, those within others too."""
    for name, field in serializer.fields.items():
        if field.read_only:
            continue
        inner = field
        while inner is not None:
            yield f"{type(serializer).__name__}.{name}", inner
            if isinstance(inner, StrictSerializer):
                yield from fields_of(inner)
            inner = getattr(inner, "child", None)


def test_every_number_text_and_list_of_a_request_has_a_limit() -> None:
    readers = {
        serializer
        for endpoint in ENDPOINTS.values()
        for table in (endpoint.view.inputs, endpoint.view.parameters)
        for serializer in table.values()
    }
    assert len(readers) > 60
    for name, field in (one for reader in readers for one in fields_of(reader())):
        if isinstance(field, IntegerField):
            assert field.min_value is not None, name
            assert field.max_value is not None, name
        elif isinstance(field, CharField | EmailField | ListField | DictField | JSONObjectField):
            assert field.max_length is not None, name


def test_a_long_text_is_read_at_once() -> None:
    text, field = '[Event "Club night"]\n' * 40_000, CharField(max_length=10**6, raw=True)
    start = time.process_time()
    read(field, text)
    assert time.process_time() - start < 0.05
