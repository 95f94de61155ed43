"""The exception handler: every error of the API as application/problem+json (RFC 9457)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rest_framework import exceptions
from rest_framework.response import Response

from tournaments.api import problems
from tournaments.api.problems import ProblemError

ERRORS_MOST: Final = 20
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


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """Turn whatever went wrong in a view into a problem."""
    if isinstance(error, exceptions.ValidationError):
        error = validation_problem(error.detail)
    elif isinstance(error, exceptions.UnsupportedMediaType):
        hint = "Content-Type: application/json"
        error = ProblemError("MEDIA_TYPE", "This kind of body is not read here.", hint=hint)
    return problems.handle(error, context)


def validation_problem(detail: Any) -> ProblemError:
    """Return the first error of a serializer or filter, with all of them if there are several.

    Unknown keys come first, then missing ones: they explain the others.
    """
    ranks = {"unknown": 0, "required": 1}
    faults = sorted(_flat(detail, ""), key=lambda one: ranks.get(str(one[1].code), 2))
    path, first = faults[0]
    found = ProblemError(**_members(path, first))
    if len(faults) > 1:
        found.more["errors"] = [
            {**_members(key, one), "hint": getattr(one.code, "hint", "") or None}
            for key, one in faults[:ERRORS_MOST]
        ]
    return found


def _members(path: str, fault: exceptions.ErrorDetail) -> dict[str, Any]:
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
