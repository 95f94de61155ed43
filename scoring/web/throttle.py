"""How often one address may leave something behind."""

from django.http import HttpRequest
from rest_framework.throttling import SimpleRateThrottle


class ShareThrottle(SimpleRateThrottle):
    """Counts links by address; a whole club may sit behind one."""

    scope = "share"

    def get_cache_key(self, request: HttpRequest, view: object) -> str:
        return f"throttle_share_{self.get_ident(request)}"  # type: ignore[arg-type]

    @classmethod
    def wait_for(cls, request: HttpRequest) -> float | None:
        """Seconds to wait; None when the request may go on, which then counts."""
        throttle = cls()
        if throttle.allow_request(request, None):  # type: ignore[arg-type]
            return None
        return throttle.wait() or 60.0
