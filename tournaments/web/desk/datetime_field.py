"""Fields for moments: typed by the clock on the club's wall, which is put forward and back."""

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.core.time_zones import NoSuchTimeError, TwiceError, instant


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
        typed = _parse_typed(value)
        if typed is None:
            # Django reads every way of writing a moment; it is told that the clock is UTC.
            with timezone.override(None):
                read = super().to_python(value)
            if read is None:
                return None
            typed = read.replace(tzinfo=None)
        return _on_the_wall(typed)


def _parse_typed(value: Any) -> datetime | None:
    return value if isinstance(value, datetime) else None


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
