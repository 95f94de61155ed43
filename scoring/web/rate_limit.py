"""Limits of one address in leaving something behind, or having it looked at."""

from django.http import HttpRequest

from tournaments.api.permissions import AddressThrottle


class PageThrottle(AddressThrottle):
    """Counts what is sent to a page by address; a whole club may sit behind one."""

    @classmethod
    def wait_for(cls, request: HttpRequest) -> float | None:
        """Seconds to wait; None when the request may go on, which then counts."""
        throttle = cls()
        if throttle.allow_request(request, None):
            return None
        return throttle.wait() or 60.0


class ShareThrottle(PageThrottle):
    """Counts links."""

    scope = "share"


class DoorThrottle(PageThrottle):
    """Counts who checks themselves in at the door of an event, and codes that open nothing."""

    scope = "door"


class SignatureThrottle(PageThrottle):
    """Counts signatures that are checked."""

    scope = "signature"


class CodeThrottle(PageThrottle):
    """Counts short codes that are tried, of tables and of players alike."""

    scope = "table-code"


class FailureThrottle(PageThrottle):
    """Counts failures that phones report."""

    scope = "phone-failure"


class SignInMailThrottle(PageThrottle):
    """Counts links that are asked for by e-mail."""

    scope = "sign-in-mail"
