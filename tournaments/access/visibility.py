"""Visibility: which events and leagues of a public club anonymous visitors may see.

A director hides an event or a league. With an event go its games and hands, every league that it
counts for, and, while it has games, the club's ratings, which are made of all games together:
nothing of it can be reckoned out of what is left. Whoever may know of it all the same is for
`tournaments.access.rights` to say.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeVar
from uuid import UUID

from django.core.signing import Signer
from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from tournaments.access.rights import Place
from tournaments.models import Event, League, LeagueEvent, Published, Scope, Snapshot

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class EventPlace(Place):
    """An event of a club."""

    event: Event | None = None

    @property
    def is_hidden(self) -> bool:
        return self.event is not None and self.event.is_hidden

    @property
    def sheets(self) -> frozenset[UUID]:
        return frozenset() if self.event is None else sheets_of_event(self.event)


@dataclass(frozen=True, slots=True)
class LeaguePlace(Place):
    """A league of a club. Whether a hidden event counts for it is one query."""

    league: League | None = None

    @property
    def is_hidden(self) -> bool:
        return self.league is not None and (
            self.league.is_hidden
            or LeagueEvent.objects.filter(league=self.league, event__is_hidden=True).exists()
        )

    @property
    def sheets(self) -> frozenset[UUID]:
        return frozenset() if self.league is None else frozenset({self.league.pk})


def sheets_of_event(event: Event) -> frozenset[UUID]:
    """The event itself, and unless it is hidden the leagues that it counts for. One query."""
    leagues = LeagueEvent.objects.filter(event=event, event__is_hidden=False)
    return frozenset({event.pk, *leagues.values_list("league", flat=True)})


def event_place(event: Event | None) -> Place:
    """Return the place of an event, read with its club."""
    return Place(None) if event is None else EventPlace(event.club, None, event)


def league_place(league_id: UUID) -> Place:
    """Return the place of a league. One query."""
    league = League.objects.select_related("club").filter(pk=league_id).first()
    return Place(None) if league is None else LeaguePlace(league.club, None, league)


def sheet_token(subject: UUID) -> str:
    """Return what the code of a sheet of an event or league carries where strangers may not look.

    Whoever holds the sheet has read it: they see of its page, and of the games on it, what
    strangers see of a public club.
    """
    return _SHEETS.sign(str(subject)).rpartition(_SHEETS.sep)[2]


_SHEETS: Final = Signer(salt="printed sheet")


def visible_rows(rows: QuerySet[M], *, hidden: bool, way: str = "") -> QuerySet[M]:
    """Of some rows those that somebody may know of; ``hidden``: they may know of hidden ones too.

    ``way`` leads from a row to its event, such as ``table__round__event``.
    """
    lookup = f"{way}__is_hidden" if way else "is_hidden"
    return rows if hidden else rows.exclude(Q(**{lookup: True}))


def leagues_seen(rows: QuerySet[League], *, hidden: bool) -> QuerySet[League]:
    """Return the leagues that the viewer may know of; see `visible_rows`."""
    if hidden:
        return rows
    tells = LeagueEvent.objects.filter(league=OuterRef("pk"), event__is_hidden=True)
    return rows.filter(~Exists(tells), is_hidden=False)


def hides_games(club: UUID) -> bool:
    """Whether a club has games that strangers may not know of. One query."""
    return Event.objects.filter(club=club, is_hidden=True, games__isnull=False).exists()


def tells_of_hidden(row: Published, versions: Iterable[int | None]) -> bool:
    """Whether versions of the table of a season tell of an event that is hidden now.

    It may have counted once, and be taken out since. Two queries at most.
    """
    if row.scope != Scope.LEAGUE or row.pk is None:
        return False
    hidden = Event.objects.filter(club=row.club_id, is_hidden=True)
    events = [str(event) for event in hidden.values_list("pk", flat=True)]
    if not events:
        return False
    told = Snapshot.objects.filter(
        published=row, version__in=[version for version in versions if version]
    )
    return any(event in data for data in told.values_list("data", flat=True) for event in events)
