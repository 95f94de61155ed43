"""Counters that all processes of the service share, in the broker's store.

Nobody waits for them: where the store does not answer at once, each process counts by itself for a
while, as if there were no other.
"""

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import redis
from django.conf import settings
from django.core.cache.backends.locmem import LocMemCache
from redis.backoff import NoBackoff
from redis.retry import Retry

PATIENCE: Final = 0.02
"""Seconds after which an answer is late."""
SILENCE: Final = 5.0
"""Seconds for which a store that did not answer is not asked again."""
_PREFIX: Final = "painsuit:"
_TASKS: Final = f"{_PREFIX}tasks"


class _Store:
    """The store of one address, and until when it is left alone."""

    def __init__(
        self, url: str, clock: Callable[[], float] = time.monotonic, patience: float = PATIENCE
    ) -> None:
        self._clock = clock
        self._silent_until = 0.0
        self._client = redis.Redis.from_url(
            url,
            socket_timeout=patience,
            socket_connect_timeout=patience,
            retry=Retry(NoBackoff(), 0),
        )

    def ask(self, *commands: tuple[str | int, ...]) -> list[Any] | None:
        """The answers to some commands; None where there are none."""
        if self._clock() < self._silent_until:
            return None
        try:
            with self._client.pipeline(transaction=False) as pipe:
                for command in commands:
                    # The client does not say what its commands take.
                    pipe.execute_command(*command)  # type: ignore[no-untyped-call]
                found: list[Any] = pipe.execute()
        except (redis.RedisError, OSError):
            self._silent_until = self._clock() + SILENCE
            return None
        return found


_store = lru_cache(maxsize=8)(_Store)


def count_task(kind: str, outcome: str) -> None:
    """Count a task that a worker ended, for /metrics."""
    _store(settings.REDIS_URL).ask(("HINCRBY", _TASKS, f"{kind}:{outcome}", 1))


def task_counts() -> dict[tuple[str, str], int]:
    """Return how many tasks of each kind ended in each way, since the broker's store is there."""
    found = _store(settings.REDIS_URL).ask(("HGETALL", _TASKS))
    if not found:
        return {}
    counts: dict[tuple[str, str], int] = {}
    for name, count in found[0].items():
        kind, _, outcome = name.decode().rpartition(":")
        counts[kind, outcome] = int(count)
    return counts


def is_first(key: str, *, keep: int) -> bool:
    """Whether no other process asked so within ``keep`` seconds, or nobody can know."""
    found = _store(settings.REDIS_URL).ask(("SET", _PREFIX + key, 1, "NX", "EX", keep))
    return found is None or found[0] is not None


def forget(key: str) -> None:
    """Let the next one who asks `is_first` be the first again."""
    _store(settings.REDIS_URL).ask(("DEL", _PREFIX + key))


class CountingCache(LocMemCache):
    """The cache of one process, which can count together with all others.

    The option ``COUNTERS`` is the address of the store; without one it counts by itself.
    """

    def __init__(self, name: str, params: dict[str, Any]) -> None:
        options = dict(params.get("OPTIONS", {}))
        self._url = str(options.pop("COUNTERS", ""))
        super().__init__(name, {**params, "OPTIONS": options})

    def validate_key(self, key: str) -> None:
        """Any key will do: nothing of this lies in a memcached."""

    def count(self, key: str, *, before: str, keep: int) -> tuple[int, int]:
        """Add one to a counter that lives for ``keep`` seconds.

        What it is now, and what another one is: ``before``.
        """
        own = _PREFIX + key
        found = self._ask(("INCR", own), ("EXPIRE", own, keep), ("GET", _PREFIX + before))
        if found is not None:
            return int(found[0]), int(found[2] or 0)
        self.add(key, 0, keep)
        try:
            now = int(self.incr(key))
        except ValueError:  # it was thrown out meanwhile
            self.set(key, 1, keep)
            now = 1
        return now, int(self.get(before, 0))

    def take_back(self, key: str) -> None:
        """Take one off a counter that was counted up in vain."""
        if self._ask(("DECR", _PREFIX + key)) is None and self.get(key, 0) > 0:
            self.decr(key)

    def _ask(self, *commands: tuple[str | int, ...]) -> list[Any] | None:
        return _store(self._url).ask(*commands) if self._url else None
