"""Columns of text that is stored otherwise than it is read.

Long texts are compressed (zlib, RFC 1950; docs/adr/0011 says why), so the database cannot search
them. Messages are data beside plain texts: a plain text in such a column is somebody's own words,
or a sentence that was stored before there were messages; it is shown as it is (docs/languages.md).
"""

import json
import zlib
from collections.abc import Sequence
from typing import Any, Final

from django.db import models

from engine.core.messages import Message, from_json
from tournaments.core.language import from_stored, to_stored

_HEADER: Final = b"\x78\x01"
"""How a zlib stream of the lowest level begins."""
_LAST_BLOCK: Final = b"\x03\x00"
"""The block of nothing that ends a stream."""
_ADLER: Final = 65521
"""The modulus of the checksum of a stream."""
_BEGINNINGS = ('{"say":', '{"sentence":')


class CompressedTextField(models.TextField):  # type: ignore[type-arg]
    """A text that is stored as the zlib stream of its UTF-8 bytes.

    Bytes are such a stream already, as `join_blocks` makes one.
    """

    _pyi_private_set_type: Any  # for django-stubs: bytes can be assigned as well as text

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


CompressedBlock = tuple[bytes, bytes, int]
"""A part of a long text that is compressed by itself, so that it can be used again in the next one:
its UTF-8, the DEFLATE blocks of it (RFC 1951), which end on a whole byte, and its Adler-32."""


def compress_block(pieces: Sequence[str]) -> CompressedBlock:
    """Compress one block, of which these are the pieces."""
    text = "".join(pieces).encode()
    deflate = zlib.compressobj(zlib.Z_BEST_SPEED, wbits=-zlib.MAX_WBITS)
    return text, deflate.compress(text) + deflate.flush(zlib.Z_SYNC_FLUSH), zlib.adler32(text)


def join_blocks(blocks: Sequence[CompressedBlock]) -> bytes:
    """The zlib stream (RFC 1950) of a text from its blocks, as `compress_text` stores texts.

    >>> decompress_text(join_blocks([compress_block(["Ann, ", "Bo"]), compress_block([" and Cy"])]))
    'Ann, Bo and Cy'
    """
    low, high = 1, 0
    for text, _, checksum in blocks:
        high = (high + (checksum >> 16) + len(text) * (low - 1)) % _ADLER
        low = (low + (checksum & 0xFFFF) - 1) % _ADLER
    deflated = b"".join(stream for _, stream, _ in blocks)
    return _HEADER + deflated + _LAST_BLOCK + (high << 16 | low).to_bytes(4, "big")


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
