"""A whole federation on the machine: brought in by bulk, published, read, backed up and restored.

Its figures are tables of docs/scaling.md.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final

import psycopg

from benchmarks.figures import Figure
from deploy.rehearsal.figures import Say, sizes_of_tables
from deploy.rehearsal.machine import Machine, RehearsalError
from deploy.rehearsal.nights import Client

CLUBS: Final = 202
PATIENCE_PER_CLUB: Final = 10.0
"""Seconds that every club may take to be published."""
_VIEWS: Final = 9
_LARGEST: Final = 8
_BACKUP: Final = "large.backup"
_PAGES: Final = {
    "the list of clubs": "SELECT '/clubs/'",
    "a club": "SELECT '/c/' || id || '/' FROM tournaments_club",
    "its feed": "SELECT '/api/v1/clubs/' || id || '/feed' FROM tournaments_club",
    "a league": "SELECT '/l/' || id || '/' FROM tournaments_league",
    "a night": "SELECT '/e/' || id || '/' FROM tournaments_event",
}
"""What strangers read, and the query of its addresses; the last one made is read."""


class Steps:
    """What was done, the seconds that it took, and what there is to say of it."""

    def __init__(self, say: Say) -> None:
        self.rows: list[list[str]] = []
        self._say = say

    def add(self, what: str, seconds: float, words: str = "") -> None:
        """Note a step."""
        self.rows.append([what, f"{seconds:.2f}" if seconds < 10 else f"{seconds:.0f}", words])
        self._say(f"{what}: {seconds:.2f} s {words}")

    @contextmanager
    def timed(self, what: str) -> Iterator[list[str]]:
        """Note what is done within, with the words that it adds."""
        begun, words = time.monotonic(), list[str]()
        yield words
        self.add(what, time.monotonic() - begun, "; ".join(words))


def bring_in(machine: Machine, clubs: int, steps: Steps) -> int:
    """Add so many clubs to the database; how many hands they have."""
    with steps.timed(f"{clubs} club{'s' * (clubs != 1)} brought in") as words:
        run = machine.run("worker", "python", "-m", "benchmarks.federation", str(clubs))
        hands, seconds = json.loads(run.splitlines()[-1])
        words += [f"{hands:,} hands", f"{1000 * seconds / hands:.2f} ms of our CPU a hand"]
    machine.patience = max(machine.patience, PATIENCE_PER_CLUB * clubs)
    return int(hands)


def read_pages(machine: Machine, steps: Steps) -> None:
    """Read what strangers read, again and again. Raises RehearsalError."""
    client = Client(machine)
    with psycopg.connect(machine.database_url) as connection:
        for what, query in _PAGES.items():
            found: Any = connection.execute(f"{query} ORDER BY 1 DESC LIMIT 1").fetchone()
            spent = []
            for _ in range(_VIEWS):
                begun = time.monotonic()
                answer = client.send("GET", found[0], None, {})
                spent.append(time.monotonic() - begun)
                if answer.status != 200:
                    raise RehearsalError(f"{found[0]}: {answer.status}")
            first = f"{len(client.body) / 1000:.0f} kB; the first time {spent[0]:.2f} s"
            steps.add(f"GET {what}", median(spent), first)


def back_up(machine: Machine, steps: Steps) -> Path:
    """Write a backup; where it is."""
    path = machine.folder / "volumes" / "backups" / _BACKUP
    with steps.timed("a backup") as words:
        machine.run("worker", "python", "manage.py", "backup", str(path))
        written = path.stat().st_size
        with psycopg.connect(machine.database_url) as connection:
            size: Any = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        words.append(f"{written / 1e6:,.0f} MB of a database of {size[0] / 1e6:,.0f} MB")
    return path


def verify(machine: Machine, steps: Steps) -> None:
    """Recompute everything from the records, on every core. Raises RehearsalError."""
    with steps.timed("verified") as words:
        said = machine.run("web", "python", "manage.py", "verify")
        words.append(said.strip().splitlines()[-1])


def step_figure(steps: Steps, hands: int) -> Figure:
    """The steps in their order."""
    note = (
        f"`deploy/rehearse --large`: {hands:,} hands on PostgreSQL; the services of"
        " deploy/compose.yaml as processes of this machine, two web servers and two workers. Pages"
        f" are asked for through the proxy, {_VIEWS} times one after the other; the median."
    )
    return Figure("A federation rehearsed", ["step", "s", "of it"], steps.rows, note)


def table_figure(machine: Machine, hands: int) -> Figure:
    """The largest tables."""
    with psycopg.connect(machine.database_url) as connection:
        sizes = sizes_of_tables(connection)
    rows = [
        [f"`{table}`", f"{size / 1e6:,.0f}", f"{size / hands:,.0f}"]
        for table, size in sizes.most_common(_LARGEST)
    ]
    rows.append(["all", f"{sizes.total() / 1e6:,.0f}", f"{sizes.total() / hands:,.0f}"])
    note = "With indexes; results, versions of standings and trails of the same hands included."
    return Figure("Its largest tables", ["table", "MB", "bytes a hand"], rows, note)
