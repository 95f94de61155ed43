"""Roles: granted and revoked; a club always keeps an admin."""

from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import ConflictError, NotThereError, RefusedError
from tournaments.models import Account, Club, Player, Role, RoleKind

GRANTED: Final = Message("role granted")
REVOKED: Final = Message("role revoked")
"""Entries of the trail, with which `verify` compares the roles."""


@transaction.atomic
def grant_role(
    *,
    club_id: UUID,
    email: str,
    kind: str,
    player: UUID | None = None,
    by: Actor,
    at: datetime,
) -> Role:
    """Give somebody with an account a role; one that they have already stays as it is.

    ``player``: who they are at the tables. Raises RefusedError.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if kind == RoleKind.FEDERATION:
        raise RefusedError(Message("No club makes admins of a federation."), "kind")
    account = Account.objects.filter(email=email.lower(), is_active=True).first()
    if account is None:
        raise RefusedError(Message("Nobody has an account with this address."), "email")
    defaults = {"player": _player(club, player), "created_at": at}
    role, made = Role.objects.get_or_create(
        account=account, club=club, kind=kind, defaults=defaults
    )
    if made:
        details = {"role": role.pk, "account": account.pk, "kind": role.kind}
        audit.note(
            AuditRecord(GRANTED, details=details),
            chain=club.pk,
            club=club.pk,
            by=by,
            at=at,
        )
    return role


def _player(club: Club, number: UUID | None) -> Player | None:
    if number is None:
        return None
    player = Player.objects.filter(club=club, pk=number).select_related("merged_into").first()
    if player is None:
        raise RefusedError(Message("The club does not know this player."), "player")
    return player.merged_into or player


@transaction.atomic
def revoke_role(*, club_id: UUID, role_id: UUID, by: Actor, at: datetime) -> None:
    """Take a role away. Raises NotThereError, and ConflictError for the last admin's."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    role = Role.objects.filter(club=club, pk=role_id).first()
    if role is None:
        raise NotThereError
    admins = Role.objects.filter(club=club, kind=RoleKind.ADMIN, account__is_active=True)
    if role.kind == RoleKind.ADMIN and not admins.exclude(pk=role.pk).exists():
        raise ConflictError(Message("A club needs an admin; make somebody else one first."))
    details = {"role": role.pk, "account": role.account_id, "kind": role.kind}
    role.delete()
    audit.note(
        AuditRecord(REVOKED, details=details),
        chain=club.pk,
        club=club.pk,
        by=by,
        at=at,
    )
