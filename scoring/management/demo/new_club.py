"""The club before its first night: an admin, players and rule sets of all systems."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from engine.core.messages import Message
from scoring.management.demo.random_choices import Chance
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import ConflictError, RefusedError
from tournaments.models import Club, PlayerKind
from tournaments.models.limits import max_length
from tournaments.people import accounts
from tournaments.people.accounts import NewAccount
from tournaments.people.clubs import create_club
from tournaments.people.members import NewPlayer, add_player
from tournaments.people.rule_sets import HouseRules, make_rule_set

NAME_MAX: Final = max_length(Club, "name")
_PASSWORD_BYTES: Final = 15

POT: Final = HouseRules(
    name="Friday pot",
    preset="bicycle",
    overrides={"starting_chips": "100", "buy_in": "1000", "currency": "EUR"},
    keeps_jackpot=True,
)
AVERAGE: Final = HouseRules(
    name="Average for five",
    preset="hoyle_hearts",
    overrides={"unit": "10", "currency": "EUR"},
)
RISING: Final = HouseRules(name="Rising bids", preset="hoyle_auction")
SHORT_STACKS: Final = HouseRules(
    name="Rising bids, short stacks",
    preset="hoyle_auction",
    overrides={"starting_chips": "20"},
)
INSURED: Final = HouseRules(name="Insured", preset="insurance")
SAHARA: Final = HouseRules(
    name="Winner takes all",
    preset="sahara",
    overrides={"ante": "200", "currency": "EUR", "limit": "60"},
)
RULES: Final = (POT, AVERAGE, RISING, SHORT_STACKS, INSURED, SAHARA)

MEMBERS: Final = (
    *("Adams, Nora", "Baker, Edward", "Clark, Sue", "de Vries, Wim", "Eriksen, Liv"),
    *("Fischer, Karl", "García, Inés", "Haddad, Samir", "Ito, Kenji", "Jansen, Anna"),
    *("Jansen, Anna", "Kowalska, Ewa", "Łukasik, Jan", "Moreau, Claire", "Nowak, Piotr"),
)
"""Two of them have one name."""
GUESTS: Final = ("O'Neill, Sean", "Petersen, Bo", "K. Ito")
"""The last one turns out to be a member whom somebody wrote down again."""
VISITOR: Final = "Quist, Maja"


@dataclass(frozen=True, slots=True)
class DemoAccount:
    """Credentials to sign in with; the password is kept nowhere."""

    email: str
    password: str


@dataclass(frozen=True, slots=True)
class Founded:
    """A club that has not played yet: who runs it, players by number, house rules by name.

    ``players`` are in the order of their numbers, from 0.
    """

    club: UUID
    name: str
    chance: Chance
    director: Actor
    sign_in: DemoAccount
    players: tuple[UUID, ...]
    rules: Mapping[str, UUID]


def found_demo_club(chance: Chance, name: str) -> Founded:
    """Found the club some days before its first night.

    Raises ConflictError where the club of this seed is there already, RefusedError for a name
    that no club has.
    """
    if not name.strip() or len(name) > NAME_MAX or not name.isprintable():
        raise RefusedError(Message("A club's name has 1 to {most} letters.", most=NAME_MAX), "name")
    at = chance.night(1) - timedelta(days=9)
    sign_in = DemoAccount(f"demo-{chance.seed}@example.org", secrets.token_urlsafe(_PASSWORD_BYTES))
    new = NewAccount(email=sign_in.email, name="Demo Admin", password=sign_in.password)
    try:
        account = accounts.make_account(new=new, at=at)
    except ConflictError as error:
        words = Message(
            "The demo club of seed {seed} is here already; take another --seed.", seed=chance.seed
        )
        raise ConflictError(words, "seed") from error
    admin = Actor(ActorKind.PERSON, Source.COMMAND, account.pk)
    club = create_club(new={"name": name, "is_public": True}, by=admin, at=at)
    director = Actor(ActorKind.PERSON, Source.PAGE, account.pk)
    return Founded(
        club=club.pk,
        name=name,
        chance=chance,
        director=director,
        sign_in=sign_in,
        players=_players(club.pk, director, at),
        rules=_rules(club.pk, director, at),
    )


def _players(club: UUID, by: Actor, at: datetime) -> tuple[UUID, ...]:
    kinds = [(name, PlayerKind.MEMBER) for name in MEMBERS]
    kinds += [(name, PlayerKind.GUEST) for name in GUESTS]
    kinds.append((VISITOR, PlayerKind.VISITOR))
    found = []
    for minutes, (name, kind) in enumerate(kinds):
        new = NewPlayer(person={"name": name}, kind=kind)
        player = add_player(club_id=club, new=new, by=by, at=at + timedelta(minutes=minutes + 1))
        found.append(player.pk)
    return tuple(found)


def _rules(club: UUID, by: Actor, at: datetime) -> dict[str, UUID]:
    at += timedelta(hours=1)
    return {rules.name: make_rule_set(club_id=club, new=rules, by=by, at=at).pk for rules in RULES}
