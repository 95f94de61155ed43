"""What OpenAPI says of a door: made of the same forms and types that the door itself uses."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from tournaments.api.bodies import JSON_TYPE
from tournaments.api.fields import Form
from tournaments.api.problems import MEDIA_TYPE
from tournaments.api.schema import Schema, reference

PROBLEM: Final = {"$ref": "#/components/schemas/Problem"}
BINARY: Final = {"type": "string", "format": "binary"}
BINARY_TYPE: Final = "application/octet-stream"
ANY_TYPE: Final = "*/*"
ANY_FILE: Final = {"description": "Bytes, text or JSON, as its kind says."}
"""What a file may be: what was asked for says which."""
ALWAYS: Final = {
    400: "The request cannot be read.",
    401: "UNAUTHENTICATED: somebody must be signed in, or the key shown is not valid.",
    403: "FORBIDDEN: not allowed; CSRF: a change that did not come from our own page.",
    404: "NOT_FOUND: nothing is here that this asker may know of.",
    405: "METHOD: not possible here.",
    406: "NOT_ACCEPTABLE: only JSON is written.",
    410: "GONE: the seat link has expired or was revoked.",
    429: "THROTTLED: too many requests; Retry-After says how long to wait.",
    503: "BUSY: nothing was changed; try again after Retry-After.",
    507: "DISK_FULL: the disk is full; nothing was changed.",
}
BODIES: Final = {
    411: "LENGTH_REQUIRED: a body in chunks is not read.",
    413: "TOO_LONG: more than 1 MiB, or 5 MiB where a file is sent.",
    415: "MEDIA_TYPE: a kind of body or a character set that is not read.",
}
WRITES: Final = {
    409: "KEY_REUSED: the same key with another request, with the difference; IN_PROGRESS: the "
    "same request is still being answered; CONFLICT, GAME_OVER: it contradicts what stands.",
    412: "STALE: somebody changed it meanwhile, with both versions and the difference.",
}
IMPOSSIBLE: Final = {
    409: "CONFLICT: it contradicts what stands, or is not there yet.",
    422: "UNPROCESSABLE: understood, but it cannot be done; the field is named.",
}
EDITS: Final = {
    428: "PRECONDITION_REQUIRED: If-Match is missing.",
}
KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "format": "uuid"},
    OpenApiParameter.HEADER,
    required=True,
    description="A new UUID for each request, the same again for each retry of it.",
)
VERSION: Final = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description="The ETag of the version that was seen.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What there is to say of a door; ``who`` may come in."""

    who: str
    gives: type | None = None
    takes: Form | None = None
    query: Form = field(default_factory=Form)
    pages: bool = False
    edits: bool = False
    writes: bool = False
    takes_body: bool = False
    uploads: bool = False
    statuses: tuple[int, ...] = (200,)

    @property
    def reads_one(self) -> bool:
        """Whether a thing is looked at that may have a version."""
        return not (self.pages or self.writes or self.takes_body)


def describe(door: Callable[..., Any], handler: Callable[..., Any], said: Described) -> Any:
    """The same door, with its description."""
    name, _, method = handler.__qualname__.rpartition(".")
    words = inspect.getdoc(handler) or ""
    summary, _, rest = words.partition("\n")
    return extend_schema(
        operation_id=f"{method}{name}",
        summary=summary.rstrip("."),
        description=f"{rest.strip()}\n\nOpen to: {said.who}.".strip(),
        parameters=list(_parameters(said)),
        request=_request(said),
        responses={**dict(_answers(said)), **dict(_refusals(said))},
    )(door)


def _request(said: Described) -> dict[str, Any] | None:
    if said.uploads:
        return {BINARY_TYPE: BINARY}
    return {JSON_TYPE: said.takes.schema} if said.takes else None


def _parameters(said: Described) -> Iterator[OpenApiParameter]:
    if said.writes:
        yield KEY
    if said.edits:
        yield VERSION
    for name, kind in said.query.fields.items():
        yield OpenApiParameter(
            name, kind.schema, required=kind.required, description=kind.words or ""
        )


def _answers(said: Described) -> Iterator[tuple[Any, OpenApiResponse]]:
    for status in said.statuses:
        if said.gives is bytes:
            yield (status, ANY_TYPE), OpenApiResponse(ANY_FILE, description="A file.")
        elif said.gives is None or status == 204:
            yield status, OpenApiResponse(description="Done.")
        else:
            shape = _page(said.gives) if said.pages else reference(said.gives)
            words = "What was there already." if status != said.statuses[0] else "The answer."
            yield (status, JSON_TYPE), OpenApiResponse(shape, description=words)
    if said.reads_one:
        yield 304, OpenApiResponse(description="What If-None-Match names still stands.")


def _page(kind: type) -> Schema:
    return {
        "type": "object",
        "required": ["items", "next"],
        "properties": {
            "items": {"type": "array", "items": reference(kind)},
            "next": {"type": ["string", "null"], "description": "The address of the next page."},
        },
    }


def _refusals(said: Described) -> Iterator[tuple[Any, OpenApiResponse]]:
    possible = ALWAYS | IMPOSSIBLE
    if said.takes_body or said.writes:
        possible |= BODIES
    if said.writes:
        possible |= WRITES
    if said.edits:
        possible |= EDITS
    for status, words in sorted(possible.items()):
        yield (status, MEDIA_TYPE), OpenApiResponse(PROBLEM, description=words)
