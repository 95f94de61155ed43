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

from tournaments import hot_queries
from tournaments.models import AnsweredRequest

RETENTION: Final = timedelta(days=30)
"""How long a response is kept: a phone may lie in a drawer from one club night to the next."""


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
    return hot_queries.find_answered_request(request.asker, request.key)


def is_same_request(row: AnsweredRequest, request: RequestKey) -> bool:
    """Whether a request is just the one that was answered."""
    asked = (request.method, request.path, request.digest)
    return (row.method, row.path, row.body_digest) == asked


def stored_response(row: AnsweredRequest) -> StoredResponse:
    """The response in a row."""
    return StoredResponse(row.status, bytes(row.answer), row.headers)


def claim_key(request: RequestKey, response: StoredResponse, *, at: datetime) -> None:
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
        hot_queries.insert_row(row)
    except IntegrityError as error:
        raise KeyClaimedError from error


def store_response(request: RequestKey, response: StoredResponse) -> None:
    """Store the response to a request that has claimed its key, still in its transaction."""
    AnsweredRequest.objects.filter(asker=request.asker, key=request.key).update(
        status=response.status, answer=response.body, headers=dict(response.headers)
    )


def delete_expired(*, at: datetime) -> int:
    """Delete the rows that are older than `RETENTION`; return their number."""
    return AnsweredRequest.objects.filter(at__lt=at - RETENTION).delete()[0]
