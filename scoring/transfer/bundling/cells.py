"""Convert the values of rows to JSON and back, each in exactly one way."""

import base64
import binascii
import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import models

from engine.core.messages import Message
from tournaments.core.text_fields import write_message


def line(*parts: object) -> bytes:
    """A line of a bundle."""
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"


def cell_to_json(value: Any) -> Any:
    r"""A value as JSON.

    >>> cell_to_json(b"[Event]"), cell_to_json(b"\xff")
    ({'text': '[Event]'}, {'base64': '/w=='})
    """
    match value:
        case UUID():
            return str(value)
        case datetime():
            return value.astimezone(UTC).isoformat()
        case date():
            return value.isoformat()
        case bytes() | memoryview():
            return _bytes(bytes(value))
        case Message():
            return write_message(value)
        case _:
            return value


def _bytes(value: bytes) -> Mapping[str, str]:
    try:
        return {"text": value.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}


def cell_from_json(field: "models.Field[Any, Any]", value: Any) -> Any:
    """The value of a column. Raises ValueError for one that it cannot have."""
    if value is None:
        if not field.null:
            raise ValueError(f"{field.attname} is missing")
        return None
    if isinstance(field, models.BinaryField):
        return _read_bytes(value)
    if isinstance(field, models.JSONField):
        return value
    if type(value) is not _expected_type(field):
        raise ValueError(f"{field.attname} is {value!r}"[:200])
    try:
        found = field.to_python(value)
        if value != "":
            field.run_validators(found)
    except ValidationError as error:
        raise ValueError(f"{field.attname}: {'; '.join(error.messages)}") from error
    if isinstance(found, datetime) and found.tzinfo is None:
        raise ValueError(f"{field.attname} has no time zone")
    return found


def _expected_type(field: "models.Field[Any, Any]") -> type:
    if isinstance(field, models.BooleanField):
        return bool
    target = field.target_field if field.is_relation else field  # type: ignore[attr-defined]
    return int if isinstance(target, models.IntegerField) else str


def _read_bytes(value: Any) -> bytes:
    match value:
        case {"text": str(text)} if len(value) == 1:
            return text.encode()
        case {"base64": str(text)} if len(value) == 1:
            try:
                return base64.b64decode(text, validate=True)
            except binascii.Error as error:
                raise ValueError("bytes that are no base64") from error
        case _:
            raise ValueError("bytes are written as text or as base64")
