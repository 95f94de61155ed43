"""Cursor pages: ``{"items": [...], "next": "/api/v1/..."}``.

The cursor is signed and bound to its list and filters: nobody makes one, or carries one over.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.core import signing
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.response import Response

from tournaments.api.exceptions import ProblemError
from tournaments.api.filters import PAGE_PARAMETERS
from tournaments.api.serializers import IntegerField

Row = TypeVar("Row")


class SignedCursorPagination(CursorPagination):
    """A list in the unique order that the view names (``ordering = "number pk"``)."""

    page_size = 50
    max_page_size = 100
    page_size_query_param = "limit"
    page_size_query_description = "From 1 to 100; 50 unless given."
    cursor_query_description = "From the address of the next page."

    def get_page_size(self, request: Any) -> int | None:
        text = request.query_params.get("limit")
        if text is None:
            return self.page_size
        field = IntegerField(min_value=1, max_value=self.max_page_size)
        try:
            found: int = field.run_validation(field.from_text(text))
        except ValidationError as error:
            raise ValidationError({"limit": error.detail}) from error
        return found

    def get_ordering(self, request: Any, queryset: Any, view: Any) -> tuple[str, ...]:
        return tuple(view.ordering.split())

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> Any:
        self._bind(request, view)
        return super().paginate_queryset(queryset, request, view)

    def paginate_list(
        self, rows: Iterable[Row], key: Callable[[Row], tuple[Any, ...]], request: Any, view: Any
    ) -> tuple[list[Row], str | None]:
        """Return one page of a list that was worked out, and the address of the next.

        ``key`` gives the place of a row: texts and whole numbers that no two rows have in common.
        """
        self._bind(request, view)
        limit = self.get_page_size(request) or self.page_size
        cursor = self.decode_cursor(request)
        waiting = sorted(rows, key=key)
        if cursor is not None:
            last: Any = cursor.position
            waiting = [row for row in waiting if list(key(row)) > last]
        page, rest = waiting[:limit], waiting[limit:]
        if not rest:
            return page, None
        last = list(key(page[-1]))
        self.page_size = limit
        return page, self.encode_cursor(Cursor(0, reverse=False, position=last))

    def _bind(self, request: Any, view: Any) -> None:
        """Sign cursors for this list with these filters alone."""
        given = request.query_params.items()
        self.path = request.path
        self.filters = sorted(pair for pair in given if pair[0] not in PAGE_PARAMETERS)
        salt = f"page {request.path} {urlencode(self.filters)} {view.ordering}"
        self.signer = signing.Signer(salt=salt)

    def decode_cursor(self, request: Any) -> Cursor | None:
        text = request.query_params.get("cursor")
        if text is None:
            return None
        try:
            offset, position = self.signer.unsign_object(text)
        except signing.BadSignature as error:
            words = "This cursor does not belong to this list."
            hint = "Take the address from 'next', or begin without a cursor."
            raise ProblemError("PAGE", words, where={"key": "cursor"}, hint=hint) from error
        return Cursor(offset, reverse=False, position=position)

    def encode_cursor(self, cursor: Cursor) -> str:
        signed = self.signer.sign_object([cursor.offset, cursor.position])
        words = [*self.filters, ("limit", self.page_size), ("cursor", signed)]
        return f"{self.path}?{urlencode(words)}"

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"items": data, "next": self.get_next_link()})

    def get_results(self, data: Any) -> Any:
        return data["items"]

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "required": ["items", "next"],
            "properties": {"items": schema, "next": {"type": ["string", "null"]}},
        }
