"""Limits of how often one asker may ask, whichever process answers.

A brake against floods; whatever guards a secret is counted in the database
(`tournaments.people.accounts`).
"""

from typing import Any, Protocol, cast

from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from tournaments.api.authentication import asker_of
from tournaments.core.public_address import network_of


class Counters(Protocol):
    """Counters of the service's cache (`config.running.counters`)."""

    def count(self, key: str, *, before: str, keep: int) -> tuple[int, int]:
        """Add one to a counter; what it is now, and what another one is."""

    def take_back(self, key: str) -> None:
        """Take one off it."""


class SharedThrottle(SimpleRateThrottle):
    """Counts by windows of time, of the last one as much as is not over yet.

    What is refused does not count: who waits as long as they are told comes in.
    """

    num_requests: int
    duration: int
    _wait: float | None = None

    def get_ident(self, request: Any) -> str:
        """The network from which a request comes."""
        return network_of(super().get_ident(request) or "")

    def allow_request(self, request: Any, view: Any) -> bool:
        """Whether this request may go on, which then counts."""
        key = self.get_cache_key(request, view)
        if self.rate is None or key is None:
            return True
        counters = cast("Counters", caches["default"])
        window, into = divmod(self.timer(), self.duration)
        own = f"{key}:{int(window)}"
        now, before = counters.count(own, before=f"{key}:{int(window) - 1}", keep=2 * self.duration)
        over = into / self.duration
        if int(before * (1 - over)) + now <= self.num_requests:
            return True
        counters.take_back(own)
        self._wait = self._until_free(now, before, over)
        return False

    def _until_free(self, now: int, before: int, over: float) -> float:
        """Seconds until one more may come, if nobody else does."""
        room = self.num_requests - now
        if room >= 0 and before:
            return max((1 - (room + 1) / before - over) * self.duration, 0.0)
        return (1 - over) * self.duration

    def wait(self) -> float | None:
        """Seconds to wait, after a refusal."""
        return self._wait


class AskerThrottle(SharedThrottle):
    """Counts by account, key or link; visitors by their address, which a whole club may share."""

    scope = "asker"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        asker = asker_of(request)
        ident = self.get_ident(request) if asker.is_visitor else asker.actor.label
        return f"throttle_{self.scope}_{ident}"


class AddressThrottle(SharedThrottle):
    """Counts by address; a whole club may sit behind one. A subclass says the ``scope``."""

    def get_cache_key(self, request: Any, view: object) -> str:
        return f"throttle_{self.scope}_{self.get_ident(request)}"
