"""Parts of the OpenAPI document about actions that drf-spectacular does not infer.

The tables of a viewset say it: ``inputs`` the body, ``parameters`` what stands in the URL,
``outputs`` the response where it is not that of ``serializer_class``, ``rights`` who may.
"""

import inspect
import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar, Final, TypeVar, get_args, get_origin, is_typeddict

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import resolve_type_hint
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers

from tournaments.api.exceptions import MEDIA_TYPE
from tournaments.api.files import BYTES_TYPE, FileOutput
from tournaments.api.parsers import JSON_TYPE, PicturesParser, UploadParser
from tournaments.api.serializers import StrictSerializer

S = TypeVar("S", bound=type[StrictSerializer])

ALWAYS: Final = {
    400: "The request cannot be read.",
    401: "UNAUTHENTICATED: somebody must be signed in, or the key shown is not valid.",
    403: "FORBIDDEN: not allowed; CSRF: a change that did not come from our own page.",
    404: "NOT_FOUND: nothing is here that this asker may know of.",
    405: "METHOD: not possible here.",
    406: "NOT_ACCEPTABLE: not in the media types that are asked for; the detail names those here.",
    409: "CONFLICT: it contradicts what stands, or is not there yet.",
    410: "GONE: the seat link has expired or was revoked, or the version is no longer kept.",
    414: "ADDRESS_TOO_LONG: more than 8 KiB.",
    422: "UNPROCESSABLE: understood, but it cannot be done; the field is named.",
    429: "THROTTLED: too many requests; Retry-After says how long to wait.",
    431: "HEADERS_TOO_LONG: more than 16 KiB in all.",
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
    "same request is still being answered; CONFLICT, GAME_OVER, EVENT_CANCELLED: it contradicts "
    "what stands.",
    412: "STALE: somebody changed it meanwhile, with both versions and the difference.",
}
EDITS: Final = {428: "PRECONDITION_REQUIRED: If-Match is missing."}
BINARY: Final = {"type": "string", "format": "binary"}
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


def example(value: Mapping[str, Any]) -> Callable[[S], S]:
    """Give the serializer of a body its example; a test lets each be read."""

    def decorate(serializer_class: S) -> S:
        serializer_class.example = value
        return serializer_class

    return decorate


@extend_schema_field(dict[str, str | int | None])
class ProblemPlaceField(serializers.DictField):
    """What is to blame: the ``key`` of a body, and what else tells where it is."""


@extend_schema_serializer(many=False)
class ProblemSerializer(serializers.Serializer[Any]):
    """A request that could not be answered (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    where = ProblemPlaceField(allow_null=True)
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

    def get_filter_backends(self) -> Any:
        has_filters = getattr(self.view, "filterset_class", None) is not None
        return super().get_filter_backends() if has_filters else []

    def get_override_parameters(self) -> list[Any]:
        found: list[Any] = []
        if getattr(self._action, "is_idempotent", False):
            found.append(KEY)
        if getattr(self._action, "if_match", False):
            found.append(VERSION)
        if serializer_class := self.view.parameters.get(self.view.action):
            found.append(serializer_class)
        return found

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        """Describe an action; a DELETE may have a body, which drf-spectacular leaves out."""
        operation = super().get_operation(*args, **kwargs)
        body = self.get_request_serializer()
        if operation is not None and self.method == "DELETE" and body is not None:
            content = {
                "schema": self.resolve_serializer(body, "request").ref,
                "examples": {"Example": {"value": body.example}},
            }
            operation["requestBody"] = {"content": {JSON_TYPE: content}, "required": True}
        return operation

    def get_examples(self) -> list[Any]:
        body = self.view.inputs.get(self.view.action)
        if body is None:
            return []
        value, kind = body.example, JSON_TYPE
        return [OpenApiExample("Example", value=value, request_only=True, media_type=kind)]

    def get_request_serializer(self) -> Any:
        if UploadParser in self.view.parser_classes:
            return {BYTES_TYPE: BINARY}
        if any(isinstance(one, PicturesParser) for one in self.view.get_parsers()):
            pictures = {"type": "array", "items": BINARY}
            form = {"type": "object", "properties": {"pictures": pictures}}
            return {PicturesParser.media_type: form | {"required": ["pictures"]}}
        return self.view.inputs.get(self.view.action)

    def get_response_serializers(self) -> Any:
        found: dict[Any, Any] = {}
        for status in self.view.get_statuses():
            output = self.view.get_output()
            if output is None or status == 204:
                found[status] = OpenApiResponse(description="Done.")
            elif isinstance(output, FileOutput) and status == 200:
                for renderer in output.get_renderers():
                    found[status, renderer.media_type] = OpenApiResponse(
                        _file_schema(renderer.media_type), description="A file."
                    )
            elif is_typeddict(output):
                whole = serializer_of(output)
                if self.view.action == "list":  # the rows are a member of it
                    whole = extend_schema_serializer(many=False)(whole)
                found[status, JSON_TYPE] = whole
            elif get_origin(output) is list:
                found[status, JSON_TYPE] = serializer_of(get_args(output)[0])
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


def _file_schema(media_type: str) -> dict[str, Any]:
    """Return the schema of a file: JSON, a text, or bytes."""
    if media_type.endswith(("/json", "+json")):
        return {"type": "object", "additionalProperties": True}
    return {"type": "string"} if media_type.startswith("text/") else BINARY


class DocumentSerializer(serializers.Serializer[Any]):
    """Stands for a TypedDict where drf-spectacular expects a serializer."""

    shape: ClassVar[type]


@cache
def serializer_of(shape: type) -> type[DocumentSerializer]:
    """Return the serializer that stands for a TypedDict."""
    return type(shape.__name__, (DocumentSerializer,), {"shape": shape})


class DocumentSerializerExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Describes a TypedDict by its hints, under its own name."""

    target_class = DocumentSerializer
    match_subclasses = True

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        """Return the name of the component."""
        return str(self.target.shape.__name__)

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        """Return the schema of the component."""
        return resolve_type_hint(self.target.shape)  # type: ignore[no-untyped-call]


def complete_schema(result: Any, **_generator: object) -> Any:
    """Say of bodies that they have no other keys, and all in OpenAPI 3.1; a hook."""
    for name, schema in result["components"]["schemas"].items():
        if name.endswith("Request"):
            schema["additionalProperties"] = False
    return _name_refusals(_in_openapi_3_1(result))


def _name_refusals(result: Any) -> Any:
    """Describe each refusal once, as a component; without this they are half of the document.

    ``Problem404`` is that of most actions; others of the same status are numbered.
    """
    names: dict[str, str] = {}
    components: dict[str, Any] = {}
    for item in result["paths"].values():
        for operation in item.values():
            for status, response in operation["responses"].items():
                if MEDIA_TYPE not in response.get("content", ()):
                    continue
                text = json.dumps(response, sort_keys=True)
                if text not in names:
                    others = sum(name.startswith(f"Problem{status}") for name in components)
                    names[text] = f"Problem{status}" + (f"Number{others + 1}" if others else "")
                    components[names[text]] = response
                reference = f"#/components/responses/{names[text]}"
                operation["responses"][status] = {"$ref": reference}
    result["components"]["responses"] = components
    return result


def _in_openapi_3_1(schema: Any) -> Any:
    """Write ``nullable`` as a type, which drf-spectacular leaves in a TypedDict.

    And ``oneOf`` as ``anyOf``: an empty text may fit both, where formats are not checked.
    """
    match schema:
        case {"nullable": True, "type": str(kind), **rest}:
            found = _in_openapi_3_1(rest)
            enum = {"enum": [*found["enum"], None]} if "enum" in found else {}
            return {**found, **enum, "type": [kind, "null"]}
        case {"nullable": True, **rest}:
            return {"anyOf": [_in_openapi_3_1(rest), {"type": "null"}]}
        case {"oneOf": choices, **rest}:
            return _in_openapi_3_1({**rest, "anyOf": choices})
        case dict():
            return {key: _in_openapi_3_1(one) for key, one in schema.items()}
        case list() | tuple():
            return [_in_openapi_3_1(one) for one in schema]
        case _:
            return schema
