"""Idempotency keys: the same write under the same key is applied once and gets the same response.

The row with the key and the response commits together with all that the request did, or not at all
(reliability.md section 1, item 4).
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import IntegrityError
from django.db.models import CharField

from tournaments.models import AnsweredRequest
from tournaments.prepared import Blank, Prepared
from tournaments.rows import add_rows, change_row

RETENTION: Final = timedelta(days=30)
"""How long a response is kept: a phone may lie in a drawer from one club night to the next."""
_ANSWERED: Final = Prepared(
    lambda: AnsweredRequest.objects.filter(
        asker=Blank("asker", CharField()), key=Blank("key", CharField())
    )
)


class KeyClaimedError(Exception):
    """Another request claimed the same key first; its response can be read now."""


@dataclass(frozen=True, slots=True)
class RequestKey:
    """A write with its idempotency key; ``body`` is the same for the same content."""

    asker: str
    key: str
    method: str
    path: str
    body: bytes
    club: UUID | None = None

    @property
    def digest(self) -> str:
        """The SHA-256 of the body."""
        return hashlib.sha256(self.body).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """A response as it is sent, and sent again to a repeated request."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


IN_PROGRESS: Final = StoredResponse(0, b"")
"""Stored with a claimed key until the response is known; never seen outside its transaction."""


def find_answered_request(request: RequestKey) -> AnsweredRequest | None:
    """The request that was answered under this key, whatever it asked. One query."""
    return _ANSWERED.first(asker=request.asker, key=request.key)


def is_same_request(row: AnsweredRequest, request: RequestKey) -> bool:
    """Whether a request is just the one that was answered."""
    asked = (request.method, request.path, request.digest)
    return (row.method, row.path, row.body_digest) == asked


def stored_response(row: AnsweredRequest) -> StoredResponse:
    """The response in a row."""
    return StoredResponse(row.status, bytes(row.answer), row.headers)


def claim_key(request: RequestKey, response: StoredResponse, *, at: datetime) -> AnsweredRequest:
    """Insert the row of a key before anything is done; a second claim waits here for the first.

    Raises KeyClaimedError, which must end the transaction.
    """
    row = AnsweredRequest(
        asker=request.asker,
        key=request.key,
        method=request.method,
        path=request.path,
        body_digest=request.digest,
        body=request.body,
        status=response.status,
        headers=dict(response.headers),
        answer=response.body,
        at=at,
        club_id=request.club,
    )
    try:
        add_rows([row])
    except IntegrityError as error:
        raise KeyClaimedError from error
    return row


def store_response(row: AnsweredRequest, response: StoredResponse) -> None:
    """Store the response to the request that claimed a key, still in its transaction."""
    row.status, row.answer, row.headers = response.status, response.body, dict(response.headers)
    change_row(row, "status", "answer", "headers")


def delete_expired(*, at: datetime) -> int:
    """Delete the rows that are older than `RETENTION`; return their number."""
    return AnsweredRequest.objects.filter(at__lt=at - RETENTION).delete()[0]
