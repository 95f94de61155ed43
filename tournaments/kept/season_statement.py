"""The statement that adds a season up: every value in whole parts of one measure, and so exact.

Both databases understand it. A game is one row with the sums of its seats side by side, so that
places are told by comparing them; nothing is sorted that is longer than the season's lines.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from tournaments.kept.parts import Parts
from tournaments.models import (
    Entry,
    EntryStanding,
    Event,
    LeagueEvent,
    LeagueMember,
    Player,
    Result,
    SeatSum,
    TableGame,
    TableSeat,
)


class Night(NamedTuple):
    """An event of a season: its number there, its scoring by index, and its weight."""

    event: UUID
    number: int
    scoring: int
    weight: Fraction


class Added(NamedTuple):
    """What the director added to the total of an entry."""

    entry: UUID
    amount: Fraction


class Source(Enum):
    """What a season is added up from."""

    SUMS = "sums"
    RESULTS = "results"
    ALL_RESULTS = "all results"
    """All that are there, where most of them are of this season: nothing is looked up."""


class Asking(NamedTuple):
    """What is wanted of a season.

    ``kept`` is how many of a member's ``held`` events count, in SQL, and empty for all of them;
    ``lanes`` how many seats the largest table has.
    """

    kept: str
    low: bool
    lanes: int
    source: Source


class Statement(NamedTuple):
    """SQL that is complete; its answer is in so many parts to a point, and to a weight of one."""

    sql: str
    measure: int
    weight: int


_BASE: Final = 10
"""Scoring, size of the table, place and how many share it are the digits of one number."""
_KEPT: Final = f"""
    SELECT k.game_id, SUM(k.hands) AS hands, {{lanes}}
    FROM {LeagueEvent._meta.db_table} l JOIN {SeatSum._meta.db_table} k ON k.event_id = l.event_id
    WHERE l.league_id = {{league}} GROUP BY k.game_id
"""
_RESULTS: Final = f"""
    SELECT k.game_id, SUM(CASE WHEN k.counts THEN 1 ELSE 0 END) AS hands, {{lanes}}
    FROM {Result._meta.db_table} k
    WHERE k.game_id IN (
        SELECT g.id FROM {LeagueEvent._meta.db_table} l
        JOIN {TableGame._meta.db_table} g ON g.event_id = l.event_id WHERE l.league_id = {{league}}
    ) GROUP BY k.game_id
"""
_ALL_RESULTS: Final = f"""
    SELECT k.game_id, SUM(CASE WHEN k.counts THEN 1 ELSE 0 END) AS hands, {{lanes}}
    FROM {Result._meta.db_table} k
    GROUP BY k.game_id
"""
_SEASON: Final = f"""
WITH
worth (place, points, score, pool) AS (VALUES {{worth}}),
nights (event_id, number, weight, scoring, sign, least, hands) AS (VALUES {{nights}}),
sums AS MATERIALIZED ({{sums}}),
games AS MATERIALIZED (
    SELECT g.table_id, n.scoring, {{signed}}, {{size}} AS size, {{pool}} AS pool
    FROM nights n
    JOIN {TableGame._meta.db_table} g ON g.event_id = n.event_id
    JOIN sums x ON x.game_id = g.id
    WHERE x.hands * n.hands >= n.least * {{size}}
),
placed AS (
    SELECT s.entry_id, g.pool, CASE s.seat {{own}} END AS mine,
        {_BASE} * ({_BASE} * {_BASE} * g.scoring + {_BASE} * g.size + 1)
            + CASE s.seat {{place}} END AS place
    FROM games g JOIN {TableSeat._meta.db_table} s ON s.table_id = g.table_id
),
gained AS (
    SELECT b.entry_id, SUM(w.points + w.score * b.mine + w.pool * b.pool) AS value,
        COUNT(*) AS games
    FROM placed b JOIN worth w ON w.place = b.place GROUP BY b.entry_id
    {{added}}
),
lines AS (
    SELECT e.event_id, COALESCE(p.merged_into_id, p.id) AS player_id,
        SUM(i.value) AS value, SUM(i.games) AS games
    FROM gained i
    JOIN {Entry._meta.db_table} e ON e.id = i.entry_id
    JOIN {Event._meta.db_table} v ON v.id = e.event_id
    JOIN {Player._meta.db_table} p ON p.id = e.player_id
    WHERE e.standing = '{EntryStanding.PLAYER}' OR (
        e.standing = '{EntryStanding.GUEST}' AND v.rank_guests AND EXISTS (
            SELECT 1 FROM {LeagueMember._meta.db_table} r
            JOIN {Player._meta.db_table} q ON q.id = r.player_id
            WHERE r.league_id = {{league}}
                AND COALESCE(q.merged_into_id, q.id) = COALESCE(p.merged_into_id, p.id)
        )
    )
    GROUP BY e.event_id, COALESCE(p.merged_into_id, p.id)
    HAVING SUM(i.games) > 0
),
weighed AS (
    SELECT l.player_id, l.games, l.value * n.weight AS value, n.weight, n.number
    FROM lines l JOIN nights n ON n.event_id = l.event_id
)
SELECT CAST(player_id AS text), SUM({{value}}), SUM({{weight}}), COUNT(*), SUM(games)
FROM {{chosen}} GROUP BY player_id
"""
_SUMS: Final = {
    Source.SUMS: _KEPT,
    Source.RESULTS: _RESULTS,
    Source.ALL_RESULTS: _ALL_RESULTS,
}
_ADDED: Final = "UNION ALL SELECT * FROM (VALUES {}) AS given"
_MEASURE_MOST: Final = 10**9
_CHOSEN: Final = """(
    SELECT weighed.*, COUNT(*) OVER (PARTITION BY player_id) AS held, ROW_NUMBER() OVER (
        PARTITION BY player_id ORDER BY value {best}, number) AS position
    FROM weighed
) AS ordered"""


def statement(
    league: UUID,
    nights: Sequence[Night],
    scorings: Sequence[Parts],
    added: Sequence[Added],
    asked: Asking,
) -> Statement | None:
    """The statement for a season; None where its numbers would be longer than the database's."""
    measure = lcm(*(one.measure for one in scorings), *(one.amount.denominator for one in added))
    weight = lcm(*(one.weight.denominator for one in nights))
    if measure * weight > _MEASURE_MOST:
        return None
    seats = range(asked.lanes)
    chosen = f"CASE WHEN position <= {asked.kept} THEN {{}} ELSE 0 END" if asked.kept else "{}"
    best = "ASC" if asked.low else "DESC"
    sql = _SEASON.format(
        worth=", ".join(_worth(scorings, measure)),
        nights=", ".join(_nights(nights, scorings, weight)),
        sums=_SUMS[asked.source].format(lanes=_lanes(seats), league=_written(league)),
        league=_written(league),
        signed=", ".join(f"n.sign * x.s{seat} AS s{seat}" for seat in seats),
        size=f"({_sum(f'(CASE WHEN x.s{seat} IS NULL THEN 0 ELSE 1 END)' for seat in seats)})",
        pool=f"n.sign * ({_sum(f'COALESCE(x.s{seat}, 0)' for seat in seats)})",
        own=" ".join(f"WHEN {seat} THEN g.s{seat}" for seat in seats),
        place=" ".join(f"WHEN {seat} THEN {_place(seat, seats)}" for seat in seats),
        added=_ADDED.format(", ".join(_gifts(added, measure))) if added else "",
        value=chosen.format("value"),
        weight=chosen.format("weight"),
        chosen=_CHOSEN.format(best=best) if asked.kept else "weighed",
    )
    return Statement(sql, measure, weight)


def _nights(nights: Sequence[Night], scorings: Sequence[Parts], weight: int) -> Iterator[str]:
    """Of each its scoring's sign, and how many hands count: a part ``least / hands`` of a hand."""
    for one in nights:
        scoring = scorings[one.scoring]
        least = scoring.least * scoring.planned
        numbers = (
            one.number,
            int(one.weight * weight),
            one.scoring,
            -1 if scoring.low else 1,
            least.numerator,
            least.denominator,
        )
        yield f"({_written(one.event)}, {', '.join(map(str, numbers))})"


def _gifts(added: Sequence[Added], measure: int) -> Iterator[str]:
    for gift in added:
        yield f"({_written(gift.entry)}, {int(gift.amount * measure)}, 0)"


def _written(number: UUID) -> str:
    """An identifier as it stands in SQL: it has no sign but digits, letters to f, and hyphens.

    A statement with hundreds of values would take longer to be filled in than to be answered.
    """
    return f"CAST('{number}' AS uuid)" if connection.vendor == "postgresql" else f"'{number.hex}'"


def _worth(scorings: Sequence[Parts], measure: int) -> Iterator[str]:
    for number, scoring in enumerate(scorings):
        for one in scoring.points:
            place = _BASE * (_BASE * (_BASE * number + one.size) + one.place) + one.tied
            parts = (int(value * measure) for value in (one.points, one.score, one.pool))
            yield str((place, *parts))


def _lanes(seats: Iterable[int]) -> str:
    return ", ".join(f"SUM(k.score) FILTER (WHERE k.seat = {seat}) AS s{seat}" for seat in seats)


def _place(seat: int, seats: Iterable[int]) -> str:
    """How many are ahead of a seat, and how many level with it, as digits."""
    return _sum(
        f"(CASE WHEN g.s{other} > g.s{seat} THEN {_BASE} WHEN g.s{other} = g.s{seat} THEN 1"
        " ELSE 0 END)"
        for other in seats
    )


def _sum(terms: Iterable[str]) -> str:
    return " + ".join(terms)
