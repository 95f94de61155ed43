"""The queries of every hand as SQL text, for the reason that `tournaments.hot_queries` gives.

Each function returns the same as the queryset in its docstring; a test compares the two on both
databases.
"""

from uuid import UUID

from django.db import connection
from django.db.transaction import TransactionManagementError, get_autocommit

from scoring.models import Game, Hand
from tournaments.hot_queries import first_row, uuid_parameter, uuid_value
from tournaments.models import Club

_GAME = "SELECT * FROM scoring_game WHERE id = %s AND removed_at IS NULL"


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


def chip_accounts(game_id: UUID) -> list[tuple[str, int | None, int]]:
    """``LedgerAccount.objects.filter(game=game_id, unit="chips")``: holder, seat and number."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT holder, seat, id FROM scoring_ledgeraccount"
            " WHERE game_id = %s AND unit = 'chips'",
            [uuid_parameter(game_id)],
        )
        found: list[tuple[str, int | None, int]] = cursor.fetchall()
    return found


def sittings(game_id: UUID) -> list[tuple[int, UUID, int, int | None]]:
    """``Sitting.objects.filter(game=game_id)``: seat, player, first and last hand."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT seat, player_id, first, last FROM scoring_sitting WHERE game_id = %s",
            [uuid_parameter(game_id)],
        )
        rows = cursor.fetchall()
    return [(seat, uuid_value(player), first, last) for seat, player, first, last in rows]


def has_webhooks(club_id: UUID) -> bool:
    """``Webhook.objects.filter(club=club_id, stopped_at=None).exists()``."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM scoring_webhook WHERE club_id = %s AND stopped_at IS NULL LIMIT 1",
            [uuid_parameter(club_id)],
        )
        return cursor.fetchone() is not None
