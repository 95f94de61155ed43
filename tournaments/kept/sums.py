"""Sums: what everybody came to in every seat of the games of an event, kept in step with results.

A new hand is added to them; a game that was settled anew has its sums made anew. Both happen under
the lock of the game, which is the lock of its sums too: nobody waits for another table's.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import connection

from tournaments.asked import key, known
from tournaments.models import Result, SeatSum, TableGame, TableSeat

_SUMS: Final = SeatSum._meta.db_table
_RESULTS: Final = Result._meta.db_table
_GAMES: Final = TableGame._meta.db_table
_SEATS: Final = TableSeat._meta.db_table

_COLUMNS: Final = "event_id, game_id, seat, player_id, entry_id, score, hands, clean_hands"
_ADD: Final = f"""
    INSERT INTO {_SUMS} ({_COLUMNS}) VALUES {{places}}
    ON CONFLICT (game_id, seat, player_id) DO UPDATE SET
        score = {_SUMS}.score + excluded.score,
        hands = {_SUMS}.hands + excluded.hands,
        clean_hands = {_SUMS}.clean_hands + excluded.clean_hands
"""
_PLACE: Final = f"""(
    (SELECT event_id FROM {_GAMES} WHERE id = %s), %s, %s, %s,
    (SELECT s.entry_id FROM {_GAMES} g JOIN {_SEATS} s ON s.table_id = g.table_id
        WHERE g.id = %s AND s.seat = %s),
    %s, %s, %s
)"""
_ADDED_UP: Final = f"""
    SELECT g.event_id, r.game_id, r.seat, r.player_id, s.entry_id,
        SUM(r.score) AS score, SUM(CASE WHEN r.counts THEN 1 ELSE 0 END) AS hands,
        SUM(CASE WHEN r.taken = 0 AND r.played THEN 1 ELSE 0 END) AS clean_hands
    FROM {_RESULTS} r JOIN {_GAMES} g ON g.id = r.game_id
    LEFT JOIN {_SEATS} s ON s.table_id = g.table_id AND s.seat = r.seat
    WHERE {{which}}
    GROUP BY g.event_id, r.game_id, r.seat, r.player_id, s.entry_id
"""
_MAKE: Final = f"INSERT INTO {_SUMS} ({_COLUMNS}) {_ADDED_UP}"
_EMPTY: Final = f"DELETE FROM {_SUMS} WHERE {{which}}"
_OF_GAME: Final = "g.event_id IS NOT NULL AND r.game_id = %s"
_OF_CLUB: Final = "g.event_id IS NOT NULL AND g.club_id = %s"
_OF_EVENT: Final = "g.event_id = %s"
_DIFFERING: Final = f"""
    SELECT game_id, seat, SUM(score), SUM(hands), SUM(clean_hands) FROM (
        SELECT {_COLUMNS} FROM {_SUMS} WHERE event_id = %s
        UNION ALL
        SELECT event_id, game_id, seat, player_id, entry_id, -score, -hands, -clean_hands
        FROM ({_ADDED_UP.format(which=_OF_EVENT)}) AS right_ones
    ) AS both_ways
    GROUP BY event_id, game_id, seat, player_id, entry_id
    HAVING SUM(score) <> 0 OR SUM(hands) <> 0 OR SUM(clean_hands) <> 0
    ORDER BY game_id, seat
"""


def add(rows: Iterable[Result]) -> None:
    """Add new results of games of an event. One statement."""
    sums: dict[tuple[UUID, int, UUID], list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        found = sums[row.game_id, row.seat, row.player_id]
        found[0] += row.score
        found[1] += row.counts
        found[2] += row.taken == 0 and row.played
    if not sums:
        return
    values: list[Any] = []
    for (game, seat, player), added in sorted(sums.items()):
        values += [key(game), key(game), seat, key(player), key(game), seat, *added]
    _run(_ADD.format(places=", ".join([_PLACE] * len(sums))), values)


def renew(game: UUID) -> None:
    """Make the sums of a game anew, whatever they were. Two statements."""
    _run(_EMPTY.format(which="game_id = %s"), [key(game)])
    _run(_MAKE.format(which=_OF_GAME), [key(game)])


def renew_all(club: UUID) -> None:
    """Make the sums of all games of a club anew; the caller lets nobody play meanwhile."""
    games = f"game_id IN (SELECT id FROM {_GAMES} WHERE club_id = %s)"
    _run(_EMPTY.format(which=games), [key(club)])
    _run(_MAKE.format(which=_OF_CLUB), [key(club)])


def differing(event: UUID) -> list[tuple[UUID, int, int, int, int]]:
    """Where sums are not those of the results: game, seat, and by how much each is too high.

    Score, hands and clean hands. One query.
    """
    with connection.cursor() as cursor:
        cursor.execute(_DIFFERING, [key(event), key(event)])
        return [(known(game), *map(int, rest)) for game, *rest in cursor.fetchall()]  # type: ignore[misc]


def _run(statement: str, values: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
