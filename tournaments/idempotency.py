"""Idempotency keys: the same write under the same key is applied once and gets the same response.

The row with the key and the response commits together with all that the request did, or not at all
(reliability.md section 1, item 4).
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, OperationalError, transaction

from engine.core.messages import Message
from tournaments.core.errors import ConflictError, TooOftenError
from tournaments.database.sql import first_row, insert_row
from tournaments.database.sqlite_write_lock import sqlite_write_lock
from tournaments.models import AnsweredRequest

RETENTION: Final = timedelta(days=30)
"""How long a response is kept: a phone may lie in a drawer from one club night to the next."""


REPLAY: Final = "Idempotent-Replay"
"""The header of a response that was stored."""
_TRIES: Final = 3
_LOCK_TIMEOUT: Final = "55P03"
_DEADLOCKS: Final = frozenset({"40001", "40P01"})
_SHOWN_MAX: Final = 200


class KeyClaimedError(Exception):
    """Another request claimed the same key first; its response can be read now."""


class KeyReusedError(ConflictError):
    """The key came before with another request: ``request`` and ``difference`` say how they differ.

    ``difference`` has both values of each member of the bodies that is not the same.
    """

    code = "KEY_REUSED"

    def __init__(self, row: AnsweredRequest, request: "RequestKey") -> None:
        super().__init__(Message("This key came before with another request; that one stands."))
        self.request = {
            "before": f"{row.method} {row.path}",
            "now": f"{request.method} {request.path}",
        }
        before, now = _members(bytes(row.body)), _members(request.body)
        self.difference = {
            key: {"before": _shorten(before.get(key)), "now": _shorten(now.get(key))}
            for key in sorted({*before, *now})
            if before.get(key) != now.get(key) or (key in before) != (key in now)
        }


class InProgressError(TooOftenError):
    """The same request came before and is still being answered."""

    code = "IN_PROGRESS"

    def __init__(self) -> None:
        super().__init__(
            Message("The same request came before and is still being answered."), wait=1
        )


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


def find_answered_request(asker: str, key: str) -> AnsweredRequest | None:
    """``AnsweredRequest.objects.filter(asker=asker, key=key).first()``."""
    return first_row(
        AnsweredRequest.objects.raw(
            "SELECT * FROM tournaments_answeredrequest WHERE asker = %s AND key = %s", [asker, key]
        )
    )


def find_stored_response(request: RequestKey) -> StoredResponse | None:
    """The response to the very same request, if it came before. One query.

    Raises KeyReusedError if another request came under this key.
    """
    row = find_answered_request(request.asker, request.key)
    if row is None:
        return None
    asked = (request.method, request.path, request.digest)
    if (row.method, row.path, row.body_digest) != asked:
        raise KeyReusedError(row, request)
    return StoredResponse(row.status, bytes(row.answer), {**row.headers, REPLAY: "true"})


def apply_once(
    request: RequestKey,
    work: Callable[[], tuple[StoredResponse, StoredResponse]],
    *,
    at: datetime,
) -> StoredResponse:
    """Do the work and store its response in one durable transaction, or find the stored one.

    ``work`` returns the response as it is sent and as it is stored. Raises what the work raises,
    KeyReusedError, and InProgressError.
    """

    def apply() -> StoredResponse:
        with sqlite_write_lock(), transaction.atomic(durable=True):
            claim_key(request, IN_PROGRESS, at=at)
            sent, stored = work()
            AnsweredRequest.objects.filter(asker=request.asker, key=request.key).update(
                status=stored.status, answer=stored.body, headers=dict(stored.headers)
            )
        return sent

    return _try(request, apply)


def store_once(request: RequestKey, response: StoredResponse, *, at: datetime) -> StoredResponse:
    """Store the response to a request that has nothing to write, or find the stored one.

    Raises KeyReusedError and InProgressError.
    """

    def store() -> StoredResponse:
        with sqlite_write_lock():
            claim_key(request, response, at=at)
        return response

    return _try(request, store)


def _try(request: RequestKey, act: Callable[[], StoredResponse]) -> StoredResponse:
    """Act; after a deadlock once more, and where the key is claimed find what was answered."""
    for is_last in (*[False] * (_TRIES - 1), True):
        try:
            return act()
        except KeyClaimedError:
            stored_response = find_stored_response(request)
            if stored_response is not None:
                return stored_response
        except OperationalError as error:
            state = getattr(error.__cause__, "sqlstate", "")
            if is_last or state not in _DEADLOCKS:
                raise
    raise InProgressError


def claim_key(request: RequestKey, response: StoredResponse, *, at: datetime) -> None:
    """Insert the row of a key before anything is done; a second claim waits here for the first.

    Raises KeyClaimedError, which must end the transaction, and InProgressError.
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
        insert_row(row)
    except IntegrityError as error:
        raise KeyClaimedError from error
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", "") == _LOCK_TIMEOUT:
            raise InProgressError from error
        raise


def _members(body: bytes) -> dict[str, Any]:
    found = json.loads(body.decode("utf-8", "surrogatepass") or "{}")
    return found if isinstance(found, dict) else {}


def _shorten(value: Any) -> Any:
    text = value if isinstance(value, str) else json.dumps(value)
    return text[:_SHOWN_MAX] + "…" if len(text) > _SHOWN_MAX else value


def delete_expired(*, at: datetime) -> int:
    """Delete the rows that are older than `RETENTION`; return their number."""
    return AnsweredRequest.objects.filter(at__lt=at - RETENTION).delete()[0]
