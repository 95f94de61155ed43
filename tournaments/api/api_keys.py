"""Keys of programs, as the API shows them: the key itself only when it is made."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from tournaments import selectors
from tournaments.access.rights import NOT_FOR_KEYS, Right
from tournaments.api.doors import Answer, Ask, Door, read, write
from tournaments.api.fields import ListOf, Moment, OneOf, Text, form
from tournaments.api.roles import KINDS
from tournaments.models import ApiKey
from tournaments.people import api_keys
from tournaments.people.api_keys import NewKey

SCOPES = tuple(str(right) for right in Right if right not in NOT_FOR_KEYS)
NEW = form(
    name=Text(most=200),
    kind=OneOf(of=KINDS, words="The role that the program acts in."),
    scopes=ListOf(of=OneOf(of=SCOPES), least=1, most=len(SCOPES)),
    expires_at=Moment(required=False, nullable=True),
)


class KeyOut(TypedDict):
    """A key. ``key`` is what the program shows; it is told once, then null."""

    id: UUID
    name: str
    kind: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    key: str | None


class Keys(Door):
    """The keys of a club's programs."""

    @read(Right.KEYS_EDIT, gives=KeyOut, pages=True)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """List keys, revoked ones too."""
        return ask.page(selectors.api_keys(ask.club), key_out)

    @write(Right.KEYS_EDIT, takes=NEW, gives=KeyOut, status=201)
    def post(self, ask: Ask, club_id: UUID) -> Answer:
        """Make a key; it is shown this once.

        Whoever repeats the request gets the same answer without it, and makes another.
        """
        key, secret = api_keys.make_key(
            club_id=club_id, new=NewKey(**ask.values), by=ask.by, at=ask.at
        )
        return Answer(key_out(key), once={"key": secret}, location=f"{ask.path}/{key.pk}")


class OneKey(Door):
    """One key."""

    @write(Right.KEYS_EDIT, gives=KeyOut)
    def delete(self, ask: Ask, club_id: UUID, key_id: UUID) -> Answer:
        """Revoke a key, for ever."""
        return Answer(
            key_out(api_keys.revoke_key(club_id=club_id, key_id=key_id, by=ask.by, at=ask.at))
        )


def key_out(key: ApiKey) -> KeyOut:
    """A key as data, without what it is."""
    return {
        "id": key.pk,
        "name": key.name,
        "kind": key.kind,
        "scopes": key.scopes,
        "created_at": key.created_at,
        "expires_at": key.expires_at,
        "revoked_at": key.revoked_at,
        "key": None,
    }
