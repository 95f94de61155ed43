"""Strict serializers: a value must have its JSON type, and a key must be known.

DRF converts where it can ("7" is an integer to it) and ignores keys that it does not know. Here
both are errors, all errors of a body are reported at once, and no text holds characters that
nobody sees. Lengths, choices and defaults come from the model where there is one.
"""

import copy
import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from difflib import get_close_matches
from functools import cache, cached_property, partial
from operator import attrgetter
from typing import Any, ClassVar, cast
from uuid import UUID

from django.db import models
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.fields import SkipField, empty
from rest_framework.validators import ProhibitSurrogateCharactersValidator, UniqueValidator

from tournaments.access.rights import Right

INVISIBLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]"
)
"""Control characters, and those that nobody sees and that let one name look like another."""


def check_visible(text: str, allowed: str = "") -> None:
    """Refuse a text with control or invisible characters. Raises ValidationError."""
    for found in INVISIBLE.finditer(text):
        if found[0] not in allowed:
            place = {"sign": f"U+{ord(found[0]):04X}", "at": found.start()}
            raise serializers.ValidationError(
                _("Contains %(sign)s at character %(at)s.") % place, "characters"
            )


class HintedCode(str):
    """The code of an error with a hint. DRF copies messages, but carries codes as they are."""

    __slots__ = ("hint",)
    hint: str


def hinted_error(message: Any, code: str, hint: str = "") -> ErrorDetail:
    """Return an error that also says what was probably meant."""
    hinted = HintedCode(code)
    hinted.hint = hint
    return ErrorDetail(message, hinted)


def suggest(written: str, known: Iterable[Any]) -> str:
    """Return a hint at the known word that is nearest to what was written.

    >>> suggest("curency", ["name", "currency"])
    "Did you mean 'currency'?"
    """
    words = [str(word) for word in known]
    near = get_close_matches(written[:60], words, 1)
    return f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(words) or 'none'}."


AnyField = serializers.Field[Any, Any, Any, Any]


class StrictField(AnyField):
    """A field whose value must already have its JSON type: ``"7"`` is no 7 and ``1`` no true.

    ``from_text`` reads the same value where it is written in a URL.
    """

    json_type: ClassVar[type] = str
    default_error_messages = {"type": _("Must be a JSON {expected}.")}

    def run_validation(self, data: Any = empty) -> Any:
        if data is not empty and data is not None and type(data) is not self.json_type:
            names = {str: "string", int: "integer", bool: "boolean", list: "array", dict: "object"}
            self.fail("type", expected=names[self.json_type])
        return super().run_validation(data)

    def from_text(self, text: str) -> Any:
        """Return the JSON value that is written in a URL. Raises ValidationError."""
        return text


class SurrogateValidator(ProhibitSurrogateCharactersValidator):
    """Refuses halves of surrogate pairs. DRF looks at every character of every text itself."""

    def __call__(self, value: Any) -> None:
        try:
            str(value).encode()
        except UnicodeEncodeError:
            super().__call__(value)


class CharField(StrictField, serializers.CharField):
    """One line of text, or several with ``multiline``; ``raw`` keeps every character but NUL."""

    def __init__(self, *, multiline: bool = False, raw: bool = False, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=not raw, **kwargs)
        self.validators = [
            SurrogateValidator()
            if isinstance(validator, ProhibitSurrogateCharactersValidator)
            else validator
            for validator in self.validators
        ]
        self.allowed = None if raw else "\n\r\t" if multiline else ""

    def to_internal_value(self, data: Any) -> str:
        text: str = super().to_internal_value(data)
        if self.allowed is not None and not text.isprintable():
            check_visible(text, self.allowed)
        return text


class EmailField(StrictField, serializers.EmailField):
    """An e-mail address, in lower case."""

    def to_internal_value(self, data: Any) -> str:
        address: str = super().to_internal_value(data)
        return address.lower()


class IntegerField(StrictField, serializers.IntegerField):
    """A whole number."""

    json_type = int

    def from_text(self, text: str) -> int:
        digits = text.removeprefix("-")
        # int() would also take "1_000", " 7 " and the digits of other alphabets.
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= 18):
            self.fail("invalid")
        return int(text)


class BooleanField(StrictField, serializers.BooleanField):
    """True or false; in a URL ``true`` or ``false``."""

    json_type = bool

    def from_text(self, text: str) -> bool:
        if text not in ("true", "false"):
            self.fail("invalid", input=text[:40])
        return text == "true"


class UUIDField(StrictField, serializers.UUIDField):
    """A UUID, written with hyphens."""

    def to_internal_value(self, data: Any) -> UUID:
        found: UUID = super().to_internal_value(data)
        if str(found) != data.lower():
            self.fail("invalid", value=data[:40])
        return found

    def to_representation(self, value: Any) -> Any:
        return value  # the renderer writes it


class DateField(StrictField, serializers.DateField):
    """A date, as 2026-11-21."""

    def to_internal_value(self, value: Any) -> date:
        try:
            found = date.fromisoformat(value)
        except ValueError:
            found = None
        if found is None or str(found) != value:
            self.fail("invalid", format="YYYY-MM-DD")
        return found


class DateTimeField(StrictField, serializers.DateTimeField):
    """A date and a time with its zone, as 2026-11-21T20:15:00Z."""

    def to_internal_value(self, value: Any) -> datetime:
        try:
            found = datetime.fromisoformat(value) if value.isascii() else None
        except ValueError:
            found = None
        # The first and the last year have no room for a time zone.
        if found is None or found.tzinfo is None or not 1 < found.year < 9999 or "T" not in value:
            self.fail("invalid", format="2026-11-21T20:15:00Z")
        return found

    def to_representation(self, value: Any) -> Any:
        return value  # the renderer writes it


class ChoiceField(StrictField, serializers.ChoiceField):
    """One of some words."""

    def to_internal_value(self, data: Any) -> Any:
        if data == "" and self.allow_blank:
            return data
        if data not in self.choices:
            message = self.error_messages["invalid_choice"].format(input=ascii(data[:40]))
            raise serializers.ValidationError(
                [hinted_error(message, "invalid_choice", suggest(data, self.choices))]
            )
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class ListField(StrictField, serializers.ListField):
    """A list of values of one kind."""

    json_type = list


class DictField(StrictField, serializers.DictField):
    """An object whose keys are free and whose values are of one kind."""

    json_type = dict
    default_error_messages = {"max_length": _("Has more than {max_length} entries.")}

    def __init__(self, *, max_length: int = 100, key_length: int = 60, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.max_length = max_length
        self.key_field = CharField(max_length=key_length)

    def from_text(self, text: str) -> Any:
        """Read an object that is written as JSON in a URL."""
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        for key in data:
            try:
                self.key_field.run_validation(key)
            except serializers.ValidationError as error:
                raise serializers.ValidationError({key: error.detail}) from error
        found: dict[str, Any] = super().to_internal_value(data)
        return found


@extend_schema_field(OpenApiTypes.OBJECT)
class JSONObjectField(StrictField, serializers.JSONField):
    """An object of settings or moves that a service function checks; limited in length."""

    json_type = dict
    default_error_messages = {"max_length": _("Is longer than {max_length} characters.")}

    def __init__(self, *, max_length: int = 20_000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.max_length = max_length

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        faults = {}
        for name, value in data.items():
            try:
                json.dumps({name: value}, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                message = _("Contains half a surrogate pair.")
                faults[name] = [hinted_error(message, "surrogate_characters_not_allowed")]
        if faults:
            raise serializers.ValidationError(faults)
        if len(json.dumps(data)) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        found: dict[str, Any] = data
        return found


PLAIN_FIELDS = (
    CharField, EmailField, IntegerField, BooleanField, UUIDField, DateField, DateTimeField,
    ChoiceField,
)  # fmt: skip
"""Fields whose value is shown as it is: the renderer writes ids, dates and times."""


class StrictSerializer(StrictField, serializers.Serializer[Any]):
    """An object with certain keys; reports unknown keys and the errors of all fields together.

    ``example`` is that of a body in the OpenAPI document.
    """

    json_type = dict
    example: ClassVar[Mapping[str, Any]]

    def get_fields(self) -> dict[str, AnyField]:
        return copy_fields(self._declared_fields)

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        writable = [field.field_name for field in self._writable_fields]
        faults: dict[str, Any] = {
            key: [hinted_error(_("This key is not known."), "unknown", suggest(key, writable))]
            for key in data
            if key not in writable
        }
        try:
            values: dict[str, Any] = super().to_internal_value(data)
        except serializers.ValidationError as error:
            faults |= cast("dict[str, Any]", error.detail)
        else:
            if not faults:
                return values
        raise serializers.ValidationError(faults)

    @classmethod
    def read(cls, data: Mapping[str, Any], *, partial: bool = False) -> dict[str, Any]:
        """Return what an object of a body holds, validated. Raises ValidationError."""
        serializer = cls(data=data, partial=partial)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    @classmethod
    def read_text(cls, texts: Mapping[str, str]) -> dict[str, Any]:
        """Return what a URL holds after its question mark, validated. Raises ValidationError."""
        values, faults = {}, {}
        fields = cls().fields
        for name, text in texts.items():
            try:
                values[name] = fields[name].from_text(text)  # type: ignore[attr-defined]
            except serializers.ValidationError as error:
                faults[name] = error.detail
        if faults:
            raise serializers.ValidationError(faults)
        return cls.read(values)


class MembersField(CharField):
    """A text that members of the club may read; null for everybody else."""

    def to_representation(self, value: str) -> str | None:
        return value if Right.NAMES_READ in self.context["request"].rights else None


Read = Callable[[Any], Any]


def _read_or_none(read: Read, instance: Any) -> Any:
    """Read an attribute that need not be there, as the person of a player who was erased."""
    try:
        return read(instance)
    except AttributeError:
        return None


class StrictModelSerializer(StrictSerializer, serializers.ModelSerializer[Any]):
    """The same with lengths, choices and defaults of a model.

    What is unique is for service functions to check, which lock first.
    """

    serializer_field_mapping = serializers.ModelSerializer.serializer_field_mapping | {
        models.CharField: CharField,
        models.TextField: CharField,
        models.EmailField: EmailField,
        models.URLField: CharField,
        models.IntegerField: IntegerField,
        models.SmallIntegerField: IntegerField,
        models.PositiveIntegerField: IntegerField,
        models.PositiveSmallIntegerField: IntegerField,
        models.BigIntegerField: IntegerField,
        models.BooleanField: BooleanField,
        models.UUIDField: UUIDField,
        models.DateField: DateField,
        models.DateTimeField: DateTimeField,
        models.JSONField: JSONObjectField,
    }
    serializer_choice_field = ChoiceField

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return an object as data, plain attributes as they are: half the time that DRF needs."""
        found: dict[str, Any] = {}
        for name, read, represent in self._columns:
            try:
                value = read(instance)
            except SkipField:
                continue
            found[name] = value if value is None or represent is None else represent(value)
        return found

    @cached_property
    def _columns(self) -> list[tuple[str, Read, Read | None]]:
        """The name of each member, how it is read off an object, and how its value is shown."""
        found: list[tuple[str, Read, Read | None]] = []
        for field in self._readable_fields:
            read: Read = field.get_attribute
            represent: Read | None = field.to_representation
            if isinstance(field, serializers.SerializerMethodField):
                read, represent = getattr(self, str(field.method_name)), None
            elif field.source == "*":
                read, represent = field.to_representation, None
            elif field.default is None:
                read = partial(_read_or_none, attrgetter(str(field.source)))
            elif type(field) in PLAIN_FIELDS and len(field.source_attrs) == 1:
                read = attrgetter(str(field.source))
            if type(field) in PLAIN_FIELDS:
                represent = None
            found.append((str(field.field_name), read, represent))
        return found

    def get_fields(self) -> dict[str, AnyField]:
        return copy_fields(_model_fields(type(self)))

    def get_validators(self) -> list[Any]:
        return []

    def build_standard_field(self, field_name: str, model_field: Any) -> Any:
        found, kwargs = super().build_standard_field(field_name, model_field)
        validators = kwargs.get("validators", ())
        kept = [validator for validator in validators if not isinstance(validator, UniqueValidator)]
        return found, {**kwargs, "validators": kept} if "validators" in kwargs else kwargs


@cache
def _model_fields(serializer_class: type[StrictModelSerializer]) -> Any:
    """Return the fields of a class: looking at a model takes longer than a whole request."""
    return serializers.ModelSerializer.get_fields(serializer_class())


def copy_fields(fields: Mapping[str, AnyField]) -> dict[str, AnyField]:
    """Return fields to bind to another serializer; only those with a child hold what is bound."""
    return {
        name: copy.deepcopy(field) if hasattr(field, "child") else copy.copy(field)
        for name, field in fields.items()
    }
