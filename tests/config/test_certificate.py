"""The certificate of one's own: whom it is good for, when it is renewed, who may read its keys."""

import socket
import ssl
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from config.running.certificate import LIFE, RENEWED_BEFORE, ensure_certificate

NOW = datetime.now(UTC)
NAMES = ("localhost", "127.0.0.1", "[::1]", "192.168.0.7", "club.local", "hearts.example")


def handshake(folder: Path, name: str) -> None:
    """Connect as a browser that trusts the authority. Raises ssl.SSLError."""
    found = ensure_certificate(folder, NAMES, at=NOW)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(found.chain)
    client = ssl.create_default_context(cafile=found.authority)
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    here, there = socket.socketpair()

    def serve() -> None:
        try:
            server.wrap_socket(there, server_side=True).close()
        except OSError:
            there.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        client.wrap_socket(here, server_hostname=name).close()
    finally:
        here.close()
        thread.join(timeout=10)


@pytest.mark.parametrize("name", [name.strip("[]") for name in NAMES])
def test_whoever_trusts_the_authority_trusts_the_server(tmp_path: Path, name: str) -> None:
    handshake(tmp_path, name)


def test_it_is_good_for_no_other_name(tmp_path: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(tmp_path, "bank.example")


def test_the_authority_may_sign_for_this_house_alone(tmp_path: Path) -> None:
    found = ensure_certificate(tmp_path, NAMES, at=NOW)
    certificate = x509.load_pem_x509_certificate(found.authority.read_bytes())
    constraints = certificate.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    permitted = constraints.value.permitted_subtrees or []
    domains = {one.value for one in permitted if isinstance(one, x509.DNSName)}
    assert "hearts.example" in domains
    assert not {"", "example", "com"} & domains


def test_nobody_else_reads_the_keys(tmp_path: Path) -> None:
    ensure_certificate(tmp_path / "tls", NAMES, at=NOW)
    assert stat.S_IMODE((tmp_path / "tls").stat().st_mode) == 0o700
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "tls").iterdir()}
    assert modes == {0o600}


def test_nothing_changes_while_it_is_good(tmp_path: Path) -> None:
    first = ensure_certificate(tmp_path, NAMES, at=NOW)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    second = ensure_certificate(tmp_path, NAMES[:2], at=NOW + timedelta(days=100))
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert (first.is_new_authority, second.is_new_authority) == (True, False)
    assert first.fingerprint == second.fingerprint


@pytest.mark.parametrize(
    ("names", "later"),
    [(NAMES, LIFE - RENEWED_BEFORE + timedelta(days=1)), ((*NAMES, "10.0.0.5"), timedelta(0))],
)
def test_it_is_renewed_before_it_ends_and_for_new_addresses(
    tmp_path: Path, names: tuple[str, ...], later: timedelta
) -> None:
    first = ensure_certificate(tmp_path, NAMES, at=NOW)
    before = first.chain.read_bytes()
    second = ensure_certificate(tmp_path, names, at=NOW + later)
    assert second.chain.read_bytes() != before
    # Phones that trust the authority notice nothing.
    assert second.fingerprint == first.fingerprint
    assert not second.is_new_authority


@pytest.mark.parametrize("ruin", [b"", b"nonsense"])
def test_what_cannot_be_read_is_made_anew(tmp_path: Path, ruin: bytes) -> None:
    first = ensure_certificate(tmp_path, NAMES, at=NOW)
    for path in tmp_path.iterdir():
        path.write_bytes(ruin)
    second = ensure_certificate(tmp_path, NAMES, at=NOW)
    assert second.is_new_authority
    assert second.fingerprint != first.fingerprint
    handshake(tmp_path, "club.local")


def test_another_name_in_the_world_needs_another_authority(tmp_path: Path) -> None:
    ensure_certificate(tmp_path, NAMES, at=NOW)
    found = ensure_certificate(tmp_path, [*NAMES, "club.example"], at=NOW)
    assert found.is_new_authority
