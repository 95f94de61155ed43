"""Base classes of the desk's forms; they map refusals of service functions to fields."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final
from unicodedata import category

from django import forms
from django.core.validators import BaseValidator
from django.db.models import Field
from django.utils.functional import Promise, cached_property
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.core.messages import message_of
from tournaments.core.errors import RefusedError, StaleError
from tournaments.core.language import translate
from tournaments.models.limits import TABLE_NUMBER_MAX
from tournaments.web.number_format import NOTHING

_NO_TEXT: Final = frozenset({"Cc", "Cs"})
"""Unicode categories that no text may contain: control characters and surrogates."""
_LIMITS: Final = frozenset({"min_value", "max_value", "min_length"})
"""Codes of validators whose limit is an argument of a form field by the same name."""
SHORT_TEXT: Final = forms.TextInput(attrs={"class": "short"})
SHORT_NUMBER: Final = forms.NumberInput(attrs={"class": "short"})
"""Widgets of fields that hold a few characters; a field copies its widget."""


@dataclass(frozen=True, slots=True)
class ChangedField:
    """One field in which what was typed differs from what stands now."""

    label: str
    yours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields under a title; those of a form that are seldom needed stand in one fold.

    ``words`` say what the answers come to; of a folded group, in a few words, what is in it.
    ``more`` are fields of the same subject that stand folded beside the others.
    """

    fields: list[forms.BoundField]
    title: str = ""
    is_folded: bool = False
    words: str = ""
    more: Sequence[forms.BoundField] = ()
    more_title: str = ""

    @property
    def has_errors(self) -> bool:
        """Whether something has to be corrected."""
        return any(field.errors for field in self.fields)

    @property
    def is_more_open(self) -> bool:
        """Whether the fields folded beside the others have values, or are to be corrected."""
        return any(field.errors or field.value() for field in self.more)


class NumbersField(forms.CharField):
    """Numbers from 1 to ``most``, typed with commas or blanks between them; empty: none."""

    most: ClassVar[int]

    def wrong(self) -> str:
        """Return what to say where something else was typed."""
        raise NotImplementedError

    def __init__(self, **more: Any) -> None:
        super().__init__(required=False, max_length=200, **more)

    def prepare_value(self, value: Any) -> Any:
        """Show numbers as they are typed."""
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Read the numbers, each once and in order."""
        words = (super().to_python(value) or "").replace(",", " ").split()
        numbers = {int(word) for word in words if word.isascii() and word.isdecimal()}
        is_number = all(word.isascii() and word.isdecimal() for word in words)
        if not is_number or not numbers <= set(range(1, self.most + 1)):
            raise forms.ValidationError(self.wrong())
        return sorted(numbers)


class TableNumbersField(NumbersField):
    """Numbers of tables, typed with commas or blanks between them; empty: none."""

    most = TABLE_NUMBER_MAX

    def wrong(self) -> str:
        return _("Numbers of tables from 1 to %(most)s, such as 3, 7.") % {"most": self.most}


class DeskFormMixin(forms.BaseForm):
    """A form that shows the refusals of a service function at its fields (`refuse`).

    ``differences`` are the fields that differ after a concurrent change (`compare`).
    """

    required_css_class = "required"
    is_quiet = False
    """Whether optional fields are not marked as optional."""
    ids = "id_%s"
    """Django's ``auto_id``; forms on the same page need different ones."""
    differences: tuple[ChangedField, ...] = ()
    base_fields: ClassVar[dict[str, forms.Field]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        kwargs.setdefault("auto_id", self.ids)
        super().__init__(*args, **kwargs)

    def pick_fields(self, names: Iterable[str]) -> list[forms.BoundField]:
        """Return the bound fields of these names, in this order, less those removed from this form.

        Raises KeyError for a name that no form of its class has.
        """
        return [
            self[name]
            for name in names
            if name in self.fields or name not in type(self).base_fields
        ]

    def set_choices(self, name: str, choices: Iterable[tuple[object, str]]) -> None:
        """Set the choices of a field; values (ids of rows, for example) become text."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(str(value), words) for value, words in choices]

    def refuse(self, error: RefusedError) -> None:
        """Add a refusal as an error of its field, or of the form if no field has its name."""
        if isinstance(error, StaleError):
            words = _(
                "Somebody else has changed this in the meantime. Check what differs, then"
                " save again."
            )
            self.add_error(None, words)
            return
        whole, _dot, part = error.field.partition(".")
        names = (error.field, f"{whole}_{part}".replace(".", "_"), whole, part)
        field = next((name for name in names if name in self.fields), None)
        self.add_error(field, translate(message_of(error)))

    def compare(self, current: Mapping[str, Any]) -> None:
        """Set ``differences`` between the typed values and the ``current`` ones."""
        self.differences = tuple(self._differing(current))

    def _differing(self, current: Mapping[str, Any]) -> Iterator[ChangedField]:
        for name, field in self.fields.items():
            if name not in current:
                continue
            yours, theirs = self.cleaned_data.get(name), current[name]
            if field.has_changed(theirs, self[name].data):
                yield ChangedField(
                    str(field.label or name),
                    _format_value(field, yours),
                    _format_value(field, theirs),
                )


class DeskForm(DeskFormMixin, forms.Form):
    """A form without a model."""


class DeskModelForm(DeskFormMixin, forms.ModelForm):  # type: ignore[type-arg]  # only in stubs
    """A form of a model's fields, with the limits of the model; a service function saves it.

    A field that the form declares for a column has the column's label unless it says another.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for column in self._meta.model._meta.concrete_fields:
            field = self.fields.get(column.name)
            if field is not None and field.label is None:
                field.label = capfirst(column.verbose_name)

    def validate_unique(self) -> None:
        """Left to the service function, which holds the locks."""

    def validate_constraints(self) -> None:
        """Left to the service function as well."""


class FoldedForm(DeskModelForm):
    """A form with a few questions that everybody answers, and one fold for all the others."""

    fold_title: str | Promise = gettext_lazy("More, seldom needed")

    def groups(self) -> Iterator[FieldGroup]:
        """Yield the fields as they stand on the page."""
        raise NotImplementedError

    def answer(self, name: str) -> Any:
        """Return the value of a field as it stands on the page; None for one that cannot be."""
        if self.is_bound:
            return getattr(self, "cleaned_data", {}).get(name)
        return self.get_initial_for_field(self.fields[name], name)

    @cached_property
    def all_groups(self) -> list[FieldGroup]:
        """The groups, those in the fold too."""
        return list(self.groups())

    @property
    def open_groups(self) -> list[FieldGroup]:
        """The groups that everybody needs."""
        return [group for group in self.all_groups if not group.is_folded]

    @property
    def fold(self) -> list[FieldGroup]:
        """The groups that are seldom needed."""
        return [group for group in self.all_groups if group.is_folded]

    @property
    def is_fold_open(self) -> bool:
        """Whether something in the fold has to be corrected."""
        return any(group.has_errors for group in self.fold)

    @property
    def fold_words(self) -> str:
        """The contents of the fold in one line."""
        return " · ".join(group.words for group in self.fold if group.words)


def field_of_column(column: "Field[Any, Any]", **options: Any) -> forms.Field | None:
    """Return the form field of a column, within the limits of its validators, or narrower ones.

    What may be left empty begins empty: the default of the column is for whoever leaves it so.
    """
    if column.blank:
        options.setdefault("initial", None)
    limits = {
        validator.code: validator.limit_value
        for validator in column.validators
        if isinstance(validator, BaseValidator) and validator.code in _LIMITS
    }
    return column.formfield(**limits | options)


def clean_line(text: str | None, most: int) -> str:
    r"""Clean a line from a query or a button: no control characters, at most ``most`` long.

    >>> clean_line(" The bar\x00closed. ", 300), clean_line(None, 300)
    ('The bar closed.', '')
    """
    signs = (" " if category(sign) in _NO_TEXT else sign for sign in text or "")
    return "".join(signs).strip()[:most].strip()


def _format_value(field: forms.Field, value: Any) -> str:
    if isinstance(field, forms.MultipleChoiceField):
        return ", ".join(map(str, value or ())) or NOTHING
    if isinstance(field, forms.ChoiceField):
        return str(dict(field.choices).get(str(value), value))  # type: ignore[arg-type]
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value) if value not in (None, "") else NOTHING
