"""Parsers: JSON read strictly, and files as they are."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser, JSONParser

from tournaments.api.bodies import media_type, object_of, upload_of


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
