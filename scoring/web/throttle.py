"""How often one address may leave something behind."""

from django.http import HttpRequest

from tournaments.api.throttles import AddressThrottle


class ShareThrottle(AddressThrottle):
    """Counts links by address; a whole club may sit behind one."""

    scope = "share"

    @classmethod
    def wait_for(cls, request: HttpRequest) -> float | None:
        """Seconds to wait; None when the request may go on, which then counts."""
        throttle = cls()
        if throttle.allow_request(request, None):
            return None
        return throttle.wait() or 60.0
