"""Known devices: browsers in which somebody signed in to an account before, by a signed cookie.

Whoever guesses passwords has none, so that their guesses can be slowed without keeping the owner
out. The cookie signs nobody in. It names accounts by digests, each with the number by which wrong
passwords of this device are counted.
"""

import secrets
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac

from tournaments.models import Account

COOKIE: Final = "painsuit-known"
ACCOUNTS_MAX: Final = 5
"""How many accounts a device is known to; a further one replaces the one of longest ago."""
_AGE: Final = timedelta(days=400)
"""As long as browsers keep a cookie."""
_SALT: Final = "a known device"
_BYTES: Final = 12


def find_device(request: HttpRequest, email: str) -> str:
    """Return the number of this device if it is known to the account, else an empty text."""
    return _read(request).get(_digest(email), "")


def remember_device(request: HttpRequest, response: HttpResponseBase, account: Account) -> None:
    """Let the response tell the browser that it is known to the account; with a new number."""
    digest = _digest(account.email)
    known = {one: number for one, number in _read(request).items() if one != digest}
    kept = dict(list(known.items())[-(ACCOUNTS_MAX - 1) :])
    response.set_cookie(
        COOKIE,
        signing.dumps({**kept, digest: secrets.token_urlsafe(_BYTES)}, salt=_SALT),
        max_age=_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(request: HttpRequest) -> dict[str, str]:
    try:
        known: dict[str, str] = signing.loads(
            request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=_AGE
        )
    except signing.BadSignature:
        return {}
    return known


def _digest(email: str) -> str:
    return salted_hmac(_SALT, email.lower(), algorithm="sha256").hexdigest()[:32]
