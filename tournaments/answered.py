"""Requests that were answered: the same key, the same answer (reliability.md section 1, item 4).

The row commits together with all that the request did, or not at all.
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

KEPT: Final = timedelta(days=30)
"""How long an answer is kept: a phone may lie in a drawer from one club night to the next."""
_ANSWERED: Final = Prepared(
    lambda: AnsweredRequest.objects.filter(
        asker=Blank("asker", CharField()), key=Blank("key", CharField())
    )
)


class AskedBeforeError(Exception):
    """Somebody else with the same key was quicker; his answer can be read now."""


@dataclass(frozen=True, slots=True)
class Question:
    """A write as it came: ``body`` in one form for the same content."""

    asker: str
    key: str
    method: str
    path: str
    body: bytes
    club: UUID | None = None

    @property
    def digest(self) -> str:
        """That of the body."""
        return hashlib.sha256(self.body).hexdigest()


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as it was sent."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


def recall(question: Question) -> AnsweredRequest | None:
    """The request that was answered under this key, whatever it asked. One query."""
    return _ANSWERED.first(asker=question.asker, key=question.key)


def is_same(row: AnsweredRequest, question: Question) -> bool:
    """Whether a request asks for just what was answered."""
    asked = (question.method, question.path, question.digest)
    return (row.method, row.path, row.body_digest) == asked


def kept_of(row: AnsweredRequest) -> Kept:
    """The answer in a row."""
    return Kept(row.status, bytes(row.answer), row.headers)


UNANSWERED: Final = Kept(0, b"")
"""What is kept of a request while it is worked on."""


def claim(question: Question, answer: Kept, *, at: datetime) -> AnsweredRequest:
    """Take the key before anything is done; whoever is second waits here for the first.

    Raises AskedBeforeError, which must end the transaction.
    """
    row = AnsweredRequest(
        asker=question.asker,
        key=question.key,
        method=question.method,
        path=question.path,
        body_digest=question.digest,
        body=question.body,
        status=answer.status,
        headers=dict(answer.headers),
        answer=answer.body,
        at=at,
        club_id=question.club,
    )
    try:
        add_rows([row])
    except IntegrityError as error:
        raise AskedBeforeError from error
    return row


def keep(row: AnsweredRequest, answer: Kept) -> None:
    """Write down the answer to a claimed request, still in its transaction."""
    row.status, row.answer, row.headers = answer.status, answer.body, dict(answer.headers)
    change_row(row, "status", "answer", "headers")


def forget(*, at: datetime) -> int:
    """Remove what is older than is kept; how many rows that were."""
    return AnsweredRequest.objects.filter(at__lt=at - KEPT).delete()[0]
