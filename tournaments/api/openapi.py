"""What the OpenAPI document says of an action besides what drf-spectacular infers.

The tables of a viewset say it: ``inputs`` the body, ``parameters`` what stands in the URL,
``outputs`` the response where it is not that of ``serializer_class``, ``rights`` who may.
"""

import inspect
from typing import Any, Final, get_args, get_origin, is_typeddict

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent, resolve_type_hint
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema_serializer
from rest_framework import serializers

from tournaments.api.exceptions import MEDIA_TYPE
from tournaments.api.parsers import JSON_TYPE, UploadParser
from tournaments.api.serializers import StrictSerializer

ALWAYS: Final = {
    400: "The request cannot be read.",
    401: "UNAUTHENTICATED: somebody must be signed in, or the key shown is not valid.",
    403: "FORBIDDEN: not allowed; CSRF: a change that did not come from our own page.",
    404: "NOT_FOUND: nothing is here that this asker may know of.",
    405: "METHOD: not possible here.",
    406: "NOT_ACCEPTABLE: only JSON is written.",
    409: "CONFLICT: it contradicts what stands, or is not there yet.",
    410: "GONE: the seat link has expired or was revoked.",
    422: "UNPROCESSABLE: understood, but it cannot be done; the field is named.",
    429: "THROTTLED: too many requests; Retry-After says how long to wait.",
    503: "BUSY: nothing was changed; try again after Retry-After.",
    507: "DISK_FULL: the disk is full; nothing was changed.",
}
OF_ASKERS: Final = frozenset({401, 403, 404, 409, 410, 422})
"""What is not answered where nobody is asked who they are, and no place is named."""
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
EDITS: Final = {428: "PRECONDITION_REQUIRED: If-Match is missing."}
BINARY: Final = {"type": "string", "format": "binary"}
ANY_FILE: Final = {"description": "Bytes, text or JSON, as its kind says."}
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


@extend_schema_serializer(many=False)
class ProblemSerializer(serializers.Serializer[Any]):
    """A request that could not be answered (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    where = serializers.DictField(allow_null=True)
    hint = serializers.CharField(allow_null=True)


class ApiSchema(AutoSchema):
    """Documents an action of an ``ApiViewSet``."""

    view: Any

    @property
    def _action(self) -> Any:
        return getattr(self.view, self.view.action or "", None)

    def get_summary(self) -> str:
        return self._words()[0].rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]
        return f"{self._words()[1]}\n\nOpen to: {self.view.describe_access()}.".strip()

    def _words(self) -> tuple[str, str]:
        """Return the first line and the rest of the action's docstring, else of the view's."""
        own = inspect.getdoc(self._action) if self._action.__doc__ else None
        first, _, rest = (own or inspect.getdoc(self.view) or "").partition("\n")
        return first, rest.strip()

    def get_operation_id(self) -> str:
        found: str = super().get_operation_id()
        if self.view.action == "list" and found.endswith("_retrieve"):  # a list without pages
            return found.removesuffix("retrieve") + "list"
        return found

    def get_override_parameters(self) -> list[Any]:
        found: list[Any] = []
        if getattr(self._action, "is_idempotent", False):
            found.append(KEY)
        if getattr(self._action, "if_match", False):
            found.append(VERSION)
        if serializer_class := self.view.parameters.get(self.view.action):
            found.append(serializer_class)
        return found

    def get_request_serializer(self) -> Any:
        if UploadParser in self.view.parser_classes:
            return {UploadParser.media_type: BINARY}
        return self.view.inputs.get(self.view.action)

    def get_response_serializers(self) -> Any:
        found: dict[Any, Any] = {}
        for status in self.view.get_statuses():
            output = self.view.get_output()
            if output is None or status == 204:
                found[status] = OpenApiResponse(description="Done.")
            elif output is bytes:
                found[status, "*/*"] = OpenApiResponse(ANY_FILE, description="A file.")
            elif is_typeddict(output):
                found[status, JSON_TYPE] = OpenApiResponse(self.reference(output))
            elif get_origin(output) is list:
                rows = {"type": "array", "items": self.reference(get_args(output)[0])}
                page = self.view.paginator.get_paginated_response_schema(rows)
                found[status, JSON_TYPE] = OpenApiResponse(page)
            else:
                found[status, JSON_TYPE] = output
        if self.method == "GET" and not self.view.is_paged:
            found[304] = OpenApiResponse(description="What If-None-Match names still stands.")
        for status, words in sorted(self._refusals().items()):
            found[status, MEDIA_TYPE] = OpenApiResponse(ProblemSerializer, description=words)
        return found

    def _refusals(self) -> dict[int, str]:
        if not self.view.authentication_classes:
            return {key: one for key, one in (ALWAYS | BODIES).items() if key not in OF_ASKERS}
        if self.method == "GET":
            return ALWAYS
        if not getattr(self._action, "is_idempotent", False):
            return ALWAYS | BODIES
        return ALWAYS | BODIES | WRITES | (EDITS if self._action.if_match else {})

    def reference(self, hint: type) -> dict[str, Any]:
        """Register the shape of a TypedDict, and of all inside it, as components."""
        component = ResolvedComponent(  # type: ignore[no-untyped-call]
            name=hint.__name__,
            type=ResolvedComponent.SCHEMA,
            schema=_nullable_as_type(resolve_type_hint(hint)),  # type: ignore[no-untyped-call]
            object=hint,
        )
        self.registry.register_on_missing(component)
        found: dict[str, Any] = component.ref
        return found

    def _is_list_view(self, serializer: Any = None) -> bool:
        """Whether drf-spectacular is to make pages of the response, which is one row as yet."""
        return self.view.is_paged and isinstance(self.view.get_output(), type)

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        found = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        if direction == "request" and isinstance(serializer, StrictSerializer):
            found["additionalProperties"] = False
        for member in found.get("properties", {}).values():
            if "oneOf" in member:  # an empty text may fit both, where formats are not checked
                member["anyOf"] = member.pop("oneOf")
        return found


def _nullable_as_type(schema: Any) -> Any:
    """Write ``nullable`` as OpenAPI 3.1 does, which drf-spectacular leaves in a TypedDict."""
    match schema:
        case {"nullable": True, "type": str(kind), **rest}:
            found = _nullable_as_type(rest)
            enum = {"enum": [*found["enum"], None]} if "enum" in found else {}
            return {**found, **enum, "type": [kind, "null"]}
        case {"nullable": True, **rest}:
            return {"anyOf": [_nullable_as_type(rest), {"type": "null"}]}
        case dict():
            return {key: _nullable_as_type(one) for key, one in schema.items()}
        case list():
            return [_nullable_as_type(one) for one in schema]
        case _:
            return schema
