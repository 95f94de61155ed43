"""The relay: finds due rows in the database and sends the worker a hint for each.

The web server never talks to the broker; this small process does. A hint that nobody acted upon
is sent again, ever more rarely; what was hinted at is remembered here and nowhere else. Of two
relays on PostgreSQL one stands by until the connection of the other ends, or the other is silent;
behind a pooler by transactions both work. Two that work at once send some hints twice, which does
no harm. Its own loop is the clock.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.core.exceptions import ImproperlyConfigured
from django.db import Error, connection, connections
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis import RedisError

from config.operations.health import HEARTBEAT_INTERVAL, RELAY, record_heartbeat
from scoring.jobs import nightly
from scoring.jobs.kinds import WORK, Work
from scoring.models import Heartbeat

TICK: Final = 1.0
LONGEST_WAIT: Final = 2.0
"""Between two looks while the database or the broker is away."""
BATCH_MAX: Final = 100
"""How many pieces of one kind are on their way at once."""
LOCK: Final = 0x7061696E
"""The advisory lock of PostgreSQL that the relay holds which works."""
SILENT: Final = timedelta(seconds=2.5 * HEARTBEAT_INTERVAL)
"""A relay that holds the lock and shows no life for so long is frozen; another one works, too."""

BROKER_AWAY: Final = (OperationalError, RedisError, OSError)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Hint:
    """A due piece of work: its kind and its name within that kind."""

    kind: str
    name: str


Send = Callable[[Sequence[Hint]], None]


@dataclass(slots=True)
class _Sent:
    """When a hint is repeated, and the wait after that; seconds of the monotonic clock."""

    then: float
    wait: float


class Relay:
    """Polls for due work and sends hints; its dependencies are arguments, for tests."""

    def __init__(
        self,
        send: Send,
        *,
        work: Mapping[str, Work] = WORK,
        clock: Callable[[], datetime] = timezone.now,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._send, self._work, self._clock, self._ticks = send, work, clock, ticks
        self._sent: dict[Hint, _Sent] = {}
        self._beat_at = float("-inf")
        self._has_planned = False
        self._works = False

    def run(self, stop: threading.Event) -> None:
        """Poll until told to stop; survives a missing database or broker."""
        failures = 0
        while not stop.is_set():
            failures = 0 if self._looks() else failures + 1
            stop.wait(min(TICK * max(1, failures), LONGEST_WAIT))

    def _looks(self) -> bool:
        try:
            self.look()
        # A new connection on which our limits do not hold is refused (config/running/database.py).
        except (Error, ImproperlyConfigured) as error:
            connections.close_all()
            self._works = False
            # What was hinted at may have failed for the same reason.
            self._sent.clear()
            log.warning("the database is away", error=str(error))
        except BROKER_AWAY as error:
            # What it was told before may be lost with it.
            self._sent.clear()
            log.warning("the broker is away", error=type(error).__name__)
        else:
            return True
        return False

    def look(self) -> None:
        """Send a hint for everything that is due and has none. Raises what is away."""
        if not self._works:
            self._works = _take_lock() or _is_silent(self._clock())
            if not self._works:
                return
        self._show_life()
        hints = [hint for kind in self._work for hint in self._due_hints(kind)]
        if hints:
            self._send(hints)

    def _show_life(self) -> None:
        now = self._ticks()
        if not self._has_planned:
            nightly.plan(at=self._clock())
            self._has_planned = True
        if now - self._beat_at >= HEARTBEAT_INTERVAL:
            record_heartbeat(RELAY, self._clock())
            self._beat_at = now

    def _due_hints(self, kind: str) -> list[Hint]:
        """Return due work of a kind that was not hinted at recently."""
        now, work = self._ticks(), self._work[kind]
        due = [Hint(kind, name) for name, _ in work.due(self._clock(), BATCH_MAX)]
        known = {hint: sent for hint, sent in self._sent.items() if hint.kind == kind}
        for hint in known.keys() - set(due):
            del self._sent[hint]  # done, or being done
        wanted = [hint for hint in due if hint not in known or known[hint].then <= now]
        for hint in wanted:
            before = known.get(hint)
            wait = work.again if before is None else min(before.wait * 2, work.longest)
            self._sent[hint] = _Sent(now + wait, wait)
        return wanted


def _take_lock() -> bool:
    """Whether this process works for its database until its connection ends."""
    # The lock belongs to a session, and a pooler by transactions lends each session to many.
    is_pooled = connection.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS", False)
    if connection.vendor != "postgresql" or is_pooled:
        return True
    with connection.cursor() as cursor:
        # Installations may share a database, each in a schema of its own.
        cursor.execute("SELECT pg_try_advisory_lock(%s, hashtext(current_schema()))", [LOCK])
        return bool(cursor.fetchone()[0])


def _is_silent(at: datetime) -> bool:
    """Whether no relay has shown life lately."""
    return not Heartbeat.objects.filter(name=RELAY, at__gt=at - SILENT).exists()
