"""Authentication classes: API keys and sessions.

A further way in (a seat link) is one more subclass of `Authentication`, listed first in the
``authentication_classes`` of the views that accept it.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib.auth import get_user
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from engine.core.messages import Message
from tournaments.access.rights import VISITOR, Asker
from tournaments.api.exceptions import ProblemError
from tournaments.core.actors import Source
from tournaments.core.errors import NotSignedInError
from tournaments.models import Account
from tournaments.people import accounts, api_keys

CREDENTIALS_MAX = 200


def asker_of(request: Request) -> Asker:
    """Return the asker; the visitor where nothing was shown."""
    found = request.auth
    return found if isinstance(found, Asker) else VISITOR


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
        return account, person(account)


def person(account: Account) -> Asker:
    """Somebody who signed in, as they ask of the API. One query."""
    return accounts.asker_of(account, Source.API)


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
