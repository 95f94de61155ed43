"""Errors of the API as application/problem+json (RFC 9457), each with a code of its own.

What is wrong with a record is never such an error: that is an answer, with diagnostics.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.response import Response

log = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
PAGE: Final = "/api/v1/problems"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a code means."""

    status: int
    title: str


KINDS: Final = {
    "JSON": Kind(400, "The body is not JSON"),
    "OBJECT_EXPECTED": Kind(400, "A JSON object is expected"),
    "KEY_TWICE": Kind(400, "A key stands twice in one object"),
    "KEY_UNKNOWN": Kind(400, "A key that is not known"),
    "KEY_REQUIRED": Kind(400, "A key is missing"),
    "TYPE": Kind(400, "A value of the wrong type"),
    "VALUE": Kind(400, "A value that is not possible"),
    "NUMBER": Kind(400, "Not a number of JSON"),
    "NUMBER_RANGE": Kind(400, "A number out of range"),
    "TOO_DEEP": Kind(400, "Nested too deep"),
    "ENCODING": Kind(400, "The bytes do not fit the encoding"),
    "EMPTY": Kind(400, "Nothing to read yet"),
    "NOT_TEXT": Kind(400, "Not a text record"),
    "RULESET_UNKNOWN": Kind(400, "A rule set that is not known"),
    "RULES": Kind(400, "Rules that cannot be"),
    "FORBIDDEN": Kind(403, "Not allowed"),
    "NOT_FOUND": Kind(404, "Nothing is here"),
    "METHOD": Kind(405, "This method is not possible here"),
    "NOT_ACCEPTABLE": Kind(406, "Only JSON is written here"),
    "LENGTH_REQUIRED": Kind(411, "The length of the body must be said"),
    "TOO_LONG": Kind(413, "Too long"),
    "MEDIA_TYPE": Kind(415, "This kind of body is not read"),
    "THROTTLED": Kind(429, "Too many requests"),
    "BAD_REQUEST": Kind(400, "The request cannot be understood"),
    "INTERNAL": Kind(500, "Our mistake"),
}
"""Every code, what it means, and the status it comes with."""


class ProblemError(exceptions.APIException):
    """A request that cannot be answered, with a code from KINDS."""

    def __init__(
        self, code: str, detail: str, *, where: Mapping[str, Any] | None = None, hint: str = ""
    ) -> None:
        super().__init__(detail, code)
        self.status_code = KINDS[code].status
        self.code = code
        self.words = detail
        self.where = where
        self.hint = hint

    def body(self) -> dict[str, Any]:
        """The members of RFC 9457, then our own."""
        return problem(self.code, self.words, where=self.where, hint=self.hint)


def problem(
    code: str, detail: str, *, where: Mapping[str, Any] | None = None, hint: str = ""
) -> dict[str, Any]:
    """One problem as data."""
    kind = KINDS[code]
    return {
        "type": f"{PAGE}#{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "code": code,
        "where": dict(where) if where else None,
        "hint": hint or None,
    }


def handle(error: Exception, _context: Mapping[str, Any]) -> Response:
    """Turn whatever went wrong in a view into a problem; nothing is shown of our own mistakes."""
    if not isinstance(error, ProblemError):
        error = _translated(error)
    headers = getattr(error, "headers", {})
    return Response(
        error.body(), status=error.status_code, headers=headers, content_type=MEDIA_TYPE
    )


def _translated(error: Exception) -> ProblemError:
    match error:
        case Http404() | exceptions.NotFound():
            found = ProblemError("NOT_FOUND", "There is nothing at this address.")
        case PermissionDenied() | exceptions.PermissionDenied() | exceptions.NotAuthenticated():
            found = ProblemError("FORBIDDEN", "Nobody has been let in here.")
        case exceptions.MethodNotAllowed():
            found = ProblemError("METHOD", str(error.detail))
        case exceptions.NotAcceptable():
            found = ProblemError(
                "NOT_ACCEPTABLE", "Answers are application/json.", hint="Accept: application/json"
            )
        case exceptions.Throttled():
            found = ProblemError("THROTTLED", str(error.detail))
            found.headers = {"Retry-After": f"{error.wait or 60:.0f}"}  # type: ignore[attr-defined]
        case exceptions.APIException():
            found = ProblemError("BAD_REQUEST", str(error.detail))
        case _:
            log.error("An API view failed", exc_info=error)
            found = ProblemError("INTERNAL", "This should not happen; it has been noted.")
    return found


def problem_response(code: str, detail: str, *, hint: str = "") -> JsonResponse:
    """A problem from outside a view of the API."""
    found = problem(code, detail, hint=hint)
    return JsonResponse(found, status=KINDS[code].status, content_type=MEDIA_TYPE)


# Nothing happens here: a client that mistyped an address must not be told about forms.
@csrf_exempt
def nothing_here(request: HttpRequest, *_args: object, **_kwargs: object) -> JsonResponse:
    """Every address under /api/ that is not one."""
    near = request.path.rstrip("/")
    hint = f"Did you mean {near}?" if near != request.path and _is_address(near) else ""
    return problem_response("NOT_FOUND", "There is nothing at this address.", hint=hint)


def _is_address(path: str) -> bool:
    try:
        return resolve(path).func is not nothing_here
    except Resolver404:
        return False
