"""Roles in a club, as the API shows them."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, Door, read, write
from tournaments.api.fields import Email, Identifier, OneOf, form
from tournaments.core.errors import NotAllowedError
from tournaments.models import Role, RoleKind
from tournaments.people import roles
from tournaments.people.roles import NewRole

KINDS = tuple(str(kind) for kind in RoleKind.values if kind != RoleKind.FEDERATION)
NEW = form(
    email=Email(words="Of an account."),
    kind=OneOf(of=KINDS),
    player=Identifier(required=False, nullable=True, words="Who this is at the tables."),
)


class RoleOut(TypedDict):
    """What somebody is in a club."""

    id: UUID
    account: UUID
    name: str
    email: str
    kind: RoleKind
    player: UUID | None
    created_at: datetime


class Roles(Door):
    """Who is what in a club."""

    @read(Right.ROLES_READ, gives=RoleOut, pages=True)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """List the roles in a club."""
        return ask.page(selectors.roles(ask.club), role_out)

    @write(Right.ROLES_EDIT, takes=NEW, gives=RoleOut, status=201)
    def post(self, ask: Ask, club_id: UUID) -> Answer:
        """Grant a role to somebody who has an account."""
        role = roles.grant_role(club_id=club_id, new=NewRole(**ask.values), by=ask.by, at=ask.at)
        return Answer(role_out(role))


class OneRole(Door):
    """One role."""

    # Whoever may see the club may give up what he is in it.
    @write(Right.CLUB_READ, status=204)
    def delete(self, ask: Ask, club_id: UUID, role_id: UUID) -> Answer:
        """Revoke a role, or give up one's own; the last admin must stay."""
        if Right.ROLES_EDIT not in ask.rights and not selectors.is_own_role(role_id, ask.asker):
            raise NotAllowedError(f"This needs the right {Right.ROLES_EDIT}.")
        roles.revoke_role(club_id=club_id, role_id=role_id, by=ask.by, at=ask.at)
        return Answer()


def role_out(role: Role) -> RoleOut:
    """A role as data."""
    return {
        "id": role.pk,
        "account": role.account_id,
        "name": role.account.name,
        "email": role.account.email,
        "kind": RoleKind(role.kind),
        "player": role.player_id,
        "created_at": role.created_at,
    }
