"""A new hand of an event: its results, their sums and the marks in one statement of PostgreSQL.

It is planned once for a connection, and takes the results as one text: to send, read and plan four
statements of a hundred values takes longer than to do what they say.
"""

import json
from collections.abc import Sequence
from functools import cache
from typing import Final
from uuid import UUID

from django.db import connection

from tournaments.asked import Asked
from tournaments.models import (
    LeagueEvent,
    Result,
    Scope,
    SeatSum,
    Stale,
    TableGame,
    TableSeat,
)

_SUMS: Final = SeatSum._meta.db_table
_FIELDS: Final = [field for field in Result._meta.local_concrete_fields if not field.primary_key]
_NAMES: Final = [(str(field.column), field.attname) for field in _FIELDS]
_COLUMNS: Final = ", ".join(column for column, _ in _NAMES)
_HAND: Final = f"""
    WITH played AS MATERIALIZED (
        SELECT id AS game_id, event_id, table_id, %s AS since
        FROM {TableGame._meta.db_table} WHERE id = %s
    ),
    given AS MATERIALIZED (SELECT * FROM json_to_recordset(%s) AS given ({{kinds}})),
    written AS (
        INSERT INTO {Result._meta.db_table} ({_COLUMNS}) SELECT {_COLUMNS} FROM given
    ),
    added AS (
        INSERT INTO {_SUMS}
            (event_id, game_id, seat, player_id, entry_id, score, hands, clean_hands)
        SELECT p.event_id, p.game_id, r.seat, r.player_id, s.entry_id, SUM(r.score),
            COUNT(*) FILTER (WHERE r.counts),
            COUNT(*) FILTER (WHERE r.taken = 0 AND r.played)
        FROM played p CROSS JOIN given r
        LEFT JOIN {TableSeat._meta.db_table} s ON s.table_id = p.table_id AND s.seat = r.seat
        GROUP BY p.event_id, p.game_id, r.seat, r.player_id, s.entry_id
        ON CONFLICT (game_id, seat, player_id) DO UPDATE SET
            score = {_SUMS}.score + excluded.score,
            hands = {_SUMS}.hands + excluded.hands,
            clean_hands = {_SUMS}.clean_hands + excluded.clean_hands
    )
    INSERT INTO {Stale._meta.db_table} (scope, subject, since)
    SELECT '{Scope.EVENT}', p.event_id, p.since FROM played p
    UNION ALL
    SELECT '{Scope.LEAGUE}', l.league_id, p.since
    FROM played p JOIN {LeagueEvent._meta.db_table} l ON l.event_id = p.event_id
"""


def is_one_statement() -> bool:
    """Whether the database at hand takes it all at once."""
    return connection.vendor == "postgresql"


def write(game: UUID, rows: Sequence[Result], since: str) -> None:
    """Write new results of a game of an event, add them up, and mark what is ranked by them.

    ``since`` is a moment as the database reads it. Raises IntegrityError.
    """
    given = []
    for row in rows:
        told = row.__dict__
        given.append({column: told[name] for column, name in _NAMES if told[name] is not None})
    _hand().do(since, game, json.dumps(given, default=str))


@cache
def _hand() -> Asked:
    kinds = ", ".join(f"{field.column} {field.db_type(connection)}" for field in _FIELDS)
    return Asked(_HAND.format(kinds=kinds), "timestamptz", "uuid", "json")
