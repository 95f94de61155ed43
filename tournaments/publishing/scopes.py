"""Compute standings, a club's ratings or a player's statistics from rows alone."""

from collections.abc import Callable, Mapping
from typing import Final
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist

from tournaments.models import Club, Event, League, Player, Scope
from tournaments.publishing.club_ratings import compute_ratings, compute_strengths
from tournaments.publishing.documents import ChangedGames, StandingsDocument
from tournaments.publishing.event_standings import compute_event
from tournaments.publishing.league_standings import compute_league
from tournaments.publishing.player_statistics import compute_statistics

_PLAIN: Final[Mapping[str, Callable[[UUID], StandingsDocument]]] = {
    Scope.RATINGS: compute_ratings,
    Scope.STRENGTH: compute_strengths,
    Scope.STATISTICS: compute_statistics,
}


def compute(
    scope: str,
    subject: UUID,
    *,
    fresh: bool = False,
    changed: ChangedGames | None = None,
    official: int | None = None,
) -> StandingsDocument | None:
    """The standings of an event or a league, the ratings of a club, or the statistics of a player.

    None: it is not there.

    ``fresh``: from results and official versions alone, whatever is remembered. ``changed``:
    nothing else of an event or a league is other than it was when it was published. ``official``:
    the number of the official version that they are to be. The caller sees one moment of the
    database (`transactions.read_snapshot`).
    """
    try:
        if scope == Scope.EVENT:
            return compute_event(subject, fresh=fresh, changed=changed, official=official)
        if scope == Scope.LEAGUE:
            return compute_league(subject, fresh=fresh, changed=changed, official=official)
        return _PLAIN[scope](subject)
    except ObjectDoesNotExist:
        return None


def club_of(scope: str, subject: UUID) -> UUID | None:
    """Return the club of the standings. One query."""
    if scope in (Scope.RATINGS, Scope.STRENGTH):
        return Club.objects.filter(pk=subject).values_list("pk", flat=True).first()
    if scope == Scope.STATISTICS:
        return Player.objects.filter(pk=subject).values_list("club_id", flat=True).first()
    rows = Event.objects if scope == Scope.EVENT else League.objects
    return rows.filter(pk=subject).values_list("club_id", flat=True).first()
