"""Columns of text that is stored otherwise than it is read.

Long texts are compressed (zlib, RFC 1950; docs/adr/0011 says why), so the database cannot search
them. Messages are data beside plain texts: a plain text in such a column is somebody's own words,
or a sentence that was stored before there were messages; it is shown as it is (docs/languages.md).
"""

import json
import zlib
from typing import Any

from django.db import models

from engine.core.messages import Message, from_json
from tournaments.core.language import from_stored, to_stored

_BEGINNINGS = ('{"say":', '{"sentence":')


class CompressedTextField(models.TextField):  # type: ignore[type-arg]
    """A text that is stored as the zlib stream of its UTF-8 bytes."""

    def deconstruct(self) -> Any:
        """A plain column for migrations, which know no code of the application."""
        name, _path, args, options = super().deconstruct()
        return name, "django.db.models.BinaryField", args, options

    def get_internal_type(self) -> str:
        return "BinaryField"

    def get_lookup(self, lookup_name: str) -> Any:
        """Only whether there is one: any other lookup would silently compare with the stream."""
        return super().get_lookup(lookup_name) if lookup_name == "isnull" else None

    def from_db_value(self, value: bytes | memoryview | None, *_args: Any) -> str | None:
        return None if value is None else decompress_text(value)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:  # noqa: FBT001, FBT002 (as Django calls it)
        return connection.Database.Binary(compress_text(value)) if isinstance(value, str) else value


def compress_text(text: str) -> bytes:
    """A text as it is stored. The lowest level: whoever publishes waits for it.

    >>> decompress_text(compress_text("Ann, Bo and Cy"))
    'Ann, Bo and Cy'
    """
    return zlib.compress(text.encode(), zlib.Z_BEST_SPEED)


def decompress_text(stored: bytes | memoryview) -> str:
    """The text that `compress_text` stored. Raises zlib.error for what is damaged."""
    return zlib.decompress(stored).decode()


class MessageField(models.TextField):  # type: ignore[type-arg]
    """One text: a message, in JSON, or plain words."""

    def deconstruct(self) -> Any:
        """A plain column for migrations, which know no code of the application."""
        name, _path, args, options = super().deconstruct()
        return name, "django.db.models.TextField", args, options

    def from_db_value(self, value: str | None, *_args: Any) -> str | None:
        return read_message(value) if value else value

    def to_python(self, value: Any) -> Any:
        return read_message(value) if isinstance(value, str) else super().to_python(value)

    def get_prep_value(self, value: Any) -> Any:
        return write_message(value) if isinstance(value, str) else super().get_prep_value(value)


class MessagesField(models.JSONField):
    """Plain data with messages in it, such as a list of problems."""

    def deconstruct(self) -> Any:
        """A plain column for migrations, which know no code of the application."""
        name, _path, args, options = super().deconstruct()
        return name, "django.db.models.JSONField", args, options

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return from_stored(super().from_db_value(value, expression, connection))

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:  # noqa: FBT001, FBT002 (as Django calls it)
        return super().get_db_prep_value(to_stored(value), connection, prepared)


def write_message(text: str) -> str:
    """A text as it is stored: plain words as they are, a message as JSON.

    >>> write_message("Ann took two"), write_message(Message("{count} took none", count=2))
    ('Ann took two', '{"say": "{count} took none", "with": {"count": 2}}')
    """
    if not isinstance(text, Message):
        if not text.startswith(_BEGINNINGS):
            return text
        # Somebody's own words that look like a message: they are its argument.
        text = Message("{text}", text=text)
    return json.dumps(text.as_json(), ensure_ascii=False)


def read_message(stored: str) -> str:
    """The text that `write_message` stored.

    >>> read_message('{"say": "{count} took none", "with": {"count": 2}}')
    '2 took none'
    """
    if type(stored) is not str or not stored.startswith(_BEGINNINGS):
        return stored
    try:
        return from_json(json.loads(stored))
    except ValueError:
        return stored
