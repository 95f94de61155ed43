"""One look at each part apart: a broker that is down must not take a working page down."""

from datetime import datetime, timedelta
from typing import Final, Literal

import redis
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.work import waiting
from scoring.models import Pulse

State = Literal["ok", "down"]
RELAY: Final = "relay"
SILENCE_MAX: Final = timedelta(seconds=45)
"""A relay that shows no sign of life for so long is down; a frozen broker holds it up less."""


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    """Answer 200 while hands can be written down, 503 when the database is away.

    ``waiting`` says for how many seconds the oldest work for the worker has been due.
    """
    now = timezone.now()
    database: State = "ok"
    relay: State = "down"
    oldest = None
    try:
        relay, oldest = relay_state(now), round(waiting(now), 1)
    except DatabaseError:
        database = "down"
    parts = {
        "web": "ok",
        "database": database,
        "broker": broker_state(settings.REDIS_URL),
        "relay": relay,
        "waiting": oldest,
    }
    return JsonResponse(parts, status=200 if database == "ok" else 503)


def relay_state(now: datetime) -> State:
    """Whether one showed a sign of life lately."""
    is_alive = Pulse.objects.filter(name=RELAY, at__gt=now - SILENCE_MAX).exists()
    return "ok" if is_alive else "down"


def broker_state(url: str) -> State:
    try:
        with redis.Redis.from_url(url, socket_timeout=0.5, socket_connect_timeout=0.5) as client:
            client.ping()
    except redis.RedisError:
        return "down"
    return "ok"
