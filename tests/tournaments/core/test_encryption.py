"""Secrets in the database: unreadable without the key of the installation."""

import pytest
from django.conf import LazySettings

from tournaments.core.encryption import UnreadableSecretError, decrypt_text, encrypt_text


def test_a_secret_is_encrypted_differently_each_time() -> None:
    assert encrypt_text("queen") != encrypt_text("queen")


def test_without_the_key_a_secret_cannot_be_read(settings: LazySettings) -> None:
    encrypted = encrypt_text("queen")
    settings.SECRET_KEY = "another key, of another installation"
    with pytest.raises(UnreadableSecretError):
        decrypt_text(encrypted)


def test_a_former_key_still_reads_what_it_encrypted(settings: LazySettings) -> None:
    encrypted = encrypt_text("queen")
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "a new key, made after the old one was seen"
    assert decrypt_text(encrypted) == "queen"


@pytest.mark.parametrize("damaged", ["", "x", "gAAAAA" + "A" * 100])
def test_a_damaged_secret_is_refused(damaged: str) -> None:
    with pytest.raises(UnreadableSecretError):
        decrypt_text(damaged)
