"""Signatures: who wrote a file, and that nobody changed it since (Ed25519, beside the file).

An installation signs with a key of its own; whose other keys are is what its people wrote down
(`trust`). What is signed is the SHA-256 of the whole file, so a file of any length is signed while
it is written and checked while it is read.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from django.conf import settings

from engine.core.messages import Message

ALGORITHM: Final = "Ed25519"
EXTENSION: Final = ".sig"
TEXT_MAX: Final = 1000
"""The longest signature, in bytes; ours have about 300."""
DIGEST_BYTES: Final = 32
_MARK: Final = b"painsuit signature 1\n"
_KEY_BYTES: Final = 32
_FIELDS: Final = {"algorithm", "digest", "key", "public", "signature"}


class SignatureError(Exception):
    """A signature that is none, or not of this file; in one clear line."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature beside a file: the file's ``digest``, whose ``public`` key, and the ``value``."""

    digest: bytes
    public: bytes
    value: bytes

    @property
    def key(self) -> str:
        """The name of the key: the beginning of its SHA-256."""
        return key_name(self.public)

    def text(self) -> str:
        """The one text of it, a line of JSON."""
        data = {
            "algorithm": ALGORITHM,
            "digest": self.digest.hex(),
            "key": self.key,
            "public": _encode_base64(self.public),
            "signature": _encode_base64(self.value),
        }
        return json.dumps(data, sort_keys=True, separators=(",", ":"))

    @classmethod
    def read(cls, text: bytes) -> "Signature":
        """A signature as it was written; another spelling of the same is none.

        Raises SignatureError.
        """
        try:
            data = json.loads(text[:TEXT_MAX].decode("ascii"))
            found = cls(
                bytes.fromhex(data["digest"]),
                _decode_base64(data["public"]),
                _decode_base64(data["signature"]),
            )
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise SignatureError(Message("this is no signature")) from error
        if set(data) != _FIELDS or found.text().encode() != text.removesuffix(b"\n"):
            raise SignatureError(
                Message("this is no signature as we write them, or it was changed")
            )
        return found

    def check(self, digest: bytes) -> None:
        """Raises SignatureError unless it is that of a file with this digest."""
        if digest != self.digest:
            raise SignatureError(
                Message("the file was changed after it was signed, or is another one")
            )
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(self.value, _MARK + digest)
        except (InvalidSignature, ValueError) as error:
            raise SignatureError(
                Message("the signature was not made with the key that it names")
            ) from error


def key_name(public: bytes) -> str:
    """Return the short name of a key that is too long to read.

    >>> key_name(b"")
    'e3b0c44298fc1c14'
    """
    return hashlib.sha256(public).hexdigest()[:16]


def key_of(public: str) -> str:
    """The name of a key that is written as text. Raises ValueError."""
    return key_name(_decode_base64(public))


class Source(Protocol):
    """A file open for reading, in bytes."""

    def read(self, size: int, /) -> bytes:
        """Read at most so much; nothing at the end."""


@dataclass(slots=True)
class Digested:
    """A file that is digested while it is read."""

    source: Source
    _whole: Any = field(default_factory=hashlib.sha256)

    def read(self, size: int, /) -> bytes:
        """Read on."""
        block = self.source.read(size)
        self._whole.update(block)
        return block

    def digest(self) -> bytes:
        """The digest of all that was read."""
        digest: bytes = self._whole.digest()
        return digest


@dataclass(slots=True)
class Signing:
    """Digests the pieces of a file on their way out, and signs them in the end."""

    _whole: Any = field(default_factory=hashlib.sha256)

    def passing(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the pieces unchanged."""
        for piece in pieces:
            self._whole.update(piece)
            yield piece

    def sign(self) -> Signature | None:
        """The signature of all that passed; None where this installation has no key."""
        return find_signature(self._whole.digest())


def find_signature(digest: bytes) -> Signature | None:
    """The signature of a file with this digest; None where this installation has no key."""
    key = _own()
    if key is None:
        return None
    return Signature(digest, key.public_key().public_bytes_raw(), key.sign(_MARK + digest))


def own_key() -> str | None:
    """The public key of this installation, as others write it down; None if it has none."""
    key = _own()
    return None if key is None else _encode_base64(key.public_key().public_bytes_raw())


def public_key(signature: Signature) -> str:
    """The public key that a signature names, as people write it down."""
    return _encode_base64(signature.public)


def signer_of(signature: Signature) -> str | None:
    """Return the owner of a signature: this club's name for the key; None if nobody knows it."""
    written = public_key(signature)
    if written == own_key():
        return "this installation"
    return signers().get(written)


def signers() -> dict[str, str]:
    """The names by key that were written down here."""
    path = Path(settings.SIGNERS)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    pairs = (line.partition(" ") for line in lines if line.strip())
    return {key: name.strip() for key, _, name in pairs}


def trust(key: str, name: str) -> str:
    """Write down whose a key is; the name of the key. Raises SignatureError."""
    try:
        public = _decode_base64(key.strip())
    except ValueError:
        public = b""
    if len(public) != _KEY_BYTES:
        raise SignatureError(Message("this is no public key"))
    who = " ".join(name.split())
    if not who:
        raise SignatureError(Message("say whose key this is"))
    known = {**signers(), _encode_base64(public): who}
    path = Path(settings.SIGNERS)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    draft.touch(mode=0o600)
    draft.write_text("".join(f"{one} {said}\n" for one, said in known.items()), encoding="utf-8")
    draft.replace(path)
    return key_name(public)


def _own() -> Ed25519PrivateKey | None:
    if settings.SIGNING_KEY is None:
        return None
    return Ed25519PrivateKey.from_private_bytes(_decode_base64(settings.SIGNING_KEY))


def _encode_base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _decode_base64(text: str) -> bytes:
    """Decode the output of `_encode_base64`. Raises ValueError."""
    data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if _encode_base64(data) != text:
        raise ValueError("not written as we write it")
    return data
