"""Writes that are applied once for each Idempotency-Key, in one transaction with their answer."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial, wraps
from typing import Any, TypeVar, overload

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from tournaments.api.bodies import JSON_TYPE
from tournaments.api.repeating import once, question_of, recalled, told
from tournaments.api.versions import stale, version_seen
from tournaments.core.errors import StaleError
from tournaments.core.language import translate
from tournaments.idempotency import StoredResponse

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
        request.if_match = version_seen(request.headers.get("If-Match")) if if_match else 0
        club = request.place.club and request.place.club.pk
        question = replace(question_of(request, request.asker, view.body), club=club)
        answer = recalled(question)
        if answer is None:
            view.validated_data = view.read_body()
            response = known(view, request) if known else None
            if response is not None:
                answer = told(question, _render(response, response.data), at=request.at)
            else:
                work = partial(_work, partial(action, view, request, **ids), request)
                answer = once(question, work, at=request.at)
        return _as_response(answer, request)

    apply_once.is_idempotent = True  # type: ignore[attr-defined]
    apply_once.if_match = if_match  # type: ignore[attr-defined]
    return apply_once


def _work(action: Callable[[], Any], request: Any) -> tuple[StoredResponse, StoredResponse]:
    """Return the response as it is sent and as it is stored."""
    try:
        response = action()
    except StaleError as error:
        raise stale(error, yours=request.if_match, sent=request.data) from error
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
