"""The place of a game or hand, at which rights are checked."""

from dataclasses import dataclass
from uuid import UUID

from scoring.models import Game, Hand
from scoring.selectors import queries
from tournaments.access.rights import Place
from tournaments.access.visibility import sheets_of_event


@dataclass(frozen=True, slots=True)
class GamePlace(Place):
    """A game of a club, and perhaps a hand of it. Whether its event is hidden is one query."""

    row: Game | None = None
    hand: Hand | None = None

    @property
    def is_hidden(self) -> bool:
        return self.row is not None and queries.is_hidden(self.row)

    @property
    def sheets(self) -> frozenset[UUID]:
        event = None if self.row is None else queries.event_of(self.row)
        return frozenset() if event is None else sheets_of_event(event)


def game_place(game: Game | None) -> Place:
    """Return the place of a game, read with its club."""
    return Place(None) if game is None else GamePlace(game.club, game.pk, game)


def hand_place(hand: Hand | None) -> Place:
    """Return the place of a hand, read with its game and its club."""
    if hand is None:
        return Place(None)
    return GamePlace(hand.game.club, hand.game_id, hand.game, hand)
