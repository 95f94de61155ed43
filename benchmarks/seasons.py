"""A club with seasons of nights, written as rows, and how long its standings take.

python -m benchmarks.seasons RESULTS ROUNDS    with DATABASE_URL of an empty PostgreSQL
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from statistics import median
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

import benchmarks.ready  # noqa: F401 (sets Django up for what is imported below)
from benchmarks.club import NIGHT, house_rules
from benchmarks.ready import database
from benchmarks.season_words import AS_PUBLISHED, BARE, EVENT, EXPLAINED, LEAGUE, REMEMBERED
from benchmarks.server import tell
from scoring.models import Heartbeat
from tournaments import invalidation, publishing
from tournaments.core.ids import new_id
from tournaments.database.transactions import read_snapshot
from tournaments.invalidation import GameReport
from tournaments.models import (
    Club,
    Entry,
    Event,
    League,
    LeagueEvent,
    Player,
    Result,
    Round,
    Scope,
    Snapshot,
    Stage,
    Stale,
    Status,
    Table,
    TableGame,
    TableSeat,
)
from tournaments.publishing import event_summaries, league_standings, thin_versions

PLAYERS: Final = 400
NIGHTS: Final = 52
"""So many to a season."""
ROUNDS: Final = 3
TABLES: Final = 10
SEATS: Final = 4
HANDS: Final = 16
A_NIGHT: Final = ROUNDS * TABLES * SEATS * HANDS
_AT_ONCE: Final = 5000
_UNHEEDED: Final = 6
"""So many hands first, after which a connection has its plans."""

_BARE: Final = """
    SELECT player_id, total, rank() OVER (ORDER BY total DESC) FROM (
        SELECT r.player_id, SUM(r.score) AS total
        FROM tournaments_result r
        JOIN tournaments_tablegame g ON g.id = r.game_id
        JOIN tournaments_leagueevent e ON e.event_id = g.event_id
        WHERE e.league_id = %s
        GROUP BY r.player_id
    ) AS totals ORDER BY 3
"""
_SPREAD: Final = """
    INSERT INTO tournaments_result (game_id, number, seat, player_id, score, taken, whole,
        to_dealer, pain, pot, won, sharers, jackpot, foot, played)
    SELECT g.id, hand, s.seat, e.player_id,
        (hashint4(hand * 7 + s.seat) %% 9) * CASE WHEN s.seat = 3 THEN -1 ELSE 1 END,
        abs(hashint4(hand + s.seat)) %% 6, 13, (s.seat + hand) %% 4, 'H', 10, 0, 1, false,
        false, true
    FROM tournaments_tablegame g
    JOIN tournaments_tableseat s ON s.table_id = g.table_id
    JOIN tournaments_entry e ON e.id = s.entry_id
    CROSS JOIN generate_series(1, %s) AS hand
    WHERE g.event_id = ANY(%s)
"""


def make(wanted: int) -> tuple[Club, list[Event]]:
    """A club that played so many results, about: whole nights, in seasons, nothing published."""
    club = Club.objects.create(name="Benchmark", created_at=NIGHT)
    rules = house_rules(club, "bicycle", {})
    players = [Player(club=club, number=n, created_at=NIGHT) for n in range(1, PLAYERS + 1)]
    Player.objects.bulk_create(players, _AT_ONCE)
    events = [
        Event(
            club=club,
            name=f"Night {number}",
            starts_at=NIGHT + timedelta(days=number),
            rule_set_id=rules,
            status=Status.RUNNING,
            rounds=ROUNDS,
            hands=HANDS,
            seed="benchmark",
            created_at=NIGHT,
        )
        for number in range(max(1, wanted // A_NIGHT))
    ]
    Event.objects.bulk_create(events, _AT_ONCE)
    rows: dict[type[Model], list[Any]] = {
        kind: [] for kind in (Entry, Round, Table, TableSeat, TableGame)
    }
    for number, event in enumerate(events):
        _night(event, players, number, rows)
    for kind, made in rows.items():
        kind._default_manager.bulk_create(made, _AT_ONCE)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        for first in range(0, len(events), 50):
            some = [event.pk for event in events[first : first + 50]]
            cursor.execute(_SPREAD, [HANDS, some])
        cursor.execute("VACUUM ANALYZE")
    return club, events


def _night(
    event: Event, players: list[Player], number: int, rows: dict[type[Model], list[Any]]
) -> None:
    """Forty players who sit elsewhere each round."""
    size = TABLES * SEATS
    first = number * 7
    entries = [
        Entry(event=event, number=n + 1, player=players[(first + n) % PLAYERS], entered_at=NIGHT)
        for n in range(size)
    ]
    rows[Entry] += entries
    for turn in range(ROUNDS):
        row = Round(event=event, number=turn + 1, stage=Stage.CLOSED, drawn_at=NIGHT)
        rows[Round].append(row)
        for place in range(TABLES):
            table = Table(round=row, number=place + 1, size=SEATS)
            rows[Table].append(table)
            rows[TableSeat] += [
                TableSeat(
                    round=row,
                    table=table,
                    seat=seat,
                    entry=entries[seat * TABLES + (place + seat * turn) % TABLES],
                )
                for seat in range(SEATS)
            ]
            rows[TableGame].append(
                TableGame(
                    id=new_id(),
                    club_id=event.club_id,
                    table=table,
                    event=event,
                    phase="open",
                    size=SEATS,
                    opened_at=NIGHT,
                )
            )


def league_of(club: Club, events: list[Event], name: str) -> League:
    """A season of some events, all of which count."""
    league = League.objects.create(club=club, name=name, season={"rule": "sum"}, created_at=NIGHT)
    LeagueEvent.objects.bulk_create(
        LeagueEvent(league=league, event=event, number=number)
        for number, event in enumerate(events, 1)
    )
    return league


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def commit() -> None:
    """An empty durable commit, or nearly so."""
    with transaction.atomic():
        Heartbeat.objects.filter(name="benchmark").update(at=timezone.now())


def one_hand(league: League, event: Event, rounds: int) -> dict[str, Any]:
    """Standings after a new hand, each beside an empty commit just before it.

    Its results and their marks are committed, then the explained table is published, as a worker
    does for one hand after another. All nights of the season are published before, as those of a
    club are the day after.
    """
    Heartbeat.objects.create(name="benchmark", at=timezone.now())
    for held in league.sessions.values_list("event_id", flat=True):
        publishing.publish(scope=Scope.EVENT, subject=held, clock=timezone.now)
    publishing.publish(scope=Scope.LEAGUE, subject=league.pk, clock=timezone.now)
    turns = 20 * rounds + _UNHEEDED
    spent = [_hand(hand, (event, league)) for hand in _next_hands(event, turns)]
    return {
        EVENT: _beside([(one.commit, one.reported, one.event) for one in spent]),
        LEAGUE: _beside([(one.commit, one.reported, one.event, one.league) for one in spent]),
    }


class _Time(NamedTuple):
    """Seconds by the clock, and of the processor of this process."""

    clock: float
    processor: float


class _Spent(NamedTuple):
    """Times of an empty commit, of a hand, and of what followed for its event and its league."""

    commit: _Time
    reported: _Time
    event: _Time
    league: _Time


def _time(work: Callable[[], object]) -> _Time:
    begun = time.process_time()
    return _Time(seconds(work), time.process_time() - begun)


def _hand(hand: tuple[UUID, int], of: tuple[Event, League]) -> _Spent:
    game, number = hand
    rows = _results(game, number)
    spent = [_time(commit), _time(partial(_report, game, rows))]
    return _Spent(*spent, *(_time(partial(_publish, one)) for one in of))


def _beside(series: Sequence[tuple[_Time, ...]]) -> dict[str, float]:
    """The medians of hands with what followed, and of the empty commits beside them."""
    counted = series[_UNHEEDED:]
    whole = [sum(step.clock for step in steps) for _commit, *steps in counted]
    commits = [commit.clock for commit, *_steps in counted]
    return {
        "commit": median(commits),
        "seconds": median(whole),
        "processor": median(sum(step.processor for step in steps) for _commit, *steps in counted),
        "ratio": median(mine / commit for mine, commit in zip(whole, commits, strict=True)),
    }


def _next_hands(event: Event, wanted: int) -> Iterator[tuple[UUID, int]]:
    games = list(TableGame.objects.filter(event=event).values_list("pk", flat=True))
    for turn in range(wanted):
        yield games[turn % len(games)], HANDS + 1 + turn // len(games)


def _results(game: UUID, number: int) -> list[Result]:
    """What a new hand at a table gave, as the fold of its game tells it."""
    seats = TableSeat.objects.filter(table__games=game).values_list("seat", "entry__player_id")
    return [
        Result(
            game_id=game,
            number=number,
            seat=seat,
            player_id=player,
            score=(seat * number) % 7 - 3,
            taken=seat,
            to_dealer=seat,
            pain="H",
        )
        for seat, player in sorted(seats)
    ]


def _report(game: UUID, rows: list[Result]) -> None:
    """What reporting does with a new hand at a table."""
    with transaction.atomic():
        invalidation.report(
            GameReport(
                game=game,
                first=rows[0].number,
                rows=rows,
                had=False,
                in_event=True,
                at=timezone.now(),
            )
        )


def _publish(of: Event | League) -> None:
    scope = Scope.EVENT if isinstance(of, Event) else Scope.LEAGUE
    found = publishing.publish(scope=scope, subject=of.pk, clock=timezone.now)
    assert found is publishing.PublishOutcome.NEW, found


def stored_versions(club: Club) -> list[dict[str, int]]:
    """The versions of events and seasons, as stored and a month later, when they are thinned."""
    scopes = (Scope.EVENT, Scope.LEAGUE)
    rows = Snapshot.objects.filter(published__club=club, published__scope__in=scopes)

    def count() -> dict[str, int]:
        text = sum(len(data.encode()) for data in rows.values_list("data", flat=True).iterator(50))
        with connection.cursor() as cursor:
            cursor.execute("SELECT sum(pg_column_size(data)) FROM tournaments_snapshot")
            (stored,) = cursor.fetchone()
        return {"versions": rows.count(), "text": text, "stored": int(stored)}

    found = [count()]
    thin_versions(club, at=timezone.now() + timedelta(days=30))
    return [*found, count()]


def whole_league(club: Club, league: League) -> dict[str, float]:
    """A league from nothing, beside the query that a database is best at."""

    def bare() -> None:
        with connection.cursor() as cursor:
            cursor.execute(_BARE, [league.pk])
            cursor.fetchall()

    def computed(*, fresh: bool) -> None:
        league_standings.recent.clear()
        with read_snapshot():
            found = publishing.compute(Scope.LEAGUE, league.pk, fresh=fresh)
        assert found is not None
        found.make()

    def started() -> None:
        event_summaries.clear_cache()
        computed(fresh=False)

    spent = {BARE: median(seconds(bare) for _ in range(7))}
    spent[EXPLAINED] = median(seconds(lambda: computed(fresh=True)) for _ in range(2))
    Stale.objects.all().delete()
    for event in league.sessions.values_list("event_id", flat=True):
        publishing.publish(scope=Scope.EVENT, subject=event, clock=timezone.now)
    spent[AS_PUBLISHED] = median(seconds(started) for _ in range(2))
    spent[REMEMBERED] = median(seconds(lambda: computed(fresh=False)) for _ in range(3))
    return spent


def main() -> None:
    """Make the club, measure, and print what was found as JSON."""
    wanted, rounds = int(sys.argv[1]), int(sys.argv[2])
    with database():
        club, events = make(wanted)
        season = league_of(club, events[-NIGHTS:], "This season")
        found: dict[str, Any] = {
            "results": Result.objects.count(),
            "events": len(events),
            "hand": one_hand(season, events[-1], rounds),
            "versions": stored_versions(club),
        }
        found["whole"] = whole_league(club, league_of(club, events, "All of it"))
    tell(found)


if __name__ == "__main__":
    main()
