"""Where messages say that they come from."""

from typing import Any

import pytest

from tournaments.core.mail import compose_mail


@pytest.mark.parametrize(
    ("address", "hosts", "host"),
    [
        ("https://hearts.example:8443", ["other.example"], "hearts.example"),
        ("", ["localhost", "127.0.0.1", "hearts.example", "other.example"], "hearts.example"),
        ("", [".hearts.example"], "hearts.example"),
        ("", ["*"], "club.example"),
        ("http://localhost:8000", ["localhost", "[::1]"], "club.example"),
        ("http://192.168.0.7:8000", ["localhost"], "192.168.0.7"),
        ("http://[fd00::7]:8000", [], "[fd00::7]"),
        ("https://spiel.köln.example", [], "spiel.xn--kln-sna.example"),
    ],
)
def test_an_identifier_is_of_the_public_address(
    settings: Any, address: str, hosts: list[str], host: str
) -> None:
    settings.PUBLIC_ADDRESS, settings.ALLOWED_HOSTS = address, hosts
    settings.DEFAULT_FROM_EMAIL = "Leiden Hearts <night@club.example>"
    sent = compose_mail(subject="A night", body="It was.", to=["ann@x.example"]).message()
    assert sent["Message-ID"].endswith(f"@{host}>")
    assert sent["Auto-Submitted"] == "auto-generated"
    assert sent["From"] == "Leiden Hearts <night@club.example>"


def test_own_headers_stand_beside_them() -> None:
    headers = {"List-Unsubscribe": "<https://hearts.example/stop>"}
    sent = compose_mail(subject="A", body="B", to=["ann@x.example"], headers=headers).message()
    assert sent["List-Unsubscribe"] == headers["List-Unsubscribe"]
    assert sent["Auto-Submitted"] == "auto-generated"
