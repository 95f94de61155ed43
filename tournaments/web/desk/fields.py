"""Fields for moments, by the clock on the club's wall, and for money.

That clock is put forward and back; money is typed with the decimal sign of any language, and kept
in minor units.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from engine.notation.values import WordError, read_money
from tournaments.core.time_zones import NoSuchTimeError, TwiceError, instant
from tournaments.models.limits import MONEY_MAX
from tournaments.web.number_format import money as shown_money


class MomentField(forms.DateTimeField):
    """A day and a time in the time zone of the page, kept as an instant."""

    def __init__(self, **more: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(**{"widget": widget, **more})

    def prepare_value(self, value: Any) -> Any:
        """An instant as the clock on the wall shows it; what was typed stays as it was."""
        if isinstance(value, datetime) and timezone.is_aware(value):
            return timezone.localtime(value).replace(tzinfo=None)
        return value

    def to_python(self, value: Any) -> datetime | None:
        """The instant. Raises ValidationError for a time that the clock shows never or twice."""
        if isinstance(value, datetime) and timezone.is_aware(value):
            return value
        if isinstance(value, datetime):
            typed = value
        else:
            # Django reads every way of writing a moment; it is told that the clock is UTC.
            with timezone.override(None):
                read = super().to_python(value)
            if read is None:
                return None
            typed = read.replace(tzinfo=None)
        return _on_the_wall(typed)


def _on_the_wall(typed: datetime) -> datetime:
    clock = timezone.get_current_timezone()
    day, time = date_format(typed, "j F Y"), f"{typed:%H:%M}"
    try:
        return instant(typed, clock)
    except NoSuchTimeError as error:
        words = _("On %(day)s clocks are put forward: there is no %(time)s. Choose an hour later.")
        raise ValidationError(words % {"day": day, "time": time}) from error
    except TwiceError as error:
        words = _(
            "On %(day)s clocks are put back: %(time)s comes twice. Choose a time outside that hour."
        )
        raise ValidationError(words % {"day": day, "time": time}) from error
    except OverflowError as error:
        raise ValidationError(_("No calendar reaches so far.")) from error


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
