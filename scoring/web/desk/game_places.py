"""Look up the game or hand in a URL of the desk."""

from collections.abc import Mapping
from typing import Any

from scoring.models import Game, Hand
from scoring.selectors import places, queries
from scoring.selectors.places import GamePlace
from tournaments.access.rights import Place
from tournaments.core.errors import NotThereError
from tournaments.web.desk.sessions import Visit


def game_place(ids: Mapping[str, Any]) -> Place:
    """The game that an address names."""
    return places.game_place(queries.game(ids["game_id"]))


def hand_place(ids: Mapping[str, Any]) -> Place:
    """The hand that an address names, in its game."""
    return places.hand_place(queries.hand(ids["hand_id"]))


def game_of(visit: Visit) -> Game:
    """The game that the address names. Raises NotThereError."""
    if not isinstance(visit.place, GamePlace) or visit.place.row is None:
        raise NotThereError
    return visit.place.row


def hand_of(visit: Visit) -> Hand:
    """The hand that the address names. Raises NotThereError."""
    if not isinstance(visit.place, GamePlace) or visit.place.hand is None:
        raise NotThereError
    return visit.place.hand
