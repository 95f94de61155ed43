"""The exception handler: every error of the API as application/problem+json (RFC 9457).

Each has a code of its own. What is wrong with a record is never such an error: that is a response,
with diagnostics.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from django.core.exceptions import (
    ObjectDoesNotExist,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import DatabaseError, DataError, IntegrityError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.urls import Resolver404, resolve
from django.utils.cache import patch_cache_control
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from engine.core.messages import Message, join_with_or
from tournaments.core.errors import RefusedError, StaleError, TooOftenError
from tournaments.core.language import translate
from tournaments.core.storage import is_disk_full, note_refused_write
from tournaments.idempotency import KeyReusedError

log = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
PAGE: Final = "/api/v1/problems"


@dataclass(frozen=True, slots=True)
class Kind:
    """The meaning of a code."""

    status: int
    title: str


KINDS: Final = {
    "JSON": Kind(400, Message("The body is not JSON")),
    "OBJECT_EXPECTED": Kind(400, "A JSON object is expected"),
    "KEY_TWICE": Kind(400, Message("A key stands twice in one object")),
    "KEY_UNKNOWN": Kind(400, Message("A key that is not known")),
    "KEY_REQUIRED": Kind(400, Message("A key is missing")),
    "TYPE": Kind(400, Message("A value of the wrong type")),
    "VALUE": Kind(400, Message("A value that is not possible")),
    "NUMBER": Kind(400, Message("Not a number of JSON")),
    "NUMBER_RANGE": Kind(400, Message("A number out of range")),
    "TOO_DEEP": Kind(400, Message("Nested too deep")),
    "ENCODING": Kind(400, Message("The bytes do not fit the encoding")),
    "BODY": Kind(400, Message("A body where none is read")),
    "EMPTY": Kind(400, Message("Nothing to read yet")),
    "NOT_TEXT": Kind(400, Message("Not a text record")),
    "RULESET_UNKNOWN": Kind(400, Message("A rule set that is not known")),
    "RULES": Kind(400, Message("Rules that cannot be")),
    "PAGE": Kind(400, Message("A page that cannot be turned to")),
    "UNAUTHENTICATED": Kind(401, Message("Somebody must be signed in")),
    "SIGN_IN": Kind(401, Message("Nobody is known by this")),
    "SECOND_FACTOR": Kind(401, Message("More than a password is asked for")),
    "SECOND_FACTOR_NEEDED": Kind(403, Message("A second step must be set up first")),
    "FORBIDDEN": Kind(403, Message("Not allowed")),
    "CSRF": Kind(403, Message("This did not come from our own page")),
    "NOT_FOUND": Kind(404, Message("Nothing is here")),
    "METHOD": Kind(405, Message("This method is not possible here")),
    "NOT_ACCEPTABLE": Kind(406, Message("Only JSON is written here")),
    "CONFLICT": Kind(409, Message("This contradicts what stands")),
    "KEY_REUSED": Kind(409, Message("The same key with another request")),
    "IN_PROGRESS": Kind(409, Message("The same request is still being answered")),
    "GAME_OVER": Kind(409, Message("The game has ended")),
    "EVENT_CANCELLED": Kind(409, Message("The event is called off")),
    "GONE": Kind(410, Message("This is no longer there")),
    "LENGTH_REQUIRED": Kind(411, Message("The length of the body must be said")),
    "STALE": Kind(412, Message("Somebody changed it meanwhile")),
    "TOO_LONG": Kind(413, Message("Too long")),
    "ADDRESS_TOO_LONG": Kind(414, Message("The address is too long")),
    "MEDIA_TYPE": Kind(415, Message("This kind of body is not read")),
    "UNPROCESSABLE": Kind(422, Message("Understood, but it cannot be done")),
    "PRECONDITION_REQUIRED": Kind(428, Message("The version that you saw must be said")),
    "THROTTLED": Kind(429, Message("Too many requests")),
    "HEADERS_TOO_LONG": Kind(431, Message("The headers are too long")),
    "BAD_REQUEST": Kind(400, Message("The request cannot be understood")),
    "INTERNAL": Kind(500, Message("Our mistake")),
    "BUSY": Kind(503, Message("Too much at once; try again")),
    "DISK_FULL": Kind(507, Message("The disk is full")),
}
"""Every code, what it means, and the status it comes with."""


DISK_FULL: Final = Message(
    "The disk of the server is full or cannot be written to. Nothing was changed, and nothing"
    " was lost that was entered before: try again once there is space."
)


ERRORS_MAX: Final = 20
CODES: Final = {
    "unknown": "KEY_UNKNOWN",
    "required": "KEY_REQUIRED",
    "twice": "KEY_TWICE",
    "type": "TYPE",
    "null": "TYPE",
    "not_a_list": "TYPE",
    "not_a_dict": "TYPE",
    "max_value": "NUMBER_RANGE",
    "min_value": "NUMBER_RANGE",
    "surrogate_characters_not_allowed": "ENCODING",
}
"""The code of a problem by DRF's code of an error; all others are VALUE."""


class ProblemError(exceptions.APIException):
    """A request that cannot be answered, with a code from KINDS.

    ``headers`` go with the answer; ``more`` are further members of it.
    """

    def __init__(
        self, code: str, detail: str, *, where: Mapping[str, Any] | None = None, hint: str = ""
    ) -> None:
        super().__init__(detail, code)
        self.status_code = KINDS[code].status
        self.code = code
        self.words = detail
        self.where = where
        self.hint = hint
        self.headers: dict[str, str] = {}
        self.more: dict[str, Any] = {}

    def body(self) -> dict[str, Any]:
        """The members of RFC 9457, then our own."""
        return problem(self.code, self.words, where=self.where, hint=self.hint) | self.more

    def after(self, seconds: float) -> "ProblemError":
        """Return the same problem, saying when to try again."""
        self.headers["Retry-After"] = f"{max(1, ceil(seconds))}"
        return self


def _writable(value: Any) -> Any:
    """Replace halves of surrogate pairs in what somebody sent; an answer is UTF-8."""
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value


def problem(
    code: str, detail: str, *, where: Mapping[str, Any] | None = None, hint: str = ""
) -> dict[str, Any]:
    """One problem as data."""
    kind = KINDS[code]
    return {
        "type": f"{PAGE}#{code}",
        "title": translate(kind.title),
        "status": kind.status,
        "detail": _writable(translate(detail)),
        "code": code,
        "where": {name: _writable(value) for name, value in where.items()} if where else None,
        "hint": _writable(translate(hint)) or None,
    }


def exception_handler(error: Exception, _context: Mapping[str, Any]) -> Response:
    """Turn whatever went wrong in a view into a problem; nothing is shown of our own mistakes."""
    problem = to_problem(error)
    return Response(
        problem.body(), status=problem.status_code, headers=problem.headers, content_type=MEDIA_TYPE
    )


def to_problem(error: Exception) -> ProblemError:
    """The problem that stands for an error."""
    match error:
        case ProblemError():
            found = error
        case RefusedError():
            found = _problem_from_refusal(error)
        case Http404() | ObjectDoesNotExist():
            found = _nothing()
        case PermissionDenied():
            found = ProblemError("FORBIDDEN", Message("Nobody has been let in here."))
        case exceptions.APIException():
            found = _of_framework(error)
        case (
            OSError()
            | DatabaseError()
            | RecursionError()
            | SuspiciousOperation()
            | MultiPartParserError()
        ):
            found = _of_surroundings(error)
        case _:
            found = _ours(error)
    if found.status_code == 401:
        found.headers["WWW-Authenticate"] = 'Bearer realm="painsuit"'
    return found


def _nothing() -> ProblemError:
    return ProblemError("NOT_FOUND", Message("There is nothing at this address."))


def _ours(error: Exception) -> ProblemError:
    log.error("An API view failed", exc_info=error)
    return ProblemError("INTERNAL", Message("This should not happen; it has been logged."))


def _problem_from_refusal(error: RefusedError) -> ProblemError:
    where = {"key": error.field} if error.field else None
    problem = ProblemError(error.code, error.message, where=where)
    match error:
        case StaleError():
            problem.more["ours"] = error.theirs
            if error.current is not None:
                problem.more["current"] = dict(error.current)
        case KeyReusedError():
            problem.hint = "A new request needs a new key."
            problem.more |= {"request": error.request, "difference": error.difference}
        case TooOftenError():
            problem.after(error.wait)
        case _:
            pass
    return problem


def _of_framework(error: exceptions.APIException) -> ProblemError:
    match error:
        case exceptions.ValidationError():
            found = validation_problem(error.detail)
        case exceptions.UnsupportedMediaType():
            hint = "Content-Type: application/json"
            found = ProblemError("MEDIA_TYPE", "This kind of body is not read here.", hint=hint)
        case exceptions.NotFound():
            found = _nothing()
        case exceptions.PermissionDenied() | exceptions.NotAuthenticated():
            found = ProblemError("FORBIDDEN", Message("Nobody has been let in here."))
        case exceptions.MethodNotAllowed():
            found = ProblemError("METHOD", str(error.detail))
        case exceptions.NotAcceptable():
            renderers = error.available_renderers or [JSONRenderer()]
            types = [renderer.media_type for renderer in renderers]
            found = ProblemError(
                "NOT_ACCEPTABLE",
                Message("Answers are {types}.", types=join_with_or(types)),
                hint=f"Accept: {', '.join(types)}",
            )
        case exceptions.Throttled():
            found = ProblemError("THROTTLED", str(error.detail))
            found.after(getattr(error, "wait", None) or 60)
        case _:
            found = ProblemError("BAD_REQUEST", str(error.detail))
    return found


def _of_surroundings(error: Exception) -> ProblemError:
    """Return problems of the database or of the size of the request: the last net."""
    match error:
        case _ if is_disk_full(error):
            note_refused_write(error)
            found = ProblemError("DISK_FULL", DISK_FULL).after(15)
        case OperationalError():
            log.warning("The database is busy: %s", error)
            found = ProblemError(
                "BUSY", Message("Too much is going on; nothing was changed.")
            ).after(1)
        case IntegrityError():
            log.error("A constraint refused what a use case let through", exc_info=error)
            found = ProblemError("CONFLICT", Message("This contradicts what stands already."))
        case DataError():
            found = ProblemError("BAD_REQUEST", Message("A value does not fit into the database."))
        case RequestDataTooBig():
            found = ProblemError("TOO_LONG", Message("A body may have 1 MiB."))
        case RecursionError():
            found = ProblemError("TOO_DEEP", Message("Nested too deep."))
        case SuspiciousOperation() | MultiPartParserError():
            found = ProblemError(
                "BAD_REQUEST", Message("The body is not what its Content-Type says.")
            )
        case _:
            found = _ours(error)
    return found


def validation_problem(detail: Any) -> ProblemError:
    """Return the first error of a serializer or filter, with all of them if there are several.

    Unknown keys come first, then missing ones: they explain the others.
    """
    ranks = {"unknown": 0, "required": 1}
    faults = sorted(_flat(detail, ""), key=lambda one: ranks.get(str(one[1].code), 2))
    path, first = faults[0]
    problem = ProblemError(**_describe(path, first))
    if len(faults) > 1:
        problem.more["errors"] = [
            {**_describe(key, one), "hint": getattr(one.code, "hint", "") or None}
            for key, one in faults[:ERRORS_MAX]
        ]
    return problem


def _describe(path: str, fault: exceptions.ErrorDetail) -> dict[str, Any]:
    words = str(fault).encode(errors="backslashreplace").decode()
    return {
        "code": CODES.get(str(fault.code), "VALUE"),
        "detail": f"{path!r}: {words}" if path else words,
        "where": {"key": path},
        "hint": getattr(fault.code, "hint", ""),
    }


def _flat(detail: Any, path: str) -> Iterator[tuple[str, exceptions.ErrorDetail]]:
    """Every single error with the path of its key: ``seats.1.player``."""
    match detail:
        case dict():
            for key, inside in detail.items():
                own = str(key)[:60].encode("ascii", "backslashreplace").decode()
                own = "" if own == "non_field_errors" else own
                yield from _flat(inside, f"{path}.{own}".strip("."))
        case list() if any(isinstance(one, dict) for one in detail):
            for at, inside in enumerate(detail):
                yield from _flat(inside, f"{path}.{at}".strip("."))
        case list():
            for inside in detail[:1]:
                yield from _flat(inside, path)
        case _:
            yield path, detail


def problem_response(code: str, detail: str, *, hint: str = "") -> JsonResponse:
    """A problem from outside a view of the API."""
    found = problem(code, detail, hint=hint)
    answer = JsonResponse(found, status=KINDS[code].status, content_type=MEDIA_TYPE)
    patch_cache_control(answer, private=True, no_store=True)
    return answer


# Nothing happens here: a client that mistyped an address must not be told about forms.
@csrf_exempt
def nothing_here(request: HttpRequest, *_args: object, **_kwargs: object) -> JsonResponse:
    """Every address under /api/ that is not one."""
    near = request.path.rstrip("/")
    hint = (
        Message("Did you mean {near}?", near=near)
        if near != request.path and _is_address(near)
        else ""
    )
    return problem_response("NOT_FOUND", Message("There is nothing at this address."), hint=hint)


def _is_address(path: str) -> bool:
    try:
        return resolve(path).func is not nothing_here
    except Resolver404:
        return False
