"""Idempotency-Key, ETag and If-Match for the actions of viewsets.

A write commits in one transaction with its stored response (`tournaments.idempotency`). If-Match
names the version that the editor saw, so that no concurrent change is overwritten.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import Any, Final, TypeVar, overload

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import get_language
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from tournaments import idempotency
from tournaments.api.exceptions import ProblemError, to_problem
from tournaments.api.parsers import JSON_TYPE
from tournaments.api.serializers import UUIDField
from tournaments.core.errors import StaleError
from tournaments.core.language import is_translated, translate
from tournaments.idempotency import RequestKey, StoredResponse

KEY_HEADER: Final = "Idempotency-Key"
_TAG: Final = re.compile(r'(?:W/)?"(0|[1-9][0-9]{0,8})(?:-[a-z-]+)?"')
"""A version, perhaps with a language; ``W/`` and endings such as ``-gzip`` come of compression."""

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
    """Apply an action of a viewset once per Idempotency-Key; repetitions get the stored response.

    The body is validated first (``self.validated_data``); then the action runs in one durable
    transaction with the row that stores its response, so that it may be atomic itself, never
    durable. Errors are not stored and roll everything back.

    ``if_match``: the request must name the version that was seen (``request.if_match``).
    ``known`` may return the response without a lock if there is nothing to write, else None.
    """
    if action is None:
        return partial(idempotent, if_match=if_match, known=known)

    @wraps(action)
    def apply_once(view: Any, request: Any, **ids: Any) -> HttpResponseBase:
        request.if_match = parse_if_match(request.headers.get("If-Match")) if if_match else 0
        key = read_key(request, view.body)
        answer = idempotency.find_stored_response(key)
        if answer is None:
            view.validated_data = view.read_body()
            response = known(view, request) if known else None
            if response is not None:
                stored = _render(response, response.data)
                answer = idempotency.store_once(key, stored, at=request.at)
            else:
                work = partial(_work, partial(action, view, request, **ids), request)
                answer = idempotency.apply_once(key, work, at=request.at)
        return _as_response(answer, request)

    apply_once.is_idempotent = True  # type: ignore[attr-defined]
    apply_once.if_match = if_match  # type: ignore[attr-defined]
    return apply_once


def read_key(request: Any, body: Mapping[str, Any]) -> RequestKey:
    """Return the key of a write, and what it asks for. Raises ProblemError."""
    written = request.headers.get(KEY_HEADER)
    if written is None:
        words = f"Every write needs a new UUID as {KEY_HEADER}; send it again with each retry."
        raise ProblemError("KEY_REQUIRED", words, where={"key": KEY_HEADER})
    try:
        key = UUIDField().run_validation(written.strip())
    except ValidationError as error:
        words = f"{KEY_HEADER} is not a UUID."
        raise ProblemError("VALUE", words, where={"key": KEY_HEADER}) from error
    actor = request.by
    # The same object with its keys in another order is the same question.
    text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return RequestKey(
        # The seats that share the link of their table have each their own keys.
        asker=actor.label if actor.seat is None else f"{actor.label}:{actor.seat}",
        key=str(key),
        method=request.method,
        path=request.get_full_path()[:300],
        body=text.encode("utf-8", "surrogatepass"),
        club=request.place.club and request.place.club.pk,
    )


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
    match = _TAG.fullmatch(header.strip())
    if match is None:
        words = "If-Match names one version, as its ETag does."
        raise ProblemError("VALUE", words, where={"key": "If-Match"}, hint='If-Match: "1"')
    return int(match[1])


def _stale(error: StaleError, *, yours: int, sent: Mapping[str, Any]) -> ProblemError:
    """Return the problem for a stale If-Match: both versions, and the fields that differ."""
    problem = to_problem(error)
    problem.more["yours"] = yours
    if error.current is not None:
        current = error.current
        problem.more["difference"] = {
            key: {"yours": value, "ours": current[key]}
            for key, value in sent.items()
            # What stands may be an id or a moment, which JSON has as text.
            if key in current and current[key] != value and str(current[key]) != str(value)
        }
    problem.headers["ETag"] = etag(error.theirs)
    return problem


def _work(action: Callable[[], Any], request: Any) -> tuple[StoredResponse, StoredResponse]:
    """Return the response as it is sent and as it is stored."""
    try:
        response = action()
    except StaleError as error:
        raise _stale(error, yours=request.if_match, sent=request.data) from error
    sent = _render(response, response.data)
    if isinstance(response, OneTimeResponse):
        return sent, _render(response, response.stored_data)
    return sent, sent


def _render(response: Response, data: Any) -> StoredResponse:
    body = b"" if data is None else JSONRenderer().render(translate(data))
    headers = {name: response[name] for name in ("ETag", "Location") if name in response}
    return StoredResponse(response.status_code, body, headers)


def _as_response(answer: StoredResponse, request: Any) -> HttpResponseBase:
    """Return the stored JSON bytes, or a DRF response for the browsable API."""
    if answer.body and request.accepted_renderer.format != "json":
        return Response(json.loads(answer.body), answer.status, headers=dict(answer.headers))
    response = HttpResponse(answer.body, status=answer.status, headers=dict(answer.headers))
    if answer.body:
        response["Content-Type"] = JSON_TYPE
    else:
        del response["Content-Type"]
    return response
