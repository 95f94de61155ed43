"""Games and hands as a request finds them: with their club, locked, as a place of rights."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import connection
from django.db.transaction import TransactionManagementError, get_autocommit

from scoring.models import Game, Hand
from scoring.selectors import queries
from tournaments.access.rights import Place
from tournaments.access.visibility import sheets_of_event
from tournaments.database.sql import first_row, uuid_parameter
from tournaments.models import Club

_GAME: Final = "SELECT * FROM scoring_game WHERE id = %s AND removed_at IS NULL"


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


def find_game_with_club(game_id: UUID) -> Game | None:
    """``Game.objects.select_related("club").filter(pk=game_id).first()``.

    Two queries all the same: a raw query reads one model.
    """
    game = first_row(Game.all_objects.raw(_GAME, [uuid_parameter(game_id)]))
    if game is not None:
        club = Club.objects.raw(
            "SELECT * FROM tournaments_club WHERE id = %s", [uuid_parameter(game.club_id)]
        )
        game.club = club[0]
    return game


def lock_game(game_id: UUID) -> Game | None:
    """``Game.objects.select_for_update(no_key=True).filter(pk=game_id).first()``.

    Raises TransactionManagementError outside a transaction.
    """
    if get_autocommit():
        raise TransactionManagementError("A row is locked inside a transaction only.")
    lock = " FOR NO KEY UPDATE" if connection.features.has_select_for_no_key_update else ""
    return first_row(Game.all_objects.raw(_GAME + lock, [uuid_parameter(game_id)]))


def hands_at_and_after(game_id: UUID, number: int, hand_id: UUID) -> list[Hand]:
    """The first records of a game's hands from ``number`` on, and the hand with this id.

    ``Hand.objects.filter(Q(game=game_id, number__gte=number, rival=None) | Q(pk=hand_id))``, by
    number.
    """
    return list(
        Hand.objects.raw(
            "SELECT * FROM scoring_hand"
            " WHERE (game_id = %s AND number >= %s AND rival_id IS NULL) OR id = %s"
            " ORDER BY number",
            [uuid_parameter(game_id), number, uuid_parameter(hand_id)],
        )
    )
