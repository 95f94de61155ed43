"""How phones come to trust the certificate of `serve --https`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from config.running.certificate import OwnCertificate, ensure_certificate
from config.running.data_folder import DataFolder

pytestmark = pytest.mark.django_db


@pytest.fixture
def own(settings: Any, tmp_path: Path) -> OwnCertificate:
    settings.DATA = DataFolder(tmp_path)
    settings.OWN_CERTIFICATE = True
    return ensure_certificate(settings.DATA.tls, ["localhost"], at=datetime.now(UTC))


def test_the_page_shows_the_fingerprint_that_the_window_showed(
    client: Client, own: OwnCertificate
) -> None:
    page = client.get("/trust/")
    assert own.fingerprint in page.content.decode()
    assert "/trust/painsuit.crt" in page.content.decode()


def test_the_file_is_the_authority_without_its_key(client: Client, own: OwnCertificate) -> None:
    answer = client.get("/trust/painsuit.crt")
    assert answer["Content-Type"] == "application/x-x509-ca-cert"
    assert answer.content == own.authority.read_bytes()
    assert b"PRIVATE" not in answer.content


@pytest.mark.parametrize("path", ["/trust/", "/trust/painsuit.crt"])
def test_elsewhere_there_is_nothing_to_trust(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404
