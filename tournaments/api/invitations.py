"""Invitations of people who have no account yet, and their acceptance."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, Door, open_door, write
from tournaments.api.fields import Email, OneOf, Text, form
from tournaments.api.roles import KINDS, RoleOut, role_out
from tournaments.api.session import SignInThrottle
from tournaments.people import accounts, invitations
from tournaments.people.invitations import TOKEN_MOST, Acceptance

GUEST = form(email=Email(), kind=OneOf(of=KINDS))
ACCEPTANCE = form(
    invitation=Text(most=TOKEN_MOST),
    name=Text(most=accounts.NAME_MOST),
    password=Text(most=accounts.PASSWORD_MOST, raw=True),
    email=Email(required=False),
)


class InvitationOut(TypedDict):
    """An invitation; what opens it is shown this once."""

    email: str
    kind: str
    ends_at: datetime
    invitation: str | None


class Invitations(Door):
    """The guests of a club."""

    @write(Right.ROLES_EDIT, takes=GUEST, gives=InvitationOut, status=201)
    def post(self, ask: Ask, club_id: UUID) -> Answer:
        """Invite somebody to make an account, and to be something in the club with it."""
        made = invitations.invite(club_id=club_id, **ask.values, by=ask.by, at=ask.at)
        row = made.invitation
        data = {"email": row.email, "kind": row.kind, "ends_at": row.ends_at}
        return Answer(data, once={"invitation": made.token})


class Accepting(Door):
    """The door for guests."""

    throttle_classes = [SignInThrottle]

    @open_door(takes=ACCEPTANCE, gives=RoleOut, status=201)
    def post(self, ask: Ask) -> Answer:
        """Accept an invitation: an account with a name and a password, and the role promised."""
        role = invitations.accept(acceptance=Acceptance(**ask.values), at=ask.at)
        return Answer(role_out(role))
