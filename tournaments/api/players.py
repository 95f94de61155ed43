"""Players of a club, as the API shows them: to strangers without their full names."""

from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import TypedDict
from uuid import UUID

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, Door, read, write
from tournaments.api.fields import Email, Flag, Identifier, OneOf, Text, form
from tournaments.core.errors import NotAllowedError, NotThereError
from tournaments.models import Player, PlayerKind, Shown
from tournaments.people import members
from tournaments.people.members import NewPlayer

_PERSON = {
    "email": Email(required=False, least=0),
    "phone": Text(required=False, least=0, most=40),
    "note": Text(required=False, least=0, most=500, lines=True),
    "kind": OneOf(required=False, of=tuple(map(str, PlayerKind.values))),
    "shown": OneOf(
        required=False,
        of=tuple(map(str, Shown.values)),
        words="What strangers see: a first name and an initial, the whole name, or a number.",
    ),
}
NEW = form(name=Text(most=200), **_PERSON)
CHANGE = form(
    name=Text(required=False, most=200),
    **_PERSON,
    left=Flag(required=False, words="Whether the player has left the club."),
)
MERGE = form(into=Identifier(words="Who the player turned out to be."))
FILTERS = form(
    search=Text(required=False, most=100, words="A part of the name; needs names.read."),
    kind=OneOf(required=False, of=tuple(map(str, PlayerKind.values))),
    left=Flag(required=False, words="Only those who left, or only those who did not."),
)


class Contact(TypedDict):
    """How to reach somebody."""

    email: str
    phone: str
    note: str


class PlayerOut(TypedDict):
    """A player. ``name`` is in full for members; ``contact`` and ``shown`` for who may edit it."""

    id: UUID
    number: int
    name: str
    kind: PlayerKind
    version: int
    created_at: datetime
    left_at: datetime | None
    is_erased: bool
    shown: Shown | None
    contact: Contact | None


class Players(Door):
    """The players of a club."""

    @read(Right.CLUB_READ, gives=PlayerOut, query=FILTERS, pages=True)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """List players, without those who turned out to be somebody else."""
        if "search" in ask.query and Right.NAMES_READ not in ask.rights:
            raise NotAllowedError("Names are searched by members of the club.", "search")
        return ask.page(
            selectors.players(ask.club, **ask.filters), lambda row: player_out(row, ask.rights)
        )

    @write(Right.PLAYERS_EDIT, takes=NEW, gives=PlayerOut, status=201)
    def post(self, ask: Ask, club_id: UUID) -> Answer:
        """Add a player."""
        person = dict(ask.values)
        kind = person.pop("kind", PlayerKind.MEMBER)
        new = NewPlayer(person=person, kind=kind)
        player = members.add_player(club_id=club_id, new=new, by=ask.by, at=ask.at)
        return _answer(player, ask, location=f"{ask.path}/{player.pk}")


class OnePlayer(Door):
    """One player of a club."""

    @read(Right.CLUB_READ, gives=PlayerOut)
    def get(self, ask: Ask, club_id: UUID, player_id: UUID) -> Answer:
        """Read a player; for a duplicate, the player he turned out to be."""
        return _answer(player_of(ask, player_id), ask)

    @write(Right.PLAYERS_EDIT, takes=CHANGE, gives=PlayerOut, edits=True)
    def patch(self, ask: Ask, club_id: UUID, player_id: UUID) -> Answer:
        """Change a player, or say that he left or came back."""
        player_of(ask, player_id)
        player = members.change_player(
            player_id=player_id, changes=ask.values, version=ask.version, by=ask.by, at=ask.at
        )
        return _answer(player, ask)


class PlayerMerge(Door):
    """Two rows for one player."""

    @write(Right.PLAYERS_EDIT, takes=MERGE, gives=PlayerOut, edits=True)
    def post(self, ask: Ask, club_id: UUID, player_id: UUID) -> Answer:
        """Say that a player is another one; all results are the other's then.

        The answer is the player who remains.
        """
        player_of(ask, player_id)
        player = members.merge_player(
            player_id=player_id,
            into=ask.values["into"],
            version=ask.version,
            by=ask.by,
            at=ask.at,
        )
        return _answer(player, ask)


class PlayerPerson(Door):
    """The person behind a player."""

    @write(Right.PLAYERS_ERASE, gives=PlayerOut, edits=True)
    def delete(self, ask: Ask, club_id: UUID, player_id: UUID) -> Answer:
        """Erase the person: name and contact are gone, results and the trail stay.

        So are names that the player had before, names in records, reasons and notes of the club,
        and the files of its jobs.
        """
        player_of(ask, player_id)
        player = members.erase_person(
            player_id=player_id, version=ask.version, by=ask.by, at=ask.at
        )
        return _answer(player, ask)


def player_of(ask: Ask, player_id: UUID) -> Player:
    """A player of the club in the address. Raises NotThereError."""
    found = selectors.player(ask.club, player_id)
    if found is None:
        raise NotThereError
    return found


def _answer(player: Player, ask: Ask, location: str | None = None) -> Answer:
    return Answer(player_out(player, ask.rights), version=player.version, location=location)


def player_out(player: Player, rights: AbstractSet[Right]) -> PlayerOut:
    """A player as data, for somebody with these rights."""
    person = getattr(player, "person", None)
    contact: Contact | None = None
    if person is not None and Right.PLAYERS_EDIT in rights:
        contact = {"email": person.email, "phone": person.phone, "note": person.note}
    return {
        "id": player.pk,
        "number": player.number,
        "name": selectors.shown_name(player, in_full=Right.NAMES_READ in rights),
        "kind": PlayerKind(player.kind),
        "version": player.version,
        "created_at": player.created_at,
        "left_at": player.left_at,
        "is_erased": person is None,
        "shown": Shown(person.shown) if person and Right.PLAYERS_EDIT in rights else None,
        "contact": contact,
    }
