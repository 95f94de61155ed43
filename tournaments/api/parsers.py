"""Parsers: JSON read strictly."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import JSONParser

from tournaments.api.bodies import media_type, object_of


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
