"""Parsers: JSON read strictly, and files as they are."""

import json
from collections.abc import Mapping
from typing import IO, Any, Final, Never

from django.http import HttpRequest, UnreadablePostError
from django.utils.http import parse_header_parameters
from rest_framework.parsers import BaseParser, JSONParser

from tournaments.api.problems import ProblemError

BODY_BYTES_MAX: Final = 1024 * 1024
DEPTH_MAX: Final = 32
DIGITS_MAX: Final = 18
JSON_TYPE: Final = "application/json"
TEXT_TYPES: Final = frozenset({"text/plain", "application/x-phn"})
CHARSETS: Final = {
    "utf-8": None,
    "utf8": None,
    "us-ascii": None,
    "iso-8859-1": "latin-1",
    "latin-1": "latin-1",
    "windows-1252": "cp1252",
}
"""What a text may say of itself; None leaves the bytes to the reader of the notation."""
_NOT_STRUCTURE: Final = bytes(set(range(256)) - set(b'{}[]"'))


class StrictJSONParser(JSONParser):
    """One JSON object in UTF-8: no key twice, no NaN, no endless depth, at most 1 MiB."""

    def parse(
        self,
        stream: IO[Any],
        media_type_: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        assert parser_context is not None
        plain = parser_context["request"]._request  # noqa: SLF001 (the body as it came)
        media_type(plain)
        return dict(object_of(plain))


class UploadParser(BaseParser):
    """A file as it is, whatever it calls itself; the view says how long it may be.

    ``request.data`` are its bytes.
    """

    media_type = "*/*"

    def parse(
        self,
        stream: IO[Any],
        media_type_: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        assert parser_context is not None
        plain = parser_context["request"]._request  # noqa: SLF001 (the body as it came)
        return upload_of(plain, parser_context["view"].upload_bytes_max)


def media_type(request: HttpRequest) -> str:
    """The kind of the body. Raises ProblemError for one that is not read here."""
    kind, parameters = parse_header_parameters(request.META.get("CONTENT_TYPE") or "")
    kind = kind.lower()
    charset = parameters.get("charset", "utf-8").strip().lower()
    if request.META.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise ProblemError("MEDIA_TYPE", "A packed body is not read; send it as it is.")
    if kind != JSON_TYPE and kind not in TEXT_TYPES:
        said = f"{kind!r} is not read here." if kind else "The body does not say what it is."
        raise ProblemError("MEDIA_TYPE", said, hint=f"Content-Type: {JSON_TYPE}")
    if charset not in CHARSETS or (kind == JSON_TYPE and CHARSETS[charset] is not None):
        raise ProblemError(
            "MEDIA_TYPE", f"The character set {charset[:40]!r} is not read.", hint="charset=utf-8"
        )
    return kind


def check_length(request: HttpRequest, most: int = BODY_BYTES_MAX) -> None:
    """Refuse a body that is too long, or does not say how long it is. Raises ProblemError."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if length == "0" and "HTTP_TRANSFER_ENCODING" in request.META:
        raise ProblemError(
            "LENGTH_REQUIRED", "A body in chunks is not read.", hint="Content-Length"
        )
    if not length.isdigit() or int(length[:12]) > most:
        words = f"A body may have {most // 1024 // 1024} MiB."
        raise ProblemError("TOO_LONG", words, hint="Send the records in parts.")


def body_of(request: HttpRequest, most: int = BODY_BYTES_MAX) -> bytes:
    """All bytes of the body. Raises ProblemError where it is too long or breaks off."""
    check_length(request, most)
    try:
        return request.read()
    except (UnreadablePostError, OSError) as error:
        raise ProblemError("BAD_REQUEST", "The body broke off.") from error


def upload_of(request: HttpRequest, most: int) -> bytes:
    """A file as it is, whatever it calls itself. Raises ProblemError for one that is packed."""
    if request.META.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise ProblemError("MEDIA_TYPE", "A packed body is not read; send it as it is.")
    return body_of(request, most)


def object_of(request: HttpRequest) -> Mapping[str, Any]:
    """The body as one JSON object, each key once. Raises ProblemError."""
    body = body_of(request)
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
        raise _not_json(error) from error
    if not isinstance(value, dict):
        raise ProblemError("OBJECT_EXPECTED", "The body is JSON, but not an object.")
    return value


def _not_json(error: json.JSONDecodeError) -> ProblemError:
    where = {"line": error.lineno, "col": error.colno}
    words = f"{error.msg}: line {error.lineno}, column {error.colno}."
    return ProblemError("JSON", words, where=where)


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
