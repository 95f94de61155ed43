"""Clubs: founded and changed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction

from engine.core.messages import Message
from tournaments import audit, invalidation
from tournaments.audit import AuditRecord
from tournaments.core import time_zones
from tournaments.core.actors import Actor, ActorKind
from tournaments.core.errors import NotAllowedError, RefusedError, StaleError
from tournaments.models import (
    CLUB_SETTINGS,
    AuditEntry,
    Club,
    Event,
    League,
    Role,
    RoleKind,
    Scope,
    TableGame,
)

FOUNDED: Final = Message("club founded")
"""An entry of the trail that makes an admin; `verify` compares the roles with it."""
_CHANGED: Final = Message("club changed")


@transaction.atomic
def create_club(*, new: Mapping[str, Any], by: Actor, at: datetime) -> Club:
    """Create a club with its creator as admin. Raises NotAllowedError and RefusedError.

    ``new`` are settings of the club by name (`CLUB_SETTINGS`), and perhaps its currency; without a
    time zone it has the one of the installation.
    """
    if by.kind is not ActorKind.PERSON or by.id is None:
        raise NotAllowedError(Message("Sign in as a person to create a club."))
    club = Club(created_at=at, **{"time_zone": settings.CLUB_TIME_ZONE, **new})
    code = club.currency
    if not (len(code) == 3 and code.isascii() and code.isalpha() and code.isupper()):
        raise RefusedError(
            Message("A currency has three capital letters, such as EUR."), "currency"
        )
    time_zones.check(club.time_zone)
    club.save(force_insert=True)
    Role.objects.create(account_id=by.id, club=club, kind=RoleKind.ADMIN, created_at=at)
    details = {"admin": by.id, "is_public": club.is_public}
    audit.note(
        AuditRecord(FOUNDED, details=details),
        chain=club.pk,
        club=club.pk,
        by=by,
        at=at,
    )
    return club


@transaction.atomic
def change_club(
    *, club_id: UUID, changes: Mapping[str, Any], version: int, by: Actor, at: datetime
) -> Club:
    """Change what is named in ``changes``; another clock lets nights fall on other days.

    Raises StaleError, and RefusedError for a time zone that nobody knows.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if version != club.version:
        current = {name: getattr(club, name) for name in CLUB_SETTINGS}
        raise StaleError(
            Message("The club has been changed in the meantime."), club.version, current
        )
    clock = club.time_zone
    for name, value in changes.items():
        setattr(club, name, value)
    if club.time_zone != clock:
        time_zones.check(club.time_zone)
        _mark_everything(club, at)
    club.version += 1
    club.save()
    action = AuditRecord(_CHANGED, details={"fields": sorted(changes), "version": club.version})
    audit.note(action, chain=club.pk, club=club.pk, by=by, at=at)
    return club


def was_asked_for_visibility(club: Club) -> bool:
    """Whether somebody said, after the foundation, if strangers may look at the results.

    The trail tells it. One query, none for a public club.
    """
    changes = AuditEntry.objects.filter(chain=club.pk, what=_CHANGED)
    return club.is_public or changes.filter(details__contains='"is_public"').exists()


def _mark_everything(club: Club, at: datetime) -> None:
    """Let all standings of a club be computed anew."""
    for scope, rows in ((Scope.EVENT, Event.objects), (Scope.LEAGUE, League.objects)):
        invalidation.mark(
            scope, rows.filter(club=club).order_by("pk").values_list("pk", flat=True), at
        )
    invalidation.mark(Scope.RATINGS, [club.pk], at)
    invalidation.mark_players(TableGame.objects.filter(club=club), at)
