"""Summing: what everybody came to in every seat of an event, added up from the results alone."""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from tournaments.asked import Asked, known
from tournaments.models import Player, Result, TableGame

_SUMS: Final = Asked(
    f"""
    SELECT k.game_id, k.seat, COALESCE(p.merged_into_id, p.id), k.score, k.hands, k.clean
    FROM (
        SELECT r.game_id, r.seat, r.player_id, SUM(r.score) AS score,
            SUM(CASE WHEN r.counts THEN 1 ELSE 0 END) AS hands,
            SUM(CASE WHEN r.taken = 0 AND r.played THEN 1 ELSE 0 END) AS clean
        FROM {Result._meta.db_table} r JOIN {TableGame._meta.db_table} g ON g.id = r.game_id
        WHERE g.event_id = %s GROUP BY r.game_id, r.seat, r.player_id
    ) AS k JOIN {Player._meta.db_table} p ON p.id = k.player_id
    """,
    "uuid",
)


def sums_of(event_id: UUID) -> Iterable[tuple[UUID, int, UUID, int, int, int]]:
    """Game, seat, player (not his duplicate), score, hands, clean hands. One query."""
    joined: dict[tuple[UUID, int, UUID], tuple[int, int, int]] = {}
    for game, seat, player, score, hands, clean in _SUMS.rows(event_id):
        key = (known(game), seat, known(player))
        before = joined.get(key, (0, 0, 0))
        joined[key] = (before[0] + score, before[1] + hands, before[2] + clean)
    return [(*key, *value) for key, value in joined.items()]
