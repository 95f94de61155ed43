"""Where doors of games stand: what an address names."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring import queries
from scoring.api.seat import SeatAuthentication
from scoring.models import Game, Hand
from tournaments.access import Place, Right
from tournaments.api.doors import Ask, Door


@dataclass(frozen=True, slots=True)
class Table(Place):
    """A game, and the hand of it that the address names."""

    row: Game | None = None
    hand: Hand | None = None


class GameDoor(Door):
    """Doors at a game."""

    authentication_classes = [SeatAuthentication, *Door.authentication_classes]

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        return _table(queries.game(ids["game_id"]), None)


class HandDoor(Door):
    """Doors at a hand."""

    authentication_classes = [SeatAuthentication, *Door.authentication_classes]

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        hand = queries.hand(ids["hand_id"])
        return _table(None if hand is None else hand.game, hand)


class RulingDoor(Door):
    """Doors at a ruling."""

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        hand = queries.ruled_hand(ids["ruling_id"])
        return _table(None if hand is None else hand.game, hand)


def _table(game: Game | None, hand: Hand | None) -> Table:
    if game is None:
        return Table(None)
    return Table(game.club, game.pk, game, hand)


def game_of(ask: Ask) -> Game:
    """The game that an address names."""
    assert isinstance(ask.place, Table)
    assert ask.place.row is not None
    return ask.place.row


def hand_of(ask: Ask) -> Hand:
    """The hand that an address names."""
    assert isinstance(ask.place, Table)
    assert ask.place.hand is not None
    return ask.place.hand


def in_full(ask: Ask) -> bool:
    """Whether he may read names, and what people wrote: as a member, or at this very table."""
    assert ask.place is not None
    is_at_the_table = ask.asker.game is not None and ask.asker.game == ask.place.game
    return is_at_the_table or Right.NAMES_READ in ask.rights
