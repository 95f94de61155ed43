"""What files and printed sheets need of the active language, and how they are called."""

from datetime import date
from typing import Final

from django.utils.formats import get_format
from django.utils.text import slugify
from django.utils.translation import get_language

from tournaments.core.language import translate
from tournaments.models import Club
from tournaments.publishing.official import TableStatus
from tournaments.tables.locale import TableLocale

_NAME_MAX: Final = 60
"""Characters of a club's name in the name of a file."""


def find_locale() -> TableLocale:
    """The language that is active, as writers of tables need it."""
    return TableLocale(
        code=get_language() or "en",
        decimal_sign=str(get_format("DECIMAL_SEPARATOR")),
        say=translate,
    )


def file_name(
    club: Club, day: date, what: str, extension: str, status: TableStatus | None = None
) -> str:
    """The name of a file: leiden-hearts-2026-11-24-standings-v7-official.xlsx.

    It has ASCII letters alone, unless the name of the club has none at all.
    """
    slug = slugify(club.name) or slugify(club.name, allow_unicode=True)
    parts = [slug[:_NAME_MAX].strip("-_") or "club", str(day), what]
    if status is not None:
        parts += [f"v{status.version}", status.state]
    return f"{'-'.join(parts)}.{extension}"
