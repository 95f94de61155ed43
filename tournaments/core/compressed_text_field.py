"""Columns that hold long texts compressed (zlib, RFC 1950); docs/adr/0011 says why.

Whoever reads a row gets the text; the database cannot search it.
"""

import zlib
from typing import Any

from django.db import models


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
