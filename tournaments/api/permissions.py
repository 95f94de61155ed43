"""Authentication, permissions and throttles: who asks, whether they may, and how often.

A further way in (a seat link) is one more subclass of `Authentication`, listed first in the
``authentication_classes`` of the views that accept it. Permissions go by the rights of roles
(`tournaments.access.rights`). Throttles are a brake against floods, whichever process answers;
whatever guards a secret is counted in the database (`tournaments.people.accounts`).
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, cast

from django.contrib.auth import get_user
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from engine.core.messages import Message
from tournaments.access import rights
from tournaments.access.rights import VISITOR, Asker
from tournaments.api.exceptions import ProblemError, to_problem
from tournaments.core.actors import Source
from tournaments.core.errors import NotSignedInError, RefusedError
from tournaments.core.public_address import network_of
from tournaments.models import Account
from tournaments.people import api_keys

CREDENTIALS_MAX = 200


def asker_of(request: Request) -> Asker:
    """Return the asker; the visitor where nothing was shown."""
    return request.auth if isinstance(request.auth, Asker) else VISITOR


def credentials(request: Request, kind: str) -> str | None:
    """Return the credentials after a word such as Bearer in the Authorization header."""
    word, _, rest = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    if word.lower() != kind.lower():
        return None
    return str(rest).strip()[:CREDENTIALS_MAX]


class Authentication(BaseAuthentication):
    """A way to be known; ``name`` and ``scheme`` are what OpenAPI says of it."""

    name: ClassVar[str]
    scheme: ClassVar[Mapping[str, Any]]

    def authenticate(self, request: Request) -> tuple[Account | None, Asker] | None:
        """The account, if there is one, and the asker. None: this way was not taken."""
        asker = self.asker(request)
        return None if asker is None else (None, asker)

    def asker(self, request: Request) -> Asker | None:
        """Return the asker by this way. Raises ProblemError for what is shown but not valid."""
        raise NotImplementedError


class KeyAuthentication(Authentication):
    """A program with its key; whatever stands in the header must be valid."""

    name = "key"
    scheme = {"type": "http", "scheme": "bearer", "description": "A key of a program: psk_..."}

    def asker(self, request: Request) -> Asker | None:
        shown = credentials(request, "Bearer")
        if shown is not None:
            return api_keys.asker_of(shown, at=timezone.now())
        if request.META.get("HTTP_AUTHORIZATION"):
            raise NotSignedInError(Message("This way of showing who asks is not known here."))
        return None


class SessionAuthentication(Authentication):
    """Somebody who signed in, from one of our own pages where they change something."""

    name = "session"
    scheme = {"type": "apiKey", "in": "cookie", "name": "sessionid"}

    def authenticate(self, request: Any) -> tuple[Account | None, Asker] | None:
        account = get_user(request.django_request)
        if not isinstance(account, Account) or not account.is_active:
            return None
        check_origin(request.django_request)
        return account, Asker.of_account(account, Source.API)


class _Csrf(CsrfViewMiddleware):
    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        words = "A change by somebody who signed in needs the token of his session."
        raise ProblemError("CSRF", words, hint="X-CSRFToken: csrf_token of /api/v1/me")


def check_origin(request: HttpRequest) -> None:
    """Refuse a change that another site lets a browser send. Raises ProblemError."""
    check = _Csrf(lambda _request: HttpResponse())
    check.process_request(request)
    # The views of the framework are exempt from Django's own check, which comes too early.
    check.process_view(request, lambda _request: HttpResponse(), (), {})


class AuthenticationScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Tells drf-spectacular of every way in."""

    target_class = Authentication
    match_subclasses = True
    priority = 1

    def __init__(self, target: type[Authentication]) -> None:
        super().__init__(target)  # type: ignore[no-untyped-call]
        self.name = target.name

    def get_security_definition(self, auto_schema: object) -> dict[str, Any]:
        """Return the description for OpenAPI."""
        return dict(self.target.scheme)


class IsSignedIn(BasePermission):
    """Somebody in particular asks: a person, a program or a phone at a table."""

    def has_permission(self, request: Any, view: Any) -> bool:
        if asker_of(request).is_visitor:
            raise to_problem(NotSignedInError())
        return True


class HasRight(BasePermission):
    """The asker has the right that the view names for this action, in the place of the URL.

    Whoever may not know of the place gets 404, as if it did not exist. Visitors change nothing,
    also where no right is needed.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        if view.action not in view.rights:
            return True  # the method is refused next
        try:
            self.admit(request, view)
        except RefusedError as error:
            raise to_problem(error) from error
        return True

    @staticmethod
    def admit(request: Any, view: Any) -> None:
        """Note the place and all rights there with the request. Raises RefusedError."""
        asker, right = asker_of(request), view.rights[view.action]
        if request.method not in SAFE_METHODS and asker.is_visitor:
            raise NotSignedInError
        request.place = view.get_place()
        request.rights = rights.admit(asker, request.place, right) if right else frozenset()


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
