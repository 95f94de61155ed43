"""A certificate authority of the installation's own, and the certificate that it signs.

A club on its own Wi-Fi has no name that a public authority would sign for. Phones trust the
authority once, by hand; the certificate of the server is replaced long before it ends, or when the
machine has other addresses, without a phone noticing. What a stolen key could do is limited: the
authority may only sign for the names of this machine and for private networks (RFC 5280, 4.2.1.10).
"""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from django.conf import settings
from django.utils import timezone

AUTHORITY_LIFE: Final = timedelta(days=3650)
LIFE: Final = timedelta(days=365)
"""Apple's devices refuse certificates of more than 825 days."""
RENEWED_BEFORE: Final = timedelta(days=60)
_EARLIER: Final = timedelta(days=1)
"""Phones whose clocks are slow."""
_PRIVATE: Final = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"),
    *("127.0.0.0/8", "fc00::/7", "fe80::/10", "::1/128"),
)
_LOCAL: Final = ("localhost", "local", "lan", "home.arpa", "internal")
"""Domains that no public authority signs for; a constraint covers what is below it, too."""


HostName = x509.DNSName | x509.IPAddress
"""What a certificate is good for."""


@dataclass(frozen=True, slots=True)
class OwnCertificate:
    """The certificate that the server shows: ``chain`` is a PEM file with key and certificates.

    ``authority`` is the PEM file that phones trust, ``fingerprint`` its SHA-256 in hexadecimal;
    ``is_new_authority`` says that phones have to trust it anew.
    """

    chain: Path
    authority: Path
    fingerprint: str
    is_new_authority: bool


@dataclass(frozen=True, slots=True)
class _Pair:
    """A certificate with its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def own_certificate(hosts: Sequence[str]) -> OwnCertificate:
    """Return the certificate of this installation, as ``ensure_certificate`` does."""
    # By "localhost" we look ourselves whether the web server answers, whatever PAINSUIT_HOSTS says.
    return ensure_certificate(settings.DATA.tls, ["localhost", *hosts], at=timezone.now())


def ensure_certificate(folder: Path, names: Sequence[str], *, at: datetime) -> OwnCertificate:
    """Return a certificate for ``names`` that is good for some time, made where there is none.

    ``names`` are host names and addresses as a browser writes them. Keys lie in ``folder``,
    readable by its owner alone. Raises OSError where they cannot be written.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    wanted = list(_general_names(names))
    authority_file, chain = folder / "authority.pem", folder / "server.pem"
    kept = _load(folder / "authority.key.pem")
    authority = kept
    if authority is None or not _is_good(authority, wanted, at):
        authority = _make_authority(wanted, at)
        _replace(folder / "authority.key.pem", _pem(authority))
    _replace(authority_file, authority.certificate.public_bytes(serialization.Encoding.PEM))
    server = _load(chain)
    if server is None or not _serves(server.certificate, authority.certificate, wanted, at):
        server = _make_server(authority, wanted, at)
        _replace(
            chain,
            _pem(server) + authority.certificate.public_bytes(serialization.Encoding.PEM),
        )
    fingerprint = authority.certificate.fingerprint(hashes.SHA256()).hex(" ").upper()
    return OwnCertificate(chain, authority_file, fingerprint, authority is not kept)


def _general_names(names: Iterable[str]) -> Iterator[HostName]:
    for name in dict.fromkeys(names):
        try:
            yield x509.IPAddress(ip_address(name.strip("[]")))
        except ValueError:
            if name.startswith("."):
                yield x509.DNSName(f"*{name.lower()}")
            if name != "*":
                yield x509.DNSName(name.lower().lstrip("."))


def _is_good(authority: _Pair, wanted: Sequence[HostName], at: datetime) -> bool:
    """Whether an authority lives longer than what it signs, and may sign for these names."""
    if authority.certificate.not_valid_after_utc < at + LIFE:
        return False
    found = authority.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
    permitted = found.permitted_subtrees or []
    return all(any(_covers(subtree, one) for subtree in permitted) for one in wanted)


def _covers(subtree: x509.GeneralName, name: HostName) -> bool:
    if isinstance(subtree, x509.DNSName) and isinstance(name, x509.DNSName):
        return f".{name.value.removeprefix('*.')}".endswith(f".{subtree.value}")
    if isinstance(subtree, x509.IPAddress) and isinstance(name, x509.IPAddress):
        return name.value in ip_network(str(subtree.value))
    return False


def _serves(
    server: x509.Certificate,
    authority: x509.Certificate,
    wanted: Sequence[HostName],
    at: datetime,
) -> bool:
    """Whether a certificate was signed by the authority, for all names, and ends not too soon."""
    if server.issuer != authority.subject or server.not_valid_after_utc < at + RENEWED_BEFORE:
        return False
    found = server.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return set(wanted) <= set(found)


def _make_authority(wanted: Sequence[HostName], at: datetime) -> _Pair:
    key = ec.generate_private_key(ec.SECP256R1())
    # Named by its key, so that a later authority is never taken for this one.
    mark = x509.SubjectKeyIdentifier.from_public_key(key.public_key()).digest.hex()[:8]
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Painsuit"),
            x509.NameAttribute(NameOID.COMMON_NAME, f"Painsuit of this club ({mark})"),
        ]
    )
    networks = dict.fromkeys(
        [*_PRIVATE, *(str(one.value) for one in wanted if isinstance(one, x509.IPAddress))]
    )
    own = [one.value.removeprefix("*.") for one in wanted if isinstance(one, x509.DNSName)]
    permitted = [
        *(x509.DNSName(one) for one in dict.fromkeys([*_LOCAL, *own])),
        *(x509.IPAddress(ip_network(network)) for network in networks),
    ]
    certificate = (
        _begin(name, name, key.public_key(), at, AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(is_authority=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return _Pair(certificate, key)


def _make_server(authority: _Pair, wanted: Sequence[HostName], at: datetime) -> _Pair:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Painsuit")])
    signer = authority.certificate
    certificate = (
        _begin(name, signer.subject, key.public_key(), at, LIFE)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(is_authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(wanted), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()),
            critical=False,
        )
        .sign(authority.key, hashes.SHA256())
    )
    return _Pair(certificate, key)


def _begin(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    at: datetime,
    life: timedelta,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(at - _EARLIER)
        .not_valid_after(at + life)
    )


def _usage(*, is_authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not is_authority,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _load(path: Path) -> _Pair | None:
    """Read a key and its certificate; None where there are none that can be used."""
    try:
        data = path.read_bytes()
        key = serialization.load_pem_private_key(data, password=None)
        certificate = x509.load_pem_x509_certificate(data)
    except (FileNotFoundError, ValueError):
        return None
    return _Pair(certificate, key) if isinstance(key, ec.EllipticCurvePrivateKey) else None


def _pem(pair: _Pair) -> bytes:
    key = pair.key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return key + pair.certificate.public_bytes(serialization.Encoding.PEM)


def _replace(path: Path, data: bytes) -> None:
    """Write a file whole and private; what stood there before is read until then."""
    if path.exists() and path.read_bytes() == data:
        return
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # mode 0600
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    Path(draft).replace(path)
