"""A model field whose values are encrypted at rest, with a key made of the secret key."""

from collections.abc import Sequence
from typing import Any

from django.db import models

from tournaments.core.encryption import UnreadableSecretError, decrypt_text, encrypt_text


class UnreadableValue(str):
    """A value as it is stored, encrypted with another secret key than that of this installation."""

    __slots__ = ()


class EncryptedTextField(models.TextField):  # type: ignore[type-arg]  # Django's takes one only in stubs
    """A text that a backup or a look into the database does not tell; empty stays empty.

    It cannot be searched for. One that was stored under another secret key is read as an
    `UnreadableValue`, and stays as it is when its row is saved.
    """

    def get_prep_value(self, value: Any) -> Any:
        """Return the encrypted value."""
        if not value or isinstance(value, UnreadableValue):
            return value
        return encrypt_text(str(value))

    def from_db_value(self, value: str | None, *_args: object) -> str | None:
        if not value:
            return value
        try:
            return decrypt_text(value)
        except UnreadableSecretError:
            return UnreadableValue(value)

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        """To migrations it is a text."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs
