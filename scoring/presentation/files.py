"""Properties of files and printed sheets: language, name, address, director."""

from datetime import date
from typing import Final

from django.urls import reverse
from django.utils.formats import get_format
from django.utils.text import slugify
from django.utils.translation import get_language

from tournaments.core.actors import ActorKind
from tournaments.core.language import translate
from tournaments.core.time_zones import format_wall
from tournaments.models import Club, Event, League, Scope
from tournaments.publishing.official import TableStatus, find_decisions
from tournaments.publishing.versions import Standings
from tournaments.reports.people import actor_names
from tournaments.tables.model import TableLocale

NAME_MAX: Final = 60
"""Characters of the name of a club or a league in the name of a file."""


def find_locale() -> TableLocale:
    """The language that is active, as writers of tables need it."""
    return TableLocale(
        code=get_language() or "en",
        decimal_sign=str(get_format("DECIMAL_SEPARATOR")),
        say=translate,
        say_moment=format_wall,
    )


def file_name(
    subject: Event | League | Club,
    day: date,
    what: str,
    extension: str,
    status: TableStatus | None = None,
) -> str:
    """The name of a file: leiden-hearts-2026-11-24-autumn-cup-standings-v7-official.xlsx.

    The name of an event or a league follows that of its club. They are written in ASCII letters,
    unless a name has none at all.
    """
    club = subject if isinstance(subject, Club) else subject.club
    parts = [_slug(club), str(day)]
    if subject is not club:
        parts.append(_slug(subject))
    parts.append(what)
    if status is not None:
        parts += [f"v{status.version}", status.state]
    return f"{'-'.join(parts)}.{extension}"


def _slug(named: Event | League | Club) -> str:
    slug = slugify(named.name) or slugify(named.name, allow_unicode=True)
    return slug[:NAME_MAX].strip("-_") or type(named).__name__.lower()


def page_address(subject: Event | League | Club, site: str) -> str:
    """Return the address of the page of something; empty where nobody knows the ``site``."""
    name = f"{type(subject).__name__.lower()}-page"
    return f"{site}{reverse(name, args=[subject.pk])}" if site else ""


def find_director(standings: Standings) -> str:
    """Return who made standings official; empty unless a person has. At most three queries."""
    decisions = find_decisions(Scope(standings.row.scope), standings.row.subject)
    made = [decision.by for decision in decisions if decision.version == standings.row.official]
    is_person = bool(made) and made[-1].startswith(f"{ActorKind.PERSON}:")
    return actor_names(made)[made[-1]] if is_person else ""
