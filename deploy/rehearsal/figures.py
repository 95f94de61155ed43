"""Figures of the production set-up under load; docs/scaling.md draws its conclusions from them."""

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import psycopg

from benchmarks.figures import Figure
from deploy.rehearsal.machine import Machine
from deploy.rehearsal.nights import HANDS, ROUNDS, TABLES, Club


class Load(NamedTuple):
    """What is measured: so many clubs play so many nights each."""

    nodes: int
    """Web servers, and as many workers."""
    clubs: int
    nights: int
    pause: float
    """Seconds between two hands of a table; 0: as fast as the service answers."""


LOADS: Final = (Load(1, 4, 5, 0), Load(2, 4, 5, 0), Load(2, 10, 1, 5))
SERVICES: Final = ("proxy", "web", "database", "broker", "worker", "relay")
DATABASE_OPTIONS: Final = ("--shared_preload_libraries=pg_stat_statements",)
LINES: Final = 12
DAY: Final = 1_000_000
PEAK: Final = 100
"""Hands a second in the busiest minutes of a day with so many."""
BUSY_MAX: Final = 0.6
CORES: Final = 16
"""Of a machine for the database alone."""
REMEDIES: Final[Mapping[str, str]] = {
    "worker": "add worker processes; standings come late until then, hands are entered",
    "web": "add web server processes",
    "database": "a larger machine; it is the one part that cannot be doubled",
}
KEPT: Final[Mapping[str, str]] = {
    "tournaments_answeredrequest": "a month",
    "tournaments_snapshot": "a week, then one a day",
    "tournaments_stale": "space that is used again",
}

Say = Callable[[str], None]


def measure(machine: Machine, clubs: Sequence[Club], nights: int, say: Say) -> list[Figure]:
    """Let the clubs play whole nights, and say what it cost a hand; what a million a day need."""
    with psycopg.connect(machine.database_url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
        sizes, used = sizes_of_tables(connection), _processor_seconds(machine)
        connection.execute("SELECT pg_stat_statements_reset()")
        before, begun = _counters(connection), time.monotonic()
        with _watching(machine) as behind:
            threads = [threading.Thread(target=club.play, args=(nights,)) for club in clubs]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            spent = time.monotonic() - begun
            published = machine.wait_until(
                lambda: not _seconds_behind(connection), "standings wait"
            )
        # Statistics of other sessions come with a delay.
        time.sleep(2)
        hands = [hand for club in clubs for hand in club.entered.values()]
        waits = sorted(hand.acknowledged_at - hand.sent_at for hand in hands)
        say(
            f"{machine.web_nodes} web, {machine.workers} workers on {os.cpu_count()} cores (load "
            f"{os.getloadavg()[0]:.1f}): {len(hands)} hands of {len(clubs)} clubs, nights of "
            f"{TABLES} tables, {ROUNDS} rounds, {HANDS} hands, {clubs[0].pause:g} s between two of "
            f"a table: {len(hands) / spent:.1f} hands/s, "
            f"median {waits[len(waits) // 2]:.2f} s, p99 {waits[len(waits) * 99 // 100]:.2f} s; "
            f"standings behind by {max(behind):.1f} s at most, published {published:.1f} s after "
            "the last hand"
        )
        counted, now = Counter(_counters(connection)) - Counter(before), _processor_seconds(machine)
        costs = {name: (now[name] - used[name]) / len(hands) * 1000 for name in SERVICES}
        _say_costs(costs, counted, len(hands), say)
        _say_statements(connection, len(hands), say)
        grown = sizes_of_tables(connection) - sizes
        _say_sizes(grown, len(hands), say)
        a_hand = Counter({table: size / len(hands) for table, size in grown.items()})
        versions = counted["versions"] / len(hands)
        return project(costs, versions, counted["wal_bytes"] / len(hands), a_hand)


def _say_costs(costs: Mapping[str, float], counted: Counter[str], hands: int, say: Say) -> None:
    words = ", ".join(f"{name} {spent:.1f}" for name, spent in costs.items())
    say(f"processor time a hand, ms: {words}; together {sum(costs.values()):.1f}")
    say(
        f"the database, a hand: {counted['calls'] / hands:.0f} statements, "
        f"{counted['xact_commit'] / hands:.1f} transactions, {counted['wal_bytes'] / hands:,.0f} "
        f"bytes of WAL, of which full pages {counted['wal_fpi'] / hands:.1f}; "
        f"{counted['versions'] / hands:.2f} versions of standings published"
    )


def project(
    costs: Mapping[str, float], versions: float, wal: float, sizes: Mapping[str, float]
) -> list[Figure]:
    """What a million hands a day need, by what a hand costs.

    ``costs`` are milliseconds of processor time by service, ``versions`` those of standings,
    ``wal`` and ``sizes`` bytes, all of a hand. Hands then come singly, each with a version of its
    own, so that the workers' time is that of a version.
    """
    each = {**costs, "worker": costs["worker"] / min(1.0, versions)}
    needed = {name: spent / 1000 * PEAK / BUSY_MAX for name, spent in each.items()}
    most = max(needed, key=lambda name: needed[name])
    rows = [
        [name, f"{spent:.1f}", f"{needed[name]:.1f}", _remedy(name, is_first=name == most)]
        for name, spent in sorted(each.items(), key=lambda one: -one[1])
    ]
    limit = CORES * BUSY_MAX / (each["database"] / 1000)
    largest = sorted(sizes.items(), key=lambda one: -one[1])[:LINES]
    tables = [
        [f"`{table}`", f"{size:,.0f}", f"{size * DAY / 1e9:.1f}", KEPT.get(table, "for good")]
        for table, size in largest
    ]
    tables.append(["WAL", f"{wal:,.0f}", f"{wal * DAY / 1e9:.1f}", "until the next base backup"])
    note = (
        f"{DAY:,} hands a day: {PEAK} a second in the busiest minutes, if seven tenths of them come"
        " within three hours, and half as many again as their mean in some minutes. Each hand makes"
        f" a version of the standings. Processors are to be busy by {BUSY_MAX:.0%}. On {CORES}"
        f" cores the database takes {limit:.0f} hands a second."
    )
    return [
        Figure(
            "A million hands a day", ["service", "ms a hand", "cores", "what to do"], rows, note
        ),
        Figure("Its disk", ["table", "bytes a hand", "GB a day", "kept"], tables),
    ]


def _remedy(service: str, *, is_first: bool) -> str:
    """Return what to do where a service is short of processors."""
    words = REMEDIES.get(service, "")
    return f"**the first limit**: {words}" if is_first else words


def _say_statements(connection: "psycopg.Connection[Any]", hands: int, say: Say) -> None:
    rows = connection.execute(
        "SELECT total_exec_time, calls, regexp_replace(query, '\\s+', ' ', 'g')"
        " FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT %s",
        [LINES],
    )
    say("statements by their time: ms a hand, calls a hand")
    for spent, calls, query in rows:
        say(f"  {spent / hands:6.2f} {calls / hands:6.1f}  {query[:110]}")


def _say_sizes(grown: Counter[str], hands: int, say: Say) -> None:
    say(f"disk a hand, with indexes: {sum(grown.values()) / hands:,.0f} bytes")
    for table, size in grown.most_common(LINES):
        say(f"  {size / hands:8,.0f}  {table}")


def _processor_seconds(machine: Machine) -> dict[str, float]:
    return {
        name: sum(unit.processor_seconds() for unit in machine.units_of(name)) for name in SERVICES
    }


def _counters(connection: "psycopg.Connection[Any]") -> dict[str, int]:
    row = connection.execute(
        "SELECT (SELECT sum(calls)::bigint FROM pg_stat_statements),"
        " (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()),"
        " wal_bytes::bigint, wal_fpi, (SELECT coalesce(sum(version), 0)::bigint"
        " FROM tournaments_published WHERE scope IN ('event', 'league')) FROM pg_stat_wal"
    ).fetchone()
    assert row is not None
    return dict(zip(("calls", "xact_commit", "wal_bytes", "wal_fpi", "versions"), row, strict=True))


def sizes_of_tables(connection: "psycopg.Connection[Any]") -> Counter[str]:
    """Bytes of every table, indexes included."""
    rows = connection.execute(
        "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
        " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
    )
    return Counter(dict(rows.fetchall()))


def _seconds_behind(connection: "psycopg.Connection[Any]") -> float:
    row = connection.execute(
        "SELECT coalesce(extract(epoch FROM clock_timestamp() - min(since)), 0)::float"
        " FROM tournaments_stale WHERE scope IN ('event', 'league')"
    ).fetchone()
    assert row is not None
    return float(row[0])


@contextmanager
def _watching(machine: Machine) -> Iterator[list[float]]:
    """For how many seconds the oldest standings were behind, five times a second."""
    found, is_over = [0.0], threading.Event()

    def watch() -> None:
        with psycopg.connect(machine.database_url, autocommit=True) as connection:
            while not is_over.wait(0.2):
                found.append(_seconds_behind(connection))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield found
    finally:
        is_over.set()
        thread.join()
