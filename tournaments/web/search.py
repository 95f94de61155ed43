"""Search in a club: players by the names that the viewer may know, events and leagues by theirs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

from django.db.models import Exists, OuterRef, QuerySet

from tournaments import selectors
from tournaments.access.visibility import leagues_seen, visible_rows
from tournaments.core.name_folding import fold_text
from tournaments.database.name_order import order_by_name
from tournaments.models import Entry, Event, League, Player, Shown
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.web.viewer import Viewer

MATCHES_MAX: Final = 50
"""So many of each kind are shown."""
_LOOKED_AT: Final = 5000
"""So many players are looked at for a stranger, whose names no index has."""

Named = TypeVar("Named", Event, League)


@dataclass(frozen=True, slots=True)
class SearchResults:
    """Rows with the name that was looked for."""

    players: Sequence[tuple[Player, str]]
    events: Sequence[Event]
    leagues: Sequence[League]

    @property
    def is_nothing(self) -> bool:
        """Whether nothing has that name."""
        return not (self.players or self.events or self.leagues)


def search_club(viewer: Viewer, sought: str) -> SearchResults | None:
    """Find players, events and leagues by name; None for an empty search. Four queries."""
    if not sought:
        return None
    club = viewer.club
    hidden = viewer.sees_hidden
    events = visible_rows(Event.objects.filter(club=club), hidden=hidden)
    leagues = leagues_seen(League.objects.filter(club=club), hidden=hidden)
    players = _known_in_full(viewer, sought) if viewer.in_full else _known_in_short(viewer, sought)
    return SearchResults(
        players=list(players),
        events=_first_matches(events.order_by("-starts_at", "-id"), sought),
        leagues=_first_matches(leagues.order_by("-created_at", "-id"), sought),
    )


def _first_matches(rows: QuerySet[Named], sought: str) -> list[Named]:
    """The first rows whose name contains the text; compared here, as no database folds names."""
    wanted = fold_text(sought)
    return list(
        islice((row for row in rows.iterator() if wanted in fold_text(row.name)), MATCHES_MAX)
    )


def _known_in_full(viewer: Viewer, sought: str) -> Iterator[tuple[Player, str]]:
    rows = selectors.players(viewer.club, search=sought)
    rows = rows.order_by(*order_by_name("person"), "id")[:MATCHES_MAX]
    shared = shared_names(viewer.club)
    for row in rows:
        yield row, distinct_name(row, shared)


def _known_in_short(viewer: Viewer, sought: str) -> Iterator[tuple[Player, str]]:
    """Those who played where strangers may look, by what they see of names, and nothing beyond."""
    entries = Entry.objects.filter(player=OuterRef("pk"))
    played = Exists(visible_rows(entries, hidden=viewer.sees_hidden, way="event"))
    rows = selectors.players(viewer.club).filter(played).exclude(person__shown=Shown.HIDDEN)
    looked_at = rows.order_by("number")[:_LOOKED_AT]
    shared = shared_names(viewer.club, in_full=False)
    named = ((row, distinct_name(row, shared, in_full=False)) for row in looked_at)
    wanted = fold_text(sought)
    return islice(((row, name) for row, name in named if wanted in fold_text(name)), MATCHES_MAX)
