"""Health checks of each component; one that is down does not affect the others."""

from datetime import datetime, timedelta
from typing import Final, Literal

import redis
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.jobs.kinds import waiting
from scoring.models import Heartbeat
from tournaments.core.storage import disk_space

State = Literal["ok", "down"]
RELAY: Final = "relay"
WORKER: Final = "worker"
HEARTBEAT_INTERVAL: Final = 10.0
"""Seconds between two heartbeats of a process that writes them to the database."""
SILENCE_MAX: Final = timedelta(seconds=45)
"""A process without a heartbeat for so long is down; a frozen broker delays one by less."""


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    """Answer 200 while hands can be stored, 503 when the database is away or its disk is full.

    ``waiting`` says for how many seconds the oldest work for the worker has been due. Relay and
    worker are "ok" while at least one of them has a recent heartbeat. ``disk`` is "low" before it
    is "full"; ``disk_free`` are bytes.
    """
    now = timezone.now()
    database: State = "ok"
    relay: State = "down"
    worker: State = "down"
    oldest = None
    try:
        relay, worker = process_state(RELAY, now), process_state(WORKER, now)
        oldest = round(waiting(now), 1)
    except DatabaseError:
        database = "down"
    space = disk_space()
    parts = {
        "web": "ok",
        "database": database,
        "broker": broker_state(settings.REDIS_URL),
        "relay": relay,
        "worker": worker,
        "waiting": oldest,
        "disk": space.state,
        "disk_free": space.free,
    }
    stores_hands = database == "ok" and space.is_writable
    return JsonResponse(parts, status=200 if stores_hands else 503)


def process_state(name: str, now: datetime) -> State:
    """Whether a process of this name had a heartbeat lately."""
    is_alive = Heartbeat.objects.filter(name=name, at__gt=now - SILENCE_MAX).exists()
    return "ok" if is_alive else "down"


def record_heartbeat(name: str, at: datetime) -> None:
    """Let /healthz see that a process of this name is alive. Raises DatabaseError."""
    Heartbeat.objects.bulk_create(
        [Heartbeat(name=name, at=at)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["at"],
    )


def broker_state(url: str) -> State:
    try:
        with redis.Redis.from_url(url, socket_timeout=0.5, socket_connect_timeout=0.5) as client:
            client.ping()
    except redis.RedisError:
        return "down"
    return "ok"
