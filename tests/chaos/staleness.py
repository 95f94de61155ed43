"""How far published standings are behind, asked of the database over and over."""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import psycopg

from tournaments.publishing import STANDINGS

_SCOPES: Final = ", ".join(f"'{scope}'" for scope in STANDINGS)
_QUERY: Final = f"SELECT MIN(since) FROM tournaments_stale WHERE scope IN ({_SCOPES})"
"""Since when standings have been behind; players' statistics come later and do not count."""


def sqlite_staleness(database: Path) -> float:
    """For how many seconds standings have been behind."""
    with closing(sqlite3.connect(database, timeout=20)) as connection:
        (since,) = connection.execute(_QUERY).fetchone()
    return _seconds(since and datetime.fromisoformat(since).replace(tzinfo=UTC))


def postgresql_staleness(url: str) -> float:
    """For how many seconds standings have been behind. Raises psycopg.Error."""
    with psycopg.connect(url, connect_timeout=2) as connection:
        (since,) = connection.execute(_QUERY.encode()).fetchone() or (None,)
    return _seconds(since)


def _seconds(since: datetime | None) -> float:
    return max(0.0, (datetime.now(UTC) - since).total_seconds()) if since else 0.0


@dataclass
class StalenessMonitor:
    """Asks ten times a second, in a thread of its own; a database that is away is asked again."""

    staleness: Callable[[], float]
    seen: list[float] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        while not self._over.wait(0.1):
            try:
                self.seen.append(self.staleness())
            except psycopg.Error:
                continue

    def __enter__(self) -> "StalenessMonitor":
        self._thread = threading.Thread(target=self.run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def percentile(self, percent: int) -> float:
        """The seconds below which so many per cent of the answers were."""
        return sorted(self.seen)[percent * (len(self.seen) - 1) // 100]

    @property
    def told(self) -> str:
        return f"p95 {self.percentile(95):.2f} s, at most {max(self.seen):.2f} s"
