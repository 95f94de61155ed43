"""A model field whose values are encrypted at rest, with a key made of the secret key."""

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import models


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
        return _fernet(settings.SECRET_KEY).encrypt(str(value).encode()).decode()

    def from_db_value(self, value: str | None, *_args: object) -> str | None:
        if not value:
            return value
        try:
            return _fernet(settings.SECRET_KEY).decrypt(value.encode()).decode()
        except InvalidToken:
            return UnreadableValue(value)

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        """To migrations it is a text."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs


@lru_cache(maxsize=8)
def _fernet(secret_key: str) -> Fernet:
    derived = HKDF(SHA256(), 32, salt=None, info=b"painsuit: values at rest")
    return Fernet(urlsafe_b64encode(derived.derive(secret_key.encode())))
