"""Secrets and signatures of webhooks, in the form of Standard Webhooks (standardwebhooks.com)."""

import base64
import hashlib
import hmac
import secrets
from datetime import datetime
from typing import Final
from uuid import UUID

SECRET_MARK: Final = "whsec_"  # noqa: S105 (how a secret begins)
SECRET_BYTES: Final = 32


def make_secret() -> str:
    """A new secret, as its owner is shown it."""
    return SECRET_MARK + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def sign(message: str, stamp: str, body: bytes, *, secret: str) -> str:
    """HMAC-SHA256 over id, time and body, as its header has it."""
    key = base64.b64decode(secret.removeprefix(SECRET_MARK))
    signed = f"{message}.{stamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def signed_headers(message: UUID, body: bytes, *, secret: str, at: datetime) -> dict[str, str]:
    """Headers that say whose message it is, which, and when it was sent."""
    stamp = str(int(at.timestamp()))
    return {
        "Idempotency-Key": str(message),
        "Webhook-Id": str(message),
        "Webhook-Timestamp": stamp,
        "Webhook-Signature": sign(str(message), stamp, body, secret=secret),
    }
