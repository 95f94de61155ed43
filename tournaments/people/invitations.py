"""Invitations: a role in a club that waits for its guest, who makes an account or has one.

What opens one is shown once, sent by e-mail if that is wanted, and kept as a digest. It is used up
by whoever accepts it, ends after a week, can be withdrawn, and is worth nothing once who made it
may invite no longer.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

from engine.core.messages import Message
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.models import Account, Club, Invitation, Role, RoleKind
from tournaments.people import accounts, roles
from tournaments.people.accounts import NewAccount
from tournaments.people.api_keys import digest_of

LIFE: Final = timedelta(days=7)
KEPT: Final = timedelta(days=30)
"""How long one is remembered after its end."""
MAILS_MAX: Final = 50
"""How many invitations a club sends by e-mail within a day; of others the link is handed on."""
TOKEN_MAX: Final = 1000
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """An invitation, and what its guest adds: their name and a password.

    ``email`` is needed where the invitation says none.
    """

    invitation: str
    name: str
    password: str
    email: str = ""


@transaction.atomic
def invite(
    *,
    club_id: UUID,
    email: str,
    kind: str,
    by: Actor,
    at: datetime,
    site: str = "",
    language: str = "",
) -> Invitation:
    """Invite somebody; without an address whoever comes first is meant.

    With a ``site``, the address of the service without a slash at the end, the invitation is also
    sent to the address, unless `MAILS_MAX` were sent within a day.

    Raises RefusedError for somebody who has an account, and for an admin without an address.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if kind == RoleKind.FEDERATION:
        raise RefusedError(Message("No club makes admins of a federation."), "kind")
    if kind == RoleKind.ADMIN and not email:
        raise RefusedError(Message("Say for whom an invitation is that makes an admin."), "email")
    if by.kind is not ActorKind.PERSON or by.id is None:
        raise RefusedError(Message("Only people invite people."))
    if email and Account.objects.filter(email=email.lower()).exists():
        words = Message("Somebody has an account with this address; give them the role.")
        raise RefusedError(words, "email")
    made = Invitation(
        club=club,
        kind=str(kind),
        email=email.lower(),
        made_by_id=by.id,
        created_at=at,
        ends_at=at + LIFE,
    )
    if email and site and _mails_within_a_day(club, at) < MAILS_MAX:
        made.site, made.language, made.due_at = site, language, at
    made.digest = digest_of(invitation_token(made))
    made.save()
    # The trail names nobody, and whom an address belongs to is known when they have come.
    details = {"invitation": made.pk, "kind": made.kind, "until": made.ends_at}
    audit.note(
        AuditRecord(Message("invited"), details=details), chain=club.pk, club=club.pk, by=by, at=at
    )
    return made


def invitation_token(invitation: Invitation) -> str:
    """Return the token of an invitation, made of its id with the key of the installation."""
    return salted_hmac("an invitation", str(invitation.pk), algorithm="sha256").hexdigest()


def _mails_within_a_day(club: Club, at: datetime) -> int:
    mailed = Invitation.objects.filter(club=club, created_at__gt=at - _DAY)
    return mailed.exclude(site="").count()


def open_invitations(club: Club, *, at: datetime) -> QuerySet[Invitation]:
    """The invitations that somebody can still accept, the newest first."""
    rows = Invitation.objects.filter(club=club, used_at=None, withdrawn_at=None, ends_at__gt=at)
    return rows.select_related("made_by").order_by("-created_at", "pk")


@transaction.atomic
def withdraw(*, club_id: UUID, invitation_id: UUID, by: Actor, at: datetime) -> None:
    """Withdraw an invitation: its link stops working.

    Raises NotThereError, and GoneError for one that is used.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    invitation = Invitation.objects.filter(club=club, pk=invitation_id).first()
    if invitation is None:
        raise NotThereError
    if invitation.used_at is not None:
        raise GoneError(Message("This invitation has been used."))
    if invitation.withdrawn_at is not None:
        return
    invitation.withdrawn_at, invitation.due_at = at, None
    invitation.save(update_fields=["withdrawn_at", "due_at"])
    details = {"invitation": invitation.pk, "kind": invitation.kind}
    action = AuditRecord(Message("invitation withdrawn"), details=details)
    audit.note(action, chain=club.pk, club=club.pk, by=by, at=at)


def find_invitation(token: str, *, at: datetime) -> Invitation:
    """Return the invitation that a token opens.

    Raises NotThereError for an unknown token, GoneError if the invitation is used, expired,
    withdrawn, or if whoever made it is no longer an admin.
    """
    rows = Invitation.objects.select_related("club", "made_by")
    found = rows.filter(digest=digest_of(token)).first() if token.isascii() else None
    if found is None:
        raise NotThereError
    if found.used_at is not None:
        raise GoneError(Message("This invitation has been used; sign in."))
    if at >= found.ends_at:
        raise GoneError(Message("This invitation has expired; ask for another one."))
    if found.withdrawn_at is not None or not _may_invite(found.made_by_id, found.club_id):
        raise GoneError(Message("This invitation is no longer valid; ask for another one."))
    return found


@transaction.atomic
def accept(*, acceptance: Acceptance, at: datetime) -> Role:
    """Make the account of a guest, with their role.

    Raises NotThereError and GoneError as `find_invitation` does, RefusedError for an invalid name,
    address or password.
    """
    invitation = _lock_invitation(acceptance.invitation, at=at)
    email = invitation.email or acceptance.email
    if not email:
        raise RefusedError(Message("Say by which address you will sign in."), "email")
    if invitation.email and Account.objects.filter(email=invitation.email).exists():
        raise GoneError(Message("This invitation has been used; sign in."))
    new = NewAccount(email=email, name=acceptance.name, password=acceptance.password)
    accounts.make_account(new=new, at=at)
    return _take_role(invitation, email, at)


@transaction.atomic
def accept_as(*, token: str, account: Account, at: datetime) -> Role:
    """Give the role to somebody who has an account.

    Raises NotThereError and GoneError as `find_invitation` does, RefusedError if the invitation is
    for another address.
    """
    invitation = _lock_invitation(token, at=at)
    if invitation.email not in ("", account.email):
        raise RefusedError(Message("This invitation is for another address."))
    return _take_role(invitation, account.email, at)


def _lock_invitation(token: str, *, at: datetime) -> Invitation:
    """An open invitation, with its club locked."""
    club = find_invitation(token, at=at).club_id
    Club.objects.select_for_update(no_key=True).get(pk=club)
    return find_invitation(token, at=at)


def _take_role(invitation: Invitation, email: str, at: datetime) -> Role:
    invitation.used_at, invitation.due_at = at, None
    invitation.save(update_fields=["used_at", "due_at"])
    by = Actor(ActorKind.PERSON, Source.API, invitation.made_by_id)
    return roles.grant_role(
        club_id=invitation.club_id, email=email, kind=invitation.kind, by=by, at=at
    )


def delete_expired(*, at: datetime) -> int:
    """Delete invitations that ended long ago, and the addresses in them. Returns how many."""
    return Invitation.objects.filter(ends_at__lt=at - KEPT).delete()[0]


def _may_invite(host: UUID, club: UUID) -> bool:
    """Whether somebody is still an admin, of the club or of a federation."""
    own = Q(club=club, kind=RoleKind.ADMIN) | Q(club=None, kind=RoleKind.FEDERATION)
    return Role.objects.filter(own, account=host, account__is_active=True).exists()
