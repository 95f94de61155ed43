"""A season as the database tells it in one moment: its settings, its roll and the events held.

An event that was published and is not behind goes by the digest of its standings; one that is
behind is told by the sums of its seats (`tournaments.kept.added_up`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from json import loads
from typing import Any, Final, NamedTuple
from uuid import UUID

from tournaments.asked import Asked, shown
from tournaments.kept.added_up import TOLD, Told
from tournaments.models import (
    Event,
    League,
    LeagueEvent,
    LeagueMember,
    Player,
    Published,
    Scope,
    Snapshot,
    Stale,
    Status,
)
from tournaments.standings.exact import Exact, plain
from tournaments.standings.program import PROGRAM
from tournaments.standings.season import Season
from tournaments.standings.settings import exact

_BEHIND_MOST: Final = 3
"""With more events behind, the database adds them up itself."""
_ROLL: Final = f"""
    (SELECT STRING_AGG(CAST(COALESCE(p.merged_into_id, p.id) AS text) || ',' || m.division || ','
        || m.opening || ',' || m.opening_events || ',' || m.place || ','
        || CASE WHEN m.withdrawn_at IS NULL THEN '' ELSE 'withdrawn' END, ';')
    FROM (SELECT k.*, ROW_NUMBER() OVER (ORDER BY k.joined_at, k.id) AS place
        FROM {LeagueMember._meta.db_table} k WHERE k.league_id = l.id) m
    JOIN {Player._meta.db_table} p ON p.id = m.player_id)
"""
_NOTHING: Final = """
    CAST(NULL AS text), CAST(NULL AS integer), CAST(NULL AS integer), CAST(NULL AS integer),
    CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS integer)
"""
_BEHIND: Final = "(SELECT COUNT(*) FROM held b WHERE b.digest IS NULL)"
_SEASON: Final = Asked(
    f"""
    WITH held AS MATERIALIZED (
        SELECT s.event_id, s.number, s.division, s.weight, n.id AS snapshot,
            CASE WHEN EXISTS (SELECT 1 FROM {Stale._meta.db_table} t
                WHERE t.scope = '{Scope.EVENT}' AND t.subject = s.event_id)
            THEN NULL ELSE n.digest END AS digest
        FROM {LeagueEvent._meta.db_table} s
        JOIN {Event._meta.db_table} v ON v.id = s.event_id AND v.status <> '{Status.PLANNED}'
        LEFT JOIN {Published._meta.db_table} b
            ON b.scope = '{Scope.EVENT}' AND b.subject = s.event_id
        LEFT JOIN {Snapshot._meta.db_table} n
            ON n.published_id = b.id AND n.version = b.version AND n.program = '{PROGRAM}'
        WHERE s.league_id = %s
    )
    SELECT l.planned, CASE WHEN l.is_open THEN 1 ELSE 0 END, {_ROLL}, {_BEHIND},
        CAST(NULL AS text), CAST(l.season AS text), CAST(NULL AS integer), CAST(NULL AS integer),
        CAST(NULL AS integer), CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text),
        CAST(NULL AS integer)
    FROM {League._meta.db_table} l WHERE l.id = %s
    UNION ALL
    SELECT h.number, h.division, h.weight, h.snapshot, h.digest, {_NOTHING}
    FROM held h WHERE h.digest IS NOT NULL
    UNION ALL
    SELECT h.number, h.division, h.weight, NULL, NULL, {TOLD}
    FROM held h JOIN {Event._meta.db_table} v ON v.id = h.event_id
    WHERE h.digest IS NULL AND {_BEHIND} <= {_BEHIND_MOST}
    """,
    "uuid",
    "uuid",
)


class Place(NamedTuple):
    """A place on the roll: the number of a division, and what was brought into the season.

    ``is_withdrawn``: no rank, but the results stay.
    """

    division: int
    opening: Exact
    opening_events: int
    is_withdrawn: bool = False


class Settled(NamedTuple):
    """An event as it was published: the digest of its standings, and which snapshot has them."""

    number: int
    weight: Exact
    digest: str
    snapshot: int


class Open(NamedTuple):
    """An event of which something is not published yet."""

    number: int
    weight: Exact
    told: Told


class Played(NamedTuple):
    """What a member played; ``value`` and ``weight`` are those of the events that count."""

    value: Exact
    weight: Exact
    events: int
    games: int


@dataclass(frozen=True, slots=True)
class Held:
    """A season; ``is_long`` where more events are behind than are told one by one: none is then.

    The roll goes by who it is once duplicates are seen through.
    """

    season: Season
    is_open: bool
    roll: Mapping[str, Place]
    settled: tuple[Settled, ...]
    behind: Sequence[Open]
    has_divided: bool
    is_long: bool

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the events that are told."""
        settled = [one.number for one in self.settled]
        return tuple(sorted([*settled, *(one.number for one in self.behind)]))


def held(league_id: UUID) -> Held:
    """A season. One query. Raises League.DoesNotExist."""
    rows = _SEASON.rows(league_id, league_id)
    if not rows:
        raise League.DoesNotExist
    (planned, is_open, roll, behind, _, settings, *_), *events = rows
    return Held(
        season=_season(settings, planned),
        is_open=bool(is_open),
        roll=_roll(roll or ""),
        settled=tuple(sorted(_settled(row) for row in events if row[4] is not None)),
        behind=[_open(row) for row in events if row[4] is None],
        has_divided=any(row[1] is not None for row in events),
        is_long=behind > _BEHIND_MOST,
    )


def _settled(row: Sequence[Any]) -> Settled:
    return Settled(row[0], _weight(row[2]), row[4], row[3])


def _open(row: Sequence[Any]) -> Open:
    return Open(row[0], _weight(row[2]), Told(*row[5:]))


@lru_cache(maxsize=256)
def _weight(text: str) -> Exact:
    return plain(exact(text))


@lru_cache(maxsize=256)
def _season(settings: str, planned: int) -> Season:
    return Season.from_data({"planned": planned or None, **loads(settings)})


@lru_cache(maxsize=256)
def _roll(text: str) -> Mapping[str, Place]:
    rows = [one.split(",") for one in text.split(";")] if text else []
    found: dict[str, Place] = {}
    for player, division, opening, events, _, gone in sorted(rows, key=lambda row: int(row[4])):
        brought = plain(exact(opening)) if opening else 0
        place = Place(int(division), brought, int(events), is_withdrawn=bool(gone))
        found.setdefault(shown(player), place)
    return found
