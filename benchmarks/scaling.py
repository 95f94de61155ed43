"""Figures of scaling: how soon many events are published by one, two and four workers.

Each worker is a process that does what the worker's task does, against one PostgreSQL::

    python -m benchmarks.scaling work      # with DATABASE_URL
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Final

from django.utils import timezone

import benchmarks.ready  # noqa: F401 (sets Django up for what is imported below)
from benchmarks.figures import Figure, times
from benchmarks.ready import database
from benchmarks.seasons import make
from benchmarks.server import ROOT, asked, tell
from tournaments import invalidation, publishing
from tournaments.models import Event, Scope, Stale

RESULTS: Final = 200_000
WORKERS: Final = (1, 2, 4)


def figures(rounds: int) -> Iterator[Figure]:
    """The same events, all behind at once, published by ever more workers."""
    events, *seconds = asked("scaling", "measure", rounds)
    rows = [
        [
            str(many),
            f"{spent:.1f}",
            f"{events / spent:.0f}",
            times(seconds[0] / spent),
        ]
        for many, spent in zip(WORKERS, seconds, strict=True)
    ]
    yield Figure(
        "Workers",
        ["workers", "s until all is published", "events a second", "of one worker"],
        rows,
        f"PostgreSQL, durable, on the same {os.cpu_count()} cores as the workers: "
        f"{events} events of 40 players, 30 tables and 1,920 results each, all behind at "
        "once. Each worker is a process that does what the worker's task does.",
    )


def measure(rounds: int) -> None:
    """Make the events, and let each number of workers publish them; the quickest turn counts."""
    with database():
        _, events = make(RESULTS)
        spent = [min(_published(events, many) for _ in range(rounds)) for many in WORKERS]
    tell([len(events), *spent])


def _published(events: list[Event], many: int) -> float:
    """Seconds until nothing is behind, from the moment at which the workers are ready."""
    # Another seed for the lots, so that there is something new to publish.
    Event.objects.update(seed=f"{time.monotonic_ns()}")
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.scaling", "work"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(many)
    ]
    for worker in workers:
        assert worker.stdout is not None
        worker.stdout.readline()
    invalidation.mark(Scope.EVENT, [event.pk for event in events], timezone.now())
    begun = time.perf_counter()
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.close()
    for worker in workers:
        assert worker.wait() == 0
    spent = time.perf_counter() - begun
    assert not Stale.objects.filter(scope=Scope.EVENT).exists()
    return spent


def work() -> None:
    """Say that one is ready, wait for the word, and publish until nothing is due."""
    Stale.objects.exists()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
    while publishing.publish_due(clock=timezone.now) or Stale.objects.exists():
        pass


if __name__ == "__main__":
    if sys.argv[1] == "work":
        work()
    else:
        measure(int(sys.argv[2]))
