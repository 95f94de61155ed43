"""Find standings that are missing or outdated although nothing marked them as stale."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from tournaments.invalidation import mark
from tournaments.models import (
    Club,
    Event,
    League,
    Player,
    Published,
    Result,
    Scope,
    Snapshot,
    Status,
    TableGame,
)
from tournaments.publishing.event_inputs import CLOSED
from tournaments.standings.program import PROGRAM


def sweep(*, at: datetime) -> int:
    """Mark missing or outdated standings as stale; return how many."""
    outdated = Snapshot.objects.filter(version=F("published__version")).exclude(program=PROGRAM)
    found = [*_missing(), *outdated.values_list("published__scope", "published__subject")]
    for scope, subject in found:
        mark(Scope(scope), [subject], at)
    return len(found)


def mark_strengths(*, at: datetime) -> int:
    """Mark strengths of clubs whose ratings changed since as stale; return how many."""
    newer = Published.objects.filter(
        scope=Scope.STRENGTH, subject=OuterRef("subject"), computed_at__gte=OuterRef("computed_at")
    )
    rated = Published.objects.filter(~Exists(newer), scope=Scope.RATINGS, version__gt=0)
    clubs = list(rated.values_list("subject", flat=True))
    mark(Scope.STRENGTH, clubs, at)
    return len(clubs)


def _missing() -> list[tuple[str, UUID]]:
    """Return scopes without standings: begun events, leagues, clubs with games to rate, players."""
    rated = TableGame.objects.filter(club=OuterRef("pk"), event__isnull=False, phase__in=CLOSED)
    own = Q(player=OuterRef("pk")) | Q(player__merged_into=OuterRef("pk"))
    wanted: tuple[tuple[Scope, QuerySet[Any]], ...] = (
        (Scope.EVENT, Event.objects.exclude(status__in=(Status.PLANNED, Status.CANCELLED))),
        (Scope.LEAGUE, League.objects.all()),
        (Scope.RATINGS, Club.objects.filter(Exists(rated))),
        (
            Scope.STATISTICS,
            Player.objects.filter(Exists(Result.objects.filter(own)), merged_into=None),
        ),
    )
    published = Published.objects.filter(subject=OuterRef("pk"), version__gt=0)
    return [
        (scope, subject)
        for scope, rows in wanted
        for subject in rows.filter(~Exists(published.filter(scope=scope))).values_list(
            "pk", flat=True
        )
    ]
