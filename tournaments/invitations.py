"""Invitations: a word, signed by the service, that lets somebody make an account with a role.

Nothing is kept of one but that it was made: it says itself for whom it is, for what and how long.
It is used up by the account that it makes, and is worth nothing once who made it may invite no
longer.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Q

from tournaments import accounts, audit, roles
from tournaments.accounts import NewAccount
from tournaments.actors import Actor, ActorKind, Source
from tournaments.audit import Deed
from tournaments.models import Account, Club, Role, RoleKind
from tournaments.refusals import GoneError, NotThereError, RefusedError
from tournaments.roles import NewRole

LIFE: Final = timedelta(days=7)
TOKEN_MOST: Final = 1000
_SIGNER: Final = Signer(salt="an invitation to a club")


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """Who is to be what, until when, and what opens the door to that."""

    email: str
    kind: str
    ends_at: datetime
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """An invitation, and what its guest adds: his name and a password."""

    invitation: str
    name: str
    password: str


@transaction.atomic
def invite(*, club_id: UUID, email: str, kind: str, by: Actor, at: datetime) -> Invitation:
    """Invite somebody who has no account yet. Raises RefusedError."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if kind == RoleKind.FEDERATION:
        raise RefusedError("No club makes admins of a federation.", "kind")
    if by.kind is not ActorKind.PERSON or by.id is None:
        raise RefusedError("Only people invite people.")
    if Account.objects.filter(email=email.lower()).exists():
        words = "Somebody has an account with this address; give him the role."
        raise RefusedError(words, "email")
    ends_at = at + LIFE
    said = {
        "club": str(club.pk),
        "email": email.lower(),
        "kind": str(kind),
        "by": str(by.id),
        "until": ends_at.isoformat(),
    }
    # The trail names nobody, and whom an address belongs to is known when he has come.
    details = {"kind": str(kind), "until": ends_at}
    audit.note(Deed("invited", details=details), chain=club.pk, club=club.pk, by=by, at=at)
    token = _SIGNER.sign_object(said)
    return Invitation(email=email.lower(), kind=str(kind), ends_at=ends_at, token=token)


@transaction.atomic
def accept(*, acceptance: Acceptance, at: datetime) -> Role:
    """Make the account of a guest, with his role.

    Raises NotThereError for what is no invitation, GoneError for one that is used, too old, or of
    somebody who may invite no longer; RefusedError for a name or password that cannot be.
    """
    said = _read(acceptance.invitation)
    club, host = UUID(said["club"]), UUID(said["by"])
    Club.objects.select_for_update(no_key=True).get(pk=club)
    if at >= datetime.fromisoformat(said["until"]):
        raise GoneError("This invitation has expired; ask for another one.")
    if Account.objects.filter(email=said["email"]).exists():
        raise GoneError("This invitation has been used; sign in.")
    if not _may_invite(host, club):
        raise GoneError("This invitation holds no more; ask for another one.")
    new = NewAccount(email=said["email"], name=acceptance.name, password=acceptance.password)
    accounts.make_account(new=new, at=at)
    by = Actor(ActorKind.PERSON, Source.API, host)
    role = NewRole(email=said["email"], kind=said["kind"])
    return roles.grant_role(club_id=club, new=role, by=by, at=at)


def _read(token: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = _SIGNER.unsign_object(token)
    except (BadSignature, ValueError) as error:
        raise NotThereError from error
    return found


def _may_invite(host: UUID, club: UUID) -> bool:
    """Whether somebody is still an admin, of the club or of a federation."""
    own = Q(club=club, kind=RoleKind.ADMIN) | Q(club=None, kind=RoleKind.FEDERATION)
    return Role.objects.filter(own, account=host, account__is_active=True).exists()
