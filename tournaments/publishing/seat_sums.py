"""Sums by seat and game, computed by the database from results alone."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce

from tournaments.database.sql import uuid_parameter, uuid_value
from tournaments.models import Result


class SeatSum(NamedTuple):
    """The sum of one player, seen through duplicates, in one seat of a game."""

    seat: int
    player: UUID
    score: int
    hands: int
    clean: int


class GameSums(NamedTuple):
    """The state of a game, and everybody's sums in its seats."""

    phase: str
    is_open: bool
    seats: tuple[SeatSum, ...]


def find_seat_sums(event_id: UUID) -> dict[UUID, tuple[SeatSum, ...]]:
    """Return everybody's sums in the games of an event that have hands. One query."""
    player = Coalesce("player__merged_into_id", "player_id")
    rows = (
        Result.objects.filter(game__event=event_id)
        .values_list("game_id", "seat", player)
        .annotate(
            total=Sum("score"),
            hands=Count("pk", filter=Q(counts=True)),
            clean_hands=Count("pk", filter=Q(taken=0, played=True)),
        )
    )
    found: dict[UUID, list[SeatSum]] = defaultdict(list)
    for game, *sums in rows:
        found[game].append(SeatSum(*sums))
    return {game: tuple(sorted(sums)) for game, sums in found.items()}


def find_seat_sums_of_games(event_id: UUID, games: Collection[UUID]) -> dict[UUID, GameSums]:
    """Return the sums of some games, as far as they belong to an event. One query.

    It comes with every hand, and the ORM takes longer to make it than the database to answer.
    """
    places = ", ".join(["%s"] * len(games))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT g.id, g.phase, g.is_open, r.seat, COALESCE(p.merged_into_id, p.id),"
            " SUM(r.score), COUNT(*) FILTER (WHERE r.counts),"
            " COUNT(*) FILTER (WHERE r.taken = 0 AND r.played)"
            " FROM tournaments_tablegame g"
            " LEFT JOIN tournaments_result r ON r.game_id = g.id"
            " LEFT JOIN tournaments_player p ON p.id = r.player_id"
            f" WHERE g.event_id = %s AND g.id IN ({places})"
            " GROUP BY g.id, g.phase, g.is_open, r.seat, COALESCE(p.merged_into_id, p.id)",
            [uuid_parameter(event_id), *map(uuid_parameter, games)],
        )
        rows = cursor.fetchall()
    stands: dict[Any, tuple[str, bool]] = {}
    found: dict[Any, list[SeatSum]] = defaultdict(list)
    for game, phase, is_open, seat, player, *sums in rows:
        stands[game] = (phase, bool(is_open))
        if seat is not None:
            found[game].append(SeatSum(seat, uuid_value(player), *sums))
    return {
        uuid_value(game): GameSums(*stand, tuple(sorted(found[game])))
        for game, stand in stands.items()
    }
