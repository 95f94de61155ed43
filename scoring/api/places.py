"""Base views for games, hands and rulings, which look up the object in the URL."""

from collections.abc import Mapping
from typing import Any

from scoring.api.seat import SeatAuthentication
from scoring.models import Game, Hand
from scoring.selectors import queries
from scoring.selectors.places import GamePlace, game_place, hand_place
from tournaments.access.rights import Place, Right
from tournaments.api.doors import Ask, Door


class GameDoor(Door):
    """Doors at a game."""

    authentication_classes = [SeatAuthentication, *Door.authentication_classes]

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        return game_place(queries.game(ids["game_id"]))


class HandDoor(Door):
    """Doors at a hand."""

    authentication_classes = [SeatAuthentication, *Door.authentication_classes]

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        return hand_place(queries.hand(ids["hand_id"]))


class RulingDoor(Door):
    """Doors at a ruling."""

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        return hand_place(queries.ruled_hand(ids["ruling_id"]))


def game_of(ask: Ask) -> Game:
    """The game that an address names."""
    assert isinstance(ask.place, GamePlace)
    assert ask.place.row is not None
    return ask.place.row


def hand_of(ask: Ask) -> Hand:
    """The hand that an address names."""
    assert isinstance(ask.place, GamePlace)
    assert ask.place.hand is not None
    return ask.place.hand


def in_full(ask: Ask) -> bool:
    """Whether he may read names, and what people wrote: as a member, or at this very table."""
    assert ask.place is not None
    is_at_the_table = ask.asker.game is not None and ask.asker.game == ask.place.game
    return is_at_the_table or Right.NAMES_READ in ask.rights
