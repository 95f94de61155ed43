"""Rights: the asker of a request, what each role may do, and what each may see.

One table, RIGHTS, says it all. Whoever may not know of a club gets the same answer as for a club
that does not exist; what a public club hides (`tournaments.access.visibility`) is as all of a
private one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef

from engine.core.messages import Message
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import (
    NotAllowedError,
    NotSignedInError,
    NotThereError,
    SecondFactorNeededError,
)
from tournaments.models import Account, Club, Role, SecondFactor


class Right(StrEnum):
    """A word for something that somebody may do in a club; the scopes of keys are such words."""

    CLUB_READ = "club.read"
    CLUB_EDIT = "club.edit"
    NAMES_READ = "names.read"
    """Names in full; without it a first name and an initial."""
    PLAYERS_EDIT = "players.edit"
    """Add and change players, and see how to reach them."""
    PLAYERS_ERASE = "players.erase"
    """Remove a person's name for ever."""
    RULES_EDIT = "rules.edit"
    ROLES_READ = "roles.read"
    ROLES_EDIT = "roles.edit"
    KEYS_EDIT = "keys.edit"
    MONEY_READ = "money.read"
    MONEY_EDIT = "money.edit"
    EVENTS_EDIT = "events.edit"
    """Set up events, check people in, seat them, adjust scores."""
    LEAGUES_EDIT = "leagues.edit"
    EXPORTS_MAKE = "exports.make"
    """Take the club's data away, people and books included."""
    IMPORTS_MAKE = "imports.make"
    GAMES_OPEN = "games.open"
    HANDS_ENTER = "hands.enter"
    HANDS_CONFIRM = "hands.confirm"
    HANDS_RULE = "hands.rule"
    HANDS_CORRECT = "hands.correct"
    LINKS_EDIT = "links.edit"
    WEBHOOKS_EDIT = "webhooks.edit"
    AUDIT_READ = "audit.read"


class RoleInClub(StrEnum):
    """Roles in a club; a visitor and a phone with a seat link have none."""

    VISITOR = "visitor"
    SCORER = "scorer"
    PLAYER = "player"
    DIRECTOR = "director"
    TREASURER = "treasurer"
    ADMIN = "admin"
    FEDERATION = "federation"


_MEMBER: Final = frozenset({Right.CLUB_READ, Right.NAMES_READ})
_TABLE: Final = frozenset({Right.HANDS_ENTER, Right.HANDS_CONFIRM})

RIGHTS: Final[Mapping[RoleInClub, frozenset[Right]]] = {
    # Of a public club; a private one, and what a public one hides, does not exist for them.
    RoleInClub.VISITOR: frozenset({Right.CLUB_READ}),
    # In the one game of their link.
    RoleInClub.SCORER: frozenset({Right.CLUB_READ}) | _TABLE,
    RoleInClub.PLAYER: _MEMBER,
    RoleInClub.DIRECTOR: _MEMBER
    | _TABLE
    | {
        Right.PLAYERS_EDIT,
        Right.EVENTS_EDIT,
        Right.LEAGUES_EDIT,
        Right.GAMES_OPEN,
        Right.HANDS_RULE,
        Right.HANDS_CORRECT,
        Right.LINKS_EDIT,
        Right.MONEY_READ,
    },
    RoleInClub.TREASURER: _MEMBER | {Right.MONEY_READ, Right.MONEY_EDIT},
    RoleInClub.ADMIN: frozenset(Right),
    # Looks everywhere, helps a club that lost its admin, and plays in none.
    RoleInClub.FEDERATION: _MEMBER
    | {Right.ROLES_READ, Right.ROLES_EDIT, Right.MONEY_READ, Right.AUDIT_READ},
}
"""The one table of what each may do."""

NOT_FOR_KEYS: Final = frozenset({Right.ROLES_EDIT, Right.KEYS_EDIT})
"""A program that could give rights would outlive every revocation."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Somebody who asks. ``roles`` by club, under None those of the federation.

    ``scopes`` limit a program's key; ``game`` is the one that a seat link opens. Of keys and links
    no second factor is asked.
    """

    actor: Actor
    roles: Mapping[UUID | None, frozenset[RoleInClub]] = field(default_factory=dict)
    scopes: frozenset[Right] | None = None
    game: UUID | None = None
    has_second_factor: bool = True

    @classmethod
    def of_account(cls, account: Account, source: Source) -> "Asker":
        """Return somebody who signed in, with their roles. One query."""
        roles: dict[UUID | None, set[RoleInClub]] = {}
        has_second_factor = False
        shown = Exists(SecondFactor.objects.filter(account=OuterRef("account")))
        rows = Role.objects.filter(account=account).values_list("club_id", "kind", shown)
        for club, kind, has_factor in rows:
            roles.setdefault(club, set()).add(RoleInClub(kind))
            has_second_factor = has_factor
        actor = Actor(ActorKind.PERSON, source, account.pk)
        held = {club: frozenset(parts) for club, parts in roles.items()}
        return cls(actor, held, has_second_factor=has_second_factor)

    @property
    def is_visitor(self) -> bool:
        """Nobody in particular."""
        return self.actor.id is None and self.actor.kind is ActorKind.PERSON


VISITOR: Final = Asker(Actor(ActorKind.PERSON, Source.API))


@dataclass(frozen=True, slots=True)
class Place:
    """The place that is asked about: a club, and perhaps one game of it. None: there is none."""

    club: Club | None
    game: UUID | None = None

    @property
    def is_hidden(self) -> bool:
        """Whether strangers may not know of it even in a public club; kinds of places say so."""
        return False

    @property
    def is_open(self) -> bool:
        """Whether strangers may look."""
        return self.club is not None and self.club.is_public and not self.is_hidden

    @property
    def sheets(self) -> frozenset[UUID]:
        """The events and leagues whose printed sheets open the place; kinds of places say so."""
        return frozenset()


def rights_in(asker: Asker, place: Place) -> frozenset[Right]:
    """All that somebody may do there; empty where they may not know of the place."""
    if place.club is None:
        return frozenset()
    held, everybodys = _rights_in_club(asker, place), RIGHTS[RoleInClub.VISITOR]
    # Whether something is hidden is looked up for strangers alone.
    return held | everybodys if not everybodys <= held and place.is_open else held


def sees_hidden(asker: Asker, place: Place) -> bool:
    """Whether somebody may know of what is hidden there: whoever may know of a private club."""
    return place.club is not None and Right.CLUB_READ in _rights_in_club(asker, place)


def _rights_in_club(asker: Asker, place: Place) -> frozenset[Right]:
    """Return the rights of one of the club's people."""
    held = frozenset().union(*(RIGHTS[part] for part in _parts(asker, place)))
    return held if asker.scopes is None else held & asker.scopes


def _parts(asker: Asker, place: Place) -> frozenset[RoleInClub]:
    assert place.club is not None
    parts = asker.roles.get(place.club.pk, frozenset()) | asker.roles.get(None, frozenset())
    if asker.game is not None and asker.game == place.game:
        parts |= {RoleInClub.SCORER}
    return frozenset() if _lacks_second_factor(asker, place.club) else parts


def _lacks_second_factor(asker: Asker, club: Club) -> bool:
    """Whether somebody is an admin of a club that asks its admins for more than a password."""
    if asker.has_second_factor or not club.admins_need_second_factor:
        return False
    held = asker.roles.get(club.pk, frozenset()) | asker.roles.get(None, frozenset())
    return not held.isdisjoint({RoleInClub.ADMIN, RoleInClub.FEDERATION})


def admit(asker: Asker, place: Place, right: Right) -> frozenset[Right]:
    """Return the rights there, if ``right`` is among them.

    Raises NotThereError where they may not even know of the place, SecondFactorNeededError where
    the club asks for one, else NotSignedInError or NotAllowedError.
    """
    rights = rights_in(asker, place)
    if right in rights:
        return rights
    if place.club is not None and _lacks_second_factor(asker, place.club):
        raise SecondFactorNeededError
    if place.club is None or not (_parts(asker, place) or place.is_open):
        raise NotThereError
    if asker.is_visitor:
        raise NotSignedInError
    raise NotAllowedError(Message("You need the right {right} for this.", right=right))
