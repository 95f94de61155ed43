"""Filters and pagination of lists, and a check of all parameters of a query.

A page is ``{"items": [...], "next": "/api/v1/..."}``. Its cursor is signed and bound to its list
and filters: nobody makes one, or carries one over.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlencode

from django import forms
from django.core import signing
from django.core.exceptions import ValidationError as InvalidError
from django.utils.translation import gettext_lazy as _
from django_filters import rest_framework as filters
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.exceptions import ProblemError
from tournaments.api.serializers import IntegerField, check_visible, hinted_error, suggest

PAGE_PARAMETERS = ("limit", "cursor")


def check_parameters(request: Request, known: Collection[str]) -> None:
    """Refuse a parameter that is not known, empty, or there twice. Raises ValidationError."""
    faults: dict[str, list[ErrorDetail]] = {}
    for key, texts in request.query_params.lists():
        if key not in known:
            message = _("This parameter is not known.")
            faults[key] = [hinted_error(message, "unknown", suggest(key, known))]
        elif len(texts) > 1:
            faults[key] = [hinted_error(_("Must be given once."), "twice")]
        elif not texts[0].strip():
            faults[key] = [hinted_error(_("Must not be empty."), "blank")]
    if faults:
        raise ValidationError(faults)


class FilterSet(filters.FilterSet):
    """The filters of a list; the class of its form is made once."""

    form_class: ClassVar[type[forms.Form]]

    def get_form_class(self) -> type[forms.Form]:
        kind = type(self)
        if "form_class" not in vars(kind):
            kind.form_class = super().get_form_class()
        return kind.form_class


class StrictFilterBackend(filters.DjangoFilterBackend):
    """Filters a list by the view's FilterSet, which is made only where a filter is named."""

    def filter_queryset(self, request: Any, queryset: Any, view: Any) -> Any:
        if not set(request.query_params) - set(PAGE_PARAMETERS):
            return queryset
        filterset = self.get_filterset(request, queryset, view)
        if filterset is None:
            return queryset
        if not filterset.is_valid():
            raise ValidationError(
                {
                    key: [ErrorDetail(error.messages[0], error.code) for error in errors]
                    for key, errors in filterset.form.errors.as_data().items()
                }
            )
        return filterset.qs


class CharFilter(filters.CharFilter):
    """A line of text."""

    def __init__(self, *, max_length: int = 200, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, validators=[_check_line], **kwargs)


def _check_line(text: str) -> None:
    try:
        check_visible(text)
    except ValidationError as error:
        raise InvalidError(str(error)) from error


class ChoiceFilter(filters.ChoiceFilter):
    """One of some words."""


class BooleanFilter(filters.TypedChoiceFilter):
    """Exactly ``true`` or ``false``."""

    def __init__(self, **kwargs: Any) -> None:
        choices = [("true", "true"), ("false", "false")]
        super().__init__(choices=choices, coerce=lambda text: text == "true", **kwargs)


class MomentFilter(BooleanFilter):
    """``true``: only rows whose moment is told, of what was done; ``false``: only the others."""

    def __init__(self, field_name: str, **kwargs: Any) -> None:
        super().__init__(field_name=field_name, lookup_expr="isnull", exclude=True, **kwargs)


class _StrictUUIDField(forms.UUIDField):
    def to_python(self, value: Any) -> Any:
        found = super().to_python(value)
        if found is not None and str(found) != str(value).lower():
            raise InvalidError(self.error_messages["invalid"], code="invalid")
        return found


class UUIDFilter(filters.UUIDFilter):
    """A UUID, written with hyphens."""

    field_class = _StrictUUIDField


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
