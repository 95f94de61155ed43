"""Where pages of games and hands stand: what an address names."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring import queries
from scoring.models import Game, Hand
from scoring.web.desk.visits import Visit
from tournaments.access import Place
from tournaments.refusals import NotThereError


@dataclass(frozen=True, slots=True)
class TablePlace(Place):
    """A game of a club, and perhaps a hand of it."""

    row: Game | None = None
    hand: Hand | None = None


def game_place(ids: Mapping[str, Any]) -> Place:
    """The game that an address names."""
    game = queries.game(ids["game_id"])
    return Place(None) if game is None else TablePlace(game.club, game.pk, game)


def hand_place(ids: Mapping[str, Any]) -> Place:
    """The hand that an address names, in its game."""
    hand = queries.hand(ids["hand_id"])
    if hand is None:
        return Place(None)
    return TablePlace(hand.game.club, hand.game_id, hand.game, hand)


def game_of(visit: Visit) -> Game:
    """The game that the address names. Raises NotThereError."""
    if not isinstance(visit.place, TablePlace) or visit.place.row is None:
        raise NotThereError
    return visit.place.row


def hand_of(visit: Visit) -> Hand:
    """The hand that the address names. Raises NotThereError."""
    if not isinstance(visit.place, TablePlace) or visit.place.hand is None:
        raise NotThereError
    return visit.place.hand
