"""Dates as people write them; tables, books and URLs have them in ISO 8601."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _


def day_and_year(day: str) -> str:
    """A day as a text has it: 28 Mar 2025. Raises ValueError for what is no day of ISO 8601."""
    return date_format(date.fromisoformat(day), _("j M Y"))


def short_day(day: str) -> str:
    """A day below a plot: 28 Mar. Raises ValueError for what is no day of ISO 8601."""
    return date_format(date.fromisoformat(day), _("j M"))
