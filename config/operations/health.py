"""The state of the service: its parts, what waits, what was put aside, and the room that is left.

/healthz, /metrics, the desk's page of the service and the alerts all read it here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, cast

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Min, Q
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.jobs.kinds import WORK
from scoring.models import Heartbeat
from tournaments.core.storage import DiskSpace, disk_space
from tournaments.models import Stale
from tournaments.publishing import STANDINGS

State = Literal["ok", "down"]
RELAY: Final = "relay"
WORKER: Final = "worker"
HEARTBEAT_INTERVAL: Final = 10.0
"""Seconds between two heartbeats of a process that writes them to the database."""
SILENCE_MAX: Final = timedelta(seconds=45)
"""A process without a heartbeat for so long is down; a frozen broker delays one by less."""
STARTED_AT: Final = timezone.now()
"""When this process began."""


@dataclass(frozen=True, slots=True)
class ServiceState:
    """The parts of the service at one moment, and since when work has been due.

    ``heartbeats`` has the last one of each process that ever wrote one. ``due_since`` is the oldest
    due piece of work of each kind that has any. Both are empty while the database is away.
    """

    at: datetime
    database: State
    broker: State
    disk: DiskSpace
    heartbeats: Mapping[str, Heartbeat]
    due_since: Mapping[str, datetime]

    @property
    def relay(self) -> State:
        return self._process(RELAY)

    @property
    def worker(self) -> State:
        """Ok while at least one worker has a recent heartbeat."""
        return self._process(WORKER)

    @property
    def waiting(self) -> float | None:
        """For how many seconds the oldest work has been due; None if the database is away."""
        if self.database == "down":
            return None
        oldest = min(self.due_since.values(), default=self.at)
        return max(0.0, (self.at - oldest).total_seconds())

    def _process(self, name: str) -> State:
        last = self.heartbeats.get(name)
        return "ok" if last is not None and last.at > self.at - SILENCE_MAX else "down"


def read_state(at: datetime) -> ServiceState:
    """Read how the parts are. One query, and one for each kind of work."""
    database: State = "ok"
    heartbeats: dict[str, Heartbeat] = {}
    due_since: dict[str, datetime] = {}
    try:
        heartbeats = Heartbeat.objects.in_bulk()
        for kind, work in WORK.items():
            for _name, since in work.due(at, 1):
                due_since[kind] = since
    except DatabaseError:
        database = "down"
    return ServiceState(
        at=at,
        database=database,
        broker=broker_state(settings.REDIS_URL),
        disk=disk_space(),
        heartbeats=heartbeats,
        due_since=due_since,
    )


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    """Answer 200 while hands can be stored, 503 when the database is away or its disk is full.

    ``waiting`` says for how many seconds the oldest work for the worker has been due. Relay and
    worker are "ok" while at least one of them has a recent heartbeat. ``disk`` is "low" before it
    is "full"; ``disk_free`` are bytes.
    """
    state = read_state(timezone.now())
    parts = {
        "web": "ok",
        "database": state.database,
        "broker": state.broker,
        "relay": state.relay,
        "worker": state.worker,
        "waiting": None if state.waiting is None else round(state.waiting, 1),
        "disk": state.disk.state,
        "disk_free": state.disk.free,
    }
    stores_hands = state.database == "ok" and state.disk.is_writable
    return JsonResponse(parts, status=200 if stores_hands else 503)


def standings_behind_since() -> datetime | None:
    """Since when something is not in published standings; None if they are up to date.

    Also of those that a worker computes just now, or that were put aside. Raises DatabaseError.
    """
    since: datetime | None = Stale.objects.filter(scope__in=STANDINGS).aggregate(Min("since"))[
        "since__min"
    ]
    return since


def database_bytes() -> int:
    """Return the room that the database takes. Raises DatabaseError."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        else:
            cursor.execute("SELECT pg_database_size(current_database())")
        (size,) = cursor.fetchone()
    return int(size)


def database_since() -> datetime | None:
    """Since when the server of the database runs; None for SQLite. Raises DatabaseError."""
    if connection.vendor == "sqlite":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_postmaster_start_time()")
        (since,) = cursor.fetchone()
    return cast("datetime", since)


def broker_since(at: datetime) -> datetime | None:
    """Since when the broker runs; None while it is away."""
    try:
        with _connect(settings.REDIS_URL) as client:
            info: dict[str, int] = client.info("server")
    except redis.RedisError:
        return None
    return at - timedelta(seconds=info["uptime_in_seconds"])


def record_heartbeat(name: str, at: datetime) -> None:
    """Let /healthz see that a process of this name is alive. Raises DatabaseError."""
    begins_anew = Q(at__lt=at - SILENCE_MAX) | Q(since=None)
    Heartbeat.objects.filter(begins_anew, name=name).update(since=at)
    Heartbeat.objects.bulk_create(
        [Heartbeat(name=name, at=at, since=at)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["at"],
    )


def broker_state(url: str) -> State:
    try:
        with _connect(url) as client:
            client.ping()
    except redis.RedisError:
        return "down"
    return "ok"


def _connect(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=0.5, socket_connect_timeout=0.5)
