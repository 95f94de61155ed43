"""One look at each part apart: a broker that is down must not take a working page down."""

from typing import Literal

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

State = Literal["ok", "down"]


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    """Answer 200 while hands can be written down, 503 when the database is away."""
    database = database_state()
    parts = {"web": "ok", "database": database, "broker": broker_state(settings.REDIS_URL)}
    return JsonResponse(parts, status=200 if database == "ok" else 503)


def database_state() -> State:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "down"
    return "ok"


def broker_state(url: str) -> State:
    try:
        with redis.Redis.from_url(url, socket_timeout=0.5, socket_connect_timeout=0.5) as client:
            client.ping()
    except redis.RedisError:
        return "down"
    return "ok"
