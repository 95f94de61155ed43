"""A game at the desk: its hands, who sits where, and what a director may do to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from scoring import queries
from scoring.answers import seats_of
from scoring.models import Game, Hand
from scoring.web.desk.pages import DeskPage
from scoring.web.desk.places import game_of, game_place
from tournaments.access import Place, Right
from tournaments.models import Event
from tournaments.queries import shown_name


@dataclass(frozen=True, slots=True)
class Seated:
    """Who sits in a seat now, since which hand, and what he has."""

    place: int
    seat: str
    name: str
    first: int
    is_entrant: bool


class GamePage(DeskPage):
    """The hands of a table."""

    needs = Right.HANDS_RULE
    template = "desk/game.html"

    def find(self, ids: Mapping[str, Any]) -> Place:
        return game_place(ids)

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """Everything that was entered, the newest first."""
        return self.game_shown()

    def game_shown(self, status: int = 200, **more: Any) -> HttpResponse:
        """The page, perhaps with a form that was refused."""
        game = game_of(self.visit)
        hands = list(queries.hands(game))
        context = {
            "game": game,
            "event": event_of_game(game),
            "hands": sorted(hands, key=lambda hand: (-hand.number, hand.pk.hex)),
            "seated": seated(game),
        }
        return self.shown(context | more, status)


def event_of_game(game: Game) -> Event | None:
    """The event of a table; None for a game of its own."""
    if game.table_id is None:
        return None
    return Event.objects.filter(round_rows__tables=game.table_id).first()


def seated(game: Game) -> list[Seated]:
    """Who sits where now. Two queries."""
    names = seats_of(game)
    rows = game.sittings.filter(last=None).select_related("player__person").order_by("seat")
    return [
        Seated(
            row.seat,
            names[row.seat],
            shown_name(row.player, in_full=True),
            row.first,
            row.is_entrant,
        )
        for row in rows
    ]


def is_open(hand: Hand) -> bool:
    """Whether somebody has to decide on it."""
    return hand.state in ("draft", "disputed")
