"""Events and leagues in a few lines, for feeds, calendars and previews of links."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final
from uuid import UUID

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from tournaments.core.language import translate
from tournaments.core.time_zones import local
from tournaments.models import Club, Event
from tournaments.people.display_names import distinct_names
from tournaments.publishing.official import status_of
from tournaments.publishing.versions import Standings
from tournaments.tables.cells import decimal_text, readable

PLACES: Final = 3
"""So many places are named, and whoever shares the last of them."""


def describe_event(event: Event, found: Standings | None, *, in_full: bool) -> list[str]:
    """When and where it is, by which rules, and its first places where ``found`` are standings.

    Without ``in_full`` names are as strangers may see them. Some queries, if there are standings.
    """
    begins = local(event.starts_at, event.club.time_zone)
    played = ngettext("%(n)s round", "%(n)s rounds", event.rounds) % {"n": event.rounds}
    if event.is_results_only:
        played = gettext("results only; no hands were recorded")
    lines = [
        date_format(begins, gettext("l j F Y, H:i")),
        event.place,
        f"{event.rule_set.name}, {played}",
        *([] if found is None else list_first_places(found, event.club, in_full=in_full)),
    ]
    return [readable(line) for line in lines if line]


def list_first_places(found: Standings, club: Club, *, in_full: bool) -> Iterator[str]:
    """What standings are worth, then the first places, a line each; nothing before the first."""
    rows = [row for row in found.rows if row["rank_from"] and row["rank_from"] <= PLACES]
    if not rows:
        return
    yield translate(status_of(found, in_full=in_full).sentence(club.time_zone))
    entries = found.data.get("entries", {})
    players = [entries.get(row["entry"], {}).get("player", row["entry"]) for row in rows]
    names = distinct_names(club, [UUID(player) for player in players], in_full=in_full)
    for row, player in zip(rows, players, strict=True):
        total = decimal_text(Fraction(row["total"]), 2)
        yield readable(f"{row['label']} {names.get(player, '')} ({total})")
