"""Fields for money: typed with the decimal sign of any language, kept in minor units."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from engine.notation.values import WordError, read_money
from tournaments.models.limits import MONEY_MAX
from tournaments.web.number_format import money as shown_money


class MoneyField(forms.CharField):
    """An amount of ``currency``; left empty it is nothing.

    Without a currency it is any number with two decimal places, in hundredths.
    """

    def __init__(self, *, currency: str = "", **more: Any) -> None:
        self.currency = currency
        widget = forms.TextInput(attrs={"class": "short", "inputmode": "decimal"})
        super().__init__(**{"max_length": 20, "widget": widget, **more})

    def prepare_value(self, value: Any) -> Any:
        """An amount as it is shown; what was typed stays as it was."""
        return shown_money(value, self.currency) if isinstance(value, int) else value

    def to_python(self, value: Any) -> Any:
        """In minor units, exactly; None for nothing at all. Raises ValidationError."""
        text = str(super().to_python(value))
        if not text:
            return None
        amount = amount_of(text, read_money(self.currency))
        if amount > MONEY_MAX:
            raise ValidationError(_("That is too much."))
        return amount

    def run_validators(self, value: Any) -> None:
        """Accept an amount, which was checked when it was read."""


def amount_of(text: str, read: Callable[[str], int]) -> int:
    """Return the amount that somebody typed. Raises ValidationError."""
    try:
        return read(text.strip().replace(",", "."))
    except WordError as error:
        raise ValidationError(_("This is no amount of money.")) from error
