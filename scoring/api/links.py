"""Seat links: made, listed, revoked. A token is shown once."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from scoring.api import forms
from scoring.api.places import GameDoor, game_of
from scoring.games import links
from scoring.games.links import NewSeatLink
from scoring.models import Game, SeatLink
from scoring.presentation.answers import seats_of
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, read, write
from tournaments.api.fields import ListOf, Moment, Text, form
from tournaments.core.errors import NotThereError

WANTED = form(
    seats=ListOf(
        of=Text(most=5, words="A seat, or 'table' for a link of the whole table."), least=1, most=12
    ),
    expires_at=Moment(required=False),
)


class LinkOut(TypedDict):
    """A seat link; ``seat`` is null for one of the whole table."""

    id: UUID
    seat: str | None
    made_at: datetime
    ends_at: datetime
    revoked_at: datetime | None
    used_at: datetime | None


class LinkList(TypedDict):
    """Every link that a game ever had."""

    links: list[LinkOut]


class NewLinks(TypedDict):
    """New links. ``tokens`` are by place, one to a line; they are shown once, then null."""

    links: list[LinkOut]
    tokens: str | None


class Links(GameDoor):
    """The seat links of a game."""

    @read(Right.LINKS_EDIT, gives=LinkList)
    def get(self, ask: Ask, game_id: UUID) -> Answer:
        """List links with their last use, revoked ones too."""
        game = game_of(ask)
        return Answer({"links": [_out(link, game) for link in links.links_of(game)]})

    @write(Right.LINKS_EDIT, takes=WANTED, gives=NewLinks, status=201)
    def post(self, ask: Ask, game_id: UUID) -> Answer:
        """Make a link for each of some seats; what opens them is shown this once."""
        game = game_of(ask)
        seats = [
            None if name == "table" else forms.seat_named(name, game, "seats")
            for name in ask.values["seats"]
        ]
        made = links.make_links(
            game_id=game_id,
            seats=seats,
            by=ask.by,
            at=ask.at,
            expires_at=ask.values.get("expires_at"),
        )
        return Answer(
            {"links": [_out(one.link, game) for one in made], "tokens": None},
            once={"tokens": _tokens(made)},
        )


class OneLink(GameDoor):
    """One seat link."""

    @write(Right.LINKS_EDIT, gives=LinkOut)
    def delete(self, ask: Ask, game_id: UUID, link_id: UUID) -> Answer:
        """Revoke a link, for ever."""
        try:
            link = links.revoke_link(game_id=game_id, link_id=link_id, by=ask.by, at=ask.at)
        except SeatLink.DoesNotExist as error:
            raise NotThereError from error
        return Answer(_out(link, game_of(ask)))


def _tokens(made: list[NewSeatLink]) -> str:
    return "\n".join(one.token for one in made)


def _out(link: SeatLink, game: Game) -> LinkOut:
    return {
        "id": link.pk,
        "seat": None if link.seat is None else seats_of(game)[link.seat],
        "made_at": link.made_at,
        "ends_at": links.ends_at(link),
        "revoked_at": link.revoked_at,
        "used_at": link.used_at,
    }
