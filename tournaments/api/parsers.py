"""Parsers and renderers: JSON read strictly, files as they are, JSON in the reader's language.

For people who signed in, the browsable pages of Django REST framework too.
"""

import json
from collections.abc import Mapping
from typing import IO, Any, Final, Never
from uuid import uuid4

from django.http import UnreadablePostError
from django.utils.http import parse_header_parameters
from rest_framework import renderers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, JSONParser, MultiPartParser
from rest_framework.request import Request

from tournaments.api.exceptions import ProblemError
from tournaments.core.language import translate

BODY_BYTES_MAX: Final = 1024 * 1024
DEPTH_MAX: Final = 32
DIGITS_MAX: Final = 18
JSON_TYPE: Final = "application/json"
UTF_8: Final = frozenset({"utf-8", "utf8", "us-ascii"})
_NOT_STRUCTURE: Final = bytes(set(range(256)) - set(b'{}[]"'))


def check_length(request: Request, most: int = BODY_BYTES_MAX) -> None:
    """Refuse a body that is too long, or does not say how long it is. Raises ProblemError."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if length == "0" and "HTTP_TRANSFER_ENCODING" in request.META:
        words = "A body in chunks is not read."
        raise ProblemError("LENGTH_REQUIRED", words, hint="Content-Length")
    if not length.isdigit() or int(length[:12]) > most:
        words = f"A body may have {most // 1024 // 1024} MiB."
        raise ProblemError("TOO_LONG", words, hint="Send the records in parts.")


def read_bytes(stream: IO[Any], request: Request, most: int = BODY_BYTES_MAX) -> bytes:
    """All bytes of a body. Raises ProblemError where it is packed, too long or breaks off."""
    if request.META.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise ProblemError("MEDIA_TYPE", "A packed body is not read; send it as it is.")
    check_length(request, most)
    try:
        found: bytes = stream.read()
    except (UnreadablePostError, OSError) as error:
        raise ProblemError("BAD_REQUEST", "The body broke off.") from error
    return found


def read_charset(media_type: str | None, *known: str) -> str:
    """The character set that a body names: UTF-8, or one of ``known``. Raises ProblemError."""
    _kind, parameters = parse_header_parameters(media_type or "")
    charset: str = parameters.get("charset", "utf-8").strip().lower()
    if charset not in UTF_8 and charset not in known:
        words = f"The character set {charset[:40]!r} is not read."
        raise ProblemError("MEDIA_TYPE", words, hint="charset=utf-8")
    return charset


class StrictJSONParser(JSONParser):
    """One JSON object in UTF-8: no key twice, no NaN, no endless depth, at most 1 MiB."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        assert parser_context is not None
        read_charset(media_type)
        body = read_bytes(stream, parser_context["request"])
        _check_depth(body)
        try:
            value = json.loads(
                body.decode("utf-8-sig"),
                object_pairs_hook=_once,
                parse_constant=_no_constant,
                parse_float=_float,
                parse_int=_int,
            )
        except UnicodeDecodeError as error:
            where = {"byte": error.start}
            raise ProblemError("JSON", f"Not UTF-8 at byte {error.start}.", where=where) from error
        except json.JSONDecodeError as error:
            if not body.strip():
                raise ProblemError("OBJECT_EXPECTED", "The body is empty.") from error
            words = f"{error.msg}: line {error.lineno}, column {error.colno}."
            where = {"line": error.lineno, "col": error.colno}
            raise ProblemError("JSON", words, where=where) from error
        if not isinstance(value, dict):
            raise ProblemError("OBJECT_EXPECTED", "The body is JSON, but not an object.")
        return value


class UploadParser(BaseParser):
    """A file as it is, whatever it calls itself; the view says how long it may be.

    ``request.data`` are its bytes.
    """

    media_type = "*/*"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        assert parser_context is not None
        most = parser_context["view"].upload_bytes_max
        return read_bytes(stream, parser_context["request"], most)


class PicturesParser(MultiPartParser):
    """A form whose files are all named ``pictures``; the view says how long it may be.

    ``request.data`` are their bytes, in order.
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        assert parser_context is not None
        request = parser_context["request"]
        if request.META.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
            raise ProblemError("MEDIA_TYPE", "A packed body is not read; send it as it is.")
        check_length(request, parser_context["view"].upload_bytes_max)
        try:
            found = super().parse(stream, media_type, parser_context)
        except (UnreadablePostError, OSError, ParseError) as error:
            raise ProblemError("BAD_REQUEST", "The form cannot be read, or broke off.") from error
        others = {*found.data, *found.files} - {"pictures"}
        if others or "pictures" in found.data:
            words = "The form has files named pictures, and nothing else."
            raise ProblemError("BODY", words, where={"key": min(others, default="pictures")[:60]})
        return [file.read() for file in found.files.getlist("pictures")]


def _check_depth(body: bytes) -> None:
    """Refuse deep nesting before anything recurses into it; linear, mostly in C."""
    bare = body.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _NOT_STRUCTURE)
    depth = 0
    for sign in b"".join(bare.split(b'"')[::2]):
        depth += 1 if sign in b"{[" else -1
        if depth > DEPTH_MAX:
            raise ProblemError("TOO_DEEP", f"JSON may be nested {DEPTH_MAX} deep.")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ProblemError(
                "KEY_TWICE", f"{key[:60]!r} stands twice in one object.", where={"key": key[:60]}
            )
        found[key] = value
    return found


def _no_constant(word: str) -> Never:
    raise ProblemError("NUMBER", f"{word} is not a number of JSON.")


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ProblemError("NUMBER_RANGE", "A number is too large.")
    return value


def _int(digits: str) -> int:
    if len(digits) > DIGITS_MAX:
        raise ProblemError("NUMBER_RANGE", f"A number has more than {DIGITS_MAX} digits.")
    return int(digits)


class JSONRenderer(renderers.JSONRenderer):
    """JSON with the product's own messages in the language that the request asks for."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return super().render(translate(data), accepted_media_type, renderer_context)


class BrowsableAPIRenderer(renderers.BrowsableAPIRenderer):
    """The pages; a form is filled with the keys that a body may have."""

    def get_raw_data_form(self, data: Any, view: Any, method: str, request: Any) -> Any:
        form = super().get_raw_data_form(data, view, method, request)
        serializer_class = view.inputs.get(view.action_map.get(method.lower()))
        if form is not None and serializer_class is not None:
            content = renderers.JSONRenderer().render(
                serializer_class().data, "application/json; indent=4"
            )
            form.initial["_content"] = content.decode()
        return form

    def get_filter_form(self, data: Any, view: Any, request: Any) -> Any:
        if getattr(view, "filterset_class", None) is None:
            return None  # the list is worked out and stands in no table
        return super().get_filter_form(data, view, request)

    def get_context(self, data: Any, accepted_media_type: Any, renderer_context: Any) -> Any:
        context = super().get_context(data, accepted_media_type, renderer_context)
        # The style would stand in the page, which our content security policy forbids.
        return {**context, "code_style": "", "idempotency_key": uuid4()}
