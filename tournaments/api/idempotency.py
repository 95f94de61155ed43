"""Writes that are applied once for each Idempotency-Key, and edits of the version that was seen.

The same write twice is applied once and answered twice alike, also when both come at once: its
response is stored in the transaction of the write. Who edits names the ETag of what they saw in
If-Match, so that nothing of another's is lost.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial, wraps
from re import compile as pattern_of
from typing import Any, Final, TypeVar, overload

from django.db import OperationalError, transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import get_language
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments import idempotency
from tournaments.access.rights import Asker
from tournaments.api.parsers import JSON_TYPE
from tournaments.api.problems import ProblemError, to_problem
from tournaments.core.actors import Actor
from tournaments.core.errors import StaleError
from tournaments.core.language import is_translated, translate
from tournaments.database.sqlite_write_lock import sqlite_write_lock
from tournaments.idempotency import KeyClaimedError, RequestKey, StoredResponse
from tournaments.models import AnsweredRequest

REPLAY: Final = "Idempotent-Replay"
_HEADER: Final = "Idempotency-Key"
_TRIES: Final = 3
_LOCK_TIMEOUT: Final = "55P03"
_DEADLOCKS: Final = frozenset({"40001", "40P01"})
_SHOWN: Final = 200
_TAG: Final = pattern_of(r'"(0|[1-9][0-9]*)(?:-[a-z-]+)?"')
_DIGITS_MOST: Final = 9
_UUID: Final = pattern_of("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

Action = TypeVar("Action", bound=Callable[..., HttpResponseBase])
Known = Callable[[Any, Any], Response | None]


class OneTimeResponse(Response):
    """A response with ``secrets``, which are shown once and stored nowhere.

    Whoever repeats the request finds null in their place.
    """

    def __init__(self, data: Mapping[str, Any], secrets: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__({**data, **secrets}, **kwargs)
        self.stored_data = {**data, **dict.fromkeys(secrets)}


@overload
def idempotent(action: Action) -> Action: ...
@overload
def idempotent(
    *, if_match: bool = False, known: Known | None = None
) -> Callable[[Action], Action]: ...


def idempotent(
    action: Action | None = None, *, if_match: bool = False, known: Known | None = None
) -> Any:
    """Apply an action of a viewset once for each key, and answer every repetition alike.

    The body is validated first (``self.validated_data``); then the action runs in one durable
    transaction with the row that stores its response, so that it may be atomic itself, never
    durable. Errors are not stored and roll everything back.

    ``if_match``: the request must name the version that was seen (``request.if_match``).
    ``known`` gives the response without a lock where nothing is left to be written.
    """
    if action is None:
        return partial(idempotent, if_match=if_match, known=known)

    @wraps(action)
    def apply_once(view: Any, request: Any, **ids: Any) -> HttpResponseBase:
        request.if_match = parse_if_match(request.headers.get("If-Match")) if if_match else 0
        club = request.place.club and request.place.club.pk
        request_key = replace(read_request_key(request, request.asker, view.body), club=club)
        answer = find_stored_response(request_key)
        if answer is None:
            view.validated_data = view.read_body()
            response = known(view, request) if known else None
            if response is not None:
                answer = store_or_recall(
                    request_key, _render(response, response.data), at=request.at
                )
            else:
                work = partial(_run, partial(action, view, request, **ids), request)
                answer = apply_or_recall(request_key, work, at=request.at)
        return _as_response(answer, request)

    apply_once.is_idempotent = True  # type: ignore[attr-defined]
    apply_once.if_match = if_match  # type: ignore[attr-defined]
    return apply_once


def _run(action: Callable[[], Any], request: Any) -> tuple[StoredResponse, StoredResponse]:
    """Return the response as it is sent and as it is stored."""
    try:
        response = action()
    except StaleError as error:
        raise stale_problem(error, yours=request.if_match, sent=request.data) from error
    sent = _render(response, response.data)
    if isinstance(response, OneTimeResponse):
        return sent, _render(response, response.stored_data)
    return sent, sent


def _render(response: Response, data: Any) -> StoredResponse:
    body = b"" if data is None else JSONRenderer().render(translate(data))
    headers = {name: response[name] for name in ("ETag", "Location") if name in response}
    return StoredResponse(response.status_code, body, headers)


def _as_response(answer: StoredResponse, request: Any) -> HttpResponseBase:
    """Return JSON as it was stored, or let the renderer write it for this reader."""
    if answer.body and request.accepted_renderer.format != "json":
        return Response(json.loads(answer.body), answer.status, headers=dict(answer.headers))
    response = HttpResponse(answer.body, status=answer.status, headers=dict(answer.headers))
    if answer.body:
        response["Content-Type"] = JSON_TYPE
    else:
        del response["Content-Type"]
    return response


def read_request_key(request: Request, asker: Asker, body: Mapping[str, Any]) -> RequestKey:
    """The write that is asked for. Raises ProblemError where its key is missing."""
    written = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if written is None:
        words = f"Every write needs a new UUID as {_HEADER}; send it again with each retry."
        raise ProblemError("KEY_REQUIRED", words, where={"key": _HEADER})
    key = written.strip().lower()
    if not _UUID.fullmatch(key):
        raise ProblemError("VALUE", f"{_HEADER} is not a UUID.", where={"key": _HEADER})
    # The same object with its keys in another order is the same request.
    text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return RequestKey(
        asker=_key_owner(asker.actor),
        key=key,
        method=request.method or "",
        path=request.get_full_path()[:300],
        body=text.encode("utf-8", "surrogatepass"),
    )


def _key_owner(actor: Actor) -> str:
    """Whose key it is: the seats that share the link of their table have each their own."""
    return actor.label if actor.seat is None else f"{actor.label}:{actor.seat}"


def find_stored_response(request_key: RequestKey) -> StoredResponse | None:
    """What was answered to the very same. Raises ProblemError if it was asked something else."""
    row = idempotency.find_answered_request(request_key)
    if row is None:
        return None
    if not idempotency.is_same_request(row, request_key):
        raise _key_reused(row, request_key)
    kept = idempotency.stored_response(row)
    return replace(kept, headers={**kept.headers, REPLAY: "true"})


def apply_or_recall(
    request_key: RequestKey,
    work: Callable[[], tuple[StoredResponse, StoredResponse]],
    *,
    at: datetime,
) -> StoredResponse:
    """Do the work and keep its answer in one transaction, or give the answer that is there.

    ``work`` gives what is sent, and what of it may be kept.
    """
    return _retry(request_key, lambda: _apply(request_key, work, at))


def store_or_recall(
    request_key: RequestKey, answer: StoredResponse, *, at: datetime
) -> StoredResponse:
    """Keep the answer to a request that had nothing to write, or give the answer that is there."""
    return _retry(request_key, lambda: _store(request_key, answer, at))


def _retry(request_key: RequestKey, act: Callable[[], StoredResponse]) -> StoredResponse:
    for last in (*[False] * (_TRIES - 1), True):
        try:
            return act()
        except KeyClaimedError:
            found = find_stored_response(request_key)
            if found is not None:
                return found
        except OperationalError as error:
            if last or _state(error) not in _DEADLOCKS:
                raise
    raise _in_progress()


def _apply(
    request_key: RequestKey, work: Callable[[], tuple[StoredResponse, StoredResponse]], at: datetime
) -> StoredResponse:
    with sqlite_write_lock(), transaction.atomic(durable=True):
        _claim(request_key, idempotency.IN_PROGRESS, at)
        sent, kept = work()
        idempotency.store_response(request_key, kept)
    return sent


def _store(request_key: RequestKey, answer: StoredResponse, at: datetime) -> StoredResponse:
    with sqlite_write_lock():
        _claim(request_key, answer, at)
    return answer


def _claim(request_key: RequestKey, answer: StoredResponse, at: datetime) -> None:
    try:
        idempotency.claim_key(request_key, answer, at=at)
    except OperationalError as error:
        if _state(error) == _LOCK_TIMEOUT:
            raise _in_progress() from error
        raise


def _state(error: OperationalError) -> str:
    return str(getattr(error.__cause__, "sqlstate", ""))


def _in_progress() -> ProblemError:
    words = "The same request came before and is still being answered."
    return ProblemError("IN_PROGRESS", words).after(1)


def _key_reused(row: AnsweredRequest, request_key: RequestKey) -> ProblemError:
    words = "This key came before with another request; that one stands."
    found = ProblemError("KEY_REUSED", words, hint="A new request needs a new key.")
    before, now = _members(bytes(row.body)), _members(request_key.body)
    difference = {
        key: {"before": _short(before.get(key)), "now": _short(now.get(key))}
        for key in sorted({*before, *now})
        if before.get(key) != now.get(key) or (key in before) != (key in now)
    }
    was, is_now = f"{row.method} {row.path}", f"{request_key.method} {request_key.path}"
    found.more["request"] = {"before": was, "now": is_now}
    found.more["difference"] = difference
    return found


def _members(body: bytes) -> dict[str, Any]:
    found = json.loads(body.decode("utf-8", "surrogatepass") or "{}")
    return found if isinstance(found, dict) else {}


def _short(value: Any) -> Any:
    text = value if isinstance(value, str) else json.dumps(value)
    return text[:_SHOWN] + "…" if len(text) > _SHOWN else value


def etag(version: int) -> str:
    """The strong entity tag of a version, as it is told in the asker's language.

    >>> etag(3)
    '"3"'
    """
    return f'"{version}-{get_language()}"' if is_translated() else f'"{version}"'


def parse_if_match(header: str | None) -> int:
    """The version that an If-Match header names. Raises ProblemError."""
    if not header:
        words = "Say which version you saw: its ETag as If-Match."
        raise ProblemError("PRECONDITION_REQUIRED", words, hint='If-Match: "1"')
    found = _TAG.fullmatch(header.strip())
    if found is None or len(found[1]) > _DIGITS_MOST:
        where = {"key": "If-Match"}
        words = "If-Match names one version, as its ETag does."
        raise ProblemError("VALUE", words, where=where, hint='If-Match: "1"')
    return int(found[1])


def stale_problem(error: StaleError, *, yours: int | None, sent: Mapping[str, Any]) -> ProblemError:
    """The answer to whoever edited an old version: both versions, and where they differ.

    ``difference`` has what was sent and what stands, for each field that was to be changed.
    """
    found = to_problem(error)
    found.more["yours"] = yours
    if error.current is not None:
        found.more["difference"] = {
            key: {"yours": value, "ours": error.current[key]}
            for key, value in sent.items()
            if key in error.current and not _is_same(error.current[key], value)
        }
    found.headers["ETag"] = etag(error.theirs)
    return found


def _is_same(stands: Any, sent: Any) -> bool:
    """Whether a value is what was sent, be it as JSON or as what it was read to."""
    return bool(stands == sent) or str(stands) == str(sent)
