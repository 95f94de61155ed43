"""Filters of lists, and what may stand in a URL after its question mark."""

from collections.abc import Collection
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError as InvalidError
from django.utils.translation import gettext_lazy as _
from django_filters import rest_framework as filters
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request

from tournaments.api.serializers import check_visible, hinted_error, suggest

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
                    key: [ErrorDetail(one.messages[0], one.code) for one in errors]
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
