"""Secrets that the service must be able to read again, encrypted with the installation's key.

`EncryptedTextField` holds them in a column, `encrypt_text` anywhere else: the database and its
backups hold only what it returns. The key is derived from SECRET_KEY, which lies in the data folder
or the environment and in no backup.
"""

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from typing import Any, Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import models
from django.utils.encoding import force_bytes

_PURPOSE: Final = b"painsuit: secrets in the database"


class UnreadableSecretError(Exception):
    """A secret was encrypted with another key, or is damaged."""


def encrypt_text(text: str) -> str:
    """Return a text encrypted and authenticated (Fernet), different each time; ASCII.

    >>> secret = encrypt_text("the jack of diamonds")
    >>> "jack" in secret, decrypt_text(secret)
    (False, 'the jack of diamonds')
    """
    return _fernet().encrypt(text.encode()).decode("ascii")


def decrypt_text(encrypted: str) -> str:
    """Return what was encrypted. Raises UnreadableSecretError."""
    try:
        return _fernet().decrypt(encrypted).decode()
    except InvalidToken as error:
        raise UnreadableSecretError from error


def _fernet() -> MultiFernet:
    """Encrypts with the key that holds; reads what was encrypted with a former one, too."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(_derive(key)) for key in keys])


def _derive(key: str | bytes) -> bytes:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(force_bytes(key))
    return urlsafe_b64encode(derived)


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
