"""The same write twice is applied once and answered twice alike, also when both come at once."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import OperationalError, transaction
from rest_framework.request import Request

from tournaments import idempotency
from tournaments.access.rights import Asker
from tournaments.api.fields import uuid_of
from tournaments.api.problems import ProblemError
from tournaments.core.actors import Actor
from tournaments.database.sqlite_write_lock import sqlite_write_lock
from tournaments.idempotency import KeyClaimedError, RequestKey, StoredResponse
from tournaments.models import AnsweredRequest

REPLAY: Final = "Idempotent-Replay"
_HEADER: Final = "Idempotency-Key"
_TRIES: Final = 3
_LOCK_TIMEOUT: Final = "55P03"
_DEADLOCKS: Final = frozenset({"40001", "40P01"})
_SHOWN: Final = 200


def question_of(request: Request, asker: Asker, body: Mapping[str, Any]) -> RequestKey:
    """The write that is asked for. Raises ProblemError where its key is missing."""
    written = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if written is None:
        words = f"Every write needs a new UUID as {_HEADER}; send it again with each retry."
        raise ProblemError("KEY_REQUIRED", words, where={"key": _HEADER})
    key = uuid_of(written.strip())
    if key is None:
        raise ProblemError("VALUE", f"{_HEADER} is not a UUID.", where={"key": _HEADER})
    # The same object with its keys in another order is the same question.
    text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return RequestKey(
        asker=_asking(asker.actor),
        key=str(key),
        method=request.method or "",
        path=request.get_full_path()[:300],
        body=text.encode("utf-8", "surrogatepass"),
    )


def _asking(actor: Actor) -> str:
    """Whose key it is: the seats that share the link of their table have each their own."""
    return actor.label if actor.seat is None else f"{actor.label}:{actor.seat}"


def recalled(question: RequestKey) -> StoredResponse | None:
    """What was answered to the very same. Raises ProblemError if it was asked something else."""
    row = idempotency.find_answered_request(question)
    if row is None:
        return None
    if not idempotency.is_same_request(row, question):
        raise _reused(row, question)
    kept = idempotency.stored_response(row)
    return replace(kept, headers={**kept.headers, REPLAY: "true"})


def once(
    question: RequestKey, work: Callable[[], tuple[StoredResponse, StoredResponse]], *, at: datetime
) -> StoredResponse:
    """Do the work and keep its answer in one transaction, or give the answer that is there.

    ``work`` gives what is sent, and what of it may be kept.
    """
    return _tried(question, lambda: _apply(question, work, at))


def told(question: RequestKey, answer: StoredResponse, *, at: datetime) -> StoredResponse:
    """Keep the answer to a request that had nothing to write, or give the answer that is there."""
    return _tried(question, lambda: _note(question, answer, at))


def _tried(question: RequestKey, act: Callable[[], StoredResponse]) -> StoredResponse:
    for last in (*[False] * (_TRIES - 1), True):
        try:
            return act()
        except KeyClaimedError:
            found = recalled(question)
            if found is not None:
                return found
        except OperationalError as error:
            if last or _state(error) not in _DEADLOCKS:
                raise
    raise _in_progress()


def _apply(
    question: RequestKey, work: Callable[[], tuple[StoredResponse, StoredResponse]], at: datetime
) -> StoredResponse:
    with sqlite_write_lock(), transaction.atomic(durable=True):
        _claim(question, idempotency.IN_PROGRESS, at)
        sent, kept = work()
        idempotency.store_response(question, kept)
    return sent


def _note(question: RequestKey, answer: StoredResponse, at: datetime) -> StoredResponse:
    with sqlite_write_lock():
        _claim(question, answer, at)
    return answer


def _claim(question: RequestKey, answer: StoredResponse, at: datetime) -> None:
    try:
        idempotency.claim_key(question, answer, at=at)
    except OperationalError as error:
        if _state(error) == _LOCK_TIMEOUT:
            raise _in_progress() from error
        raise


def _state(error: OperationalError) -> str:
    return str(getattr(error.__cause__, "sqlstate", ""))


def _in_progress() -> ProblemError:
    words = "The same request came before and is still being answered."
    return ProblemError("IN_PROGRESS", words).after(1)


def _reused(row: AnsweredRequest, question: RequestKey) -> ProblemError:
    words = "This key came before with another request; that one stands."
    found = ProblemError("KEY_REUSED", words, hint="A new request needs a new key.")
    before, now = _members(bytes(row.body)), _members(question.body)
    difference = {
        key: {"before": _short(before.get(key)), "now": _short(now.get(key))}
        for key in sorted({*before, *now})
        if before.get(key) != now.get(key) or (key in before) != (key in now)
    }
    was, is_now = f"{row.method} {row.path}", f"{question.method} {question.path}"
    found.more["request"] = {"before": was, "now": is_now}
    found.more["difference"] = difference
    return found


def _members(body: bytes) -> dict[str, Any]:
    found = json.loads(body.decode("utf-8", "surrogatepass") or "{}")
    return found if isinstance(found, dict) else {}


def _short(value: Any) -> Any:
    text = value if isinstance(value, str) else json.dumps(value)
    return text[:_SHOWN] + "…" if len(text) > _SHOWN else value
