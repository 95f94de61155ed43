"""Sessions of accounts: where somebody is signed in, listed and ended."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth import login
from django.contrib.sessions.backends.base import SessionBase
from django.db import OperationalError
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from tournaments.core.public_address import blur
from tournaments.models import Account, AccountSession
from tournaments.models.account import SIGNED_IN_KEY, USER_AGENT_MAX, StoredKey

_SEEN_EVERY: Final = timedelta(hours=1)
"""How exactly the last use of a session is known."""


def sign_in(request: HttpRequest, account: Account, *, address: str, at: datetime) -> None:
    """Begin a session of somebody who has shown all that signing in asks of them."""
    login(request, account)
    request.session[SIGNED_IN_KEY] = {
        "user_agent": request.headers.get("User-Agent", "")[:USER_AGENT_MAX],
        "network": blur(address),
        "at": at.isoformat(),
    }


def note_use(session: SessionBase, *, at: datetime) -> None:
    """Note that a session is used, once an hour. One query, seldom two."""
    rows = AccountSession.objects.filter(session_key=session.session_key)
    if rows.filter(Q(used_at=None) | Q(used_at__lt=at - _SEEN_EVERY)).exists():
        # A page that is only read is shown while the disk is full or nobody may write.
        with suppress(OperationalError):
            rows.update(used_at=at)


def list_sessions(account: Account, *, at: datetime) -> QuerySet[AccountSession]:
    """The sessions of an account that hold, the one that was used last first."""
    rows = AccountSession.objects.filter(account=account, expire_date__gt=at)
    return rows.order_by("-used_at", "session_key")


def stored_key(session: SessionBase) -> StoredKey:
    """Return how a session is called in lists: the digest of its key."""
    key = AccountSession._meta.pk.get_prep_value(session.session_key)
    assert isinstance(key, StoredKey)
    return key


def end_session(*, account: Account, key: str) -> None:
    """End a session of an account, by what `stored_key` returns; one that ended stays ended."""
    AccountSession.objects.filter(account=account, session_key=StoredKey(key)).delete()


def end_sessions(*, account: Account, but: SessionBase | None = None) -> int:
    """End all sessions of an account, perhaps but one; how many there were."""
    rows = AccountSession.objects.filter(account=account)
    if but is not None:
        rows = rows.exclude(session_key=stored_key(but))
    return rows.delete()[0]


def delete_expired(*, at: datetime) -> int:
    """Delete sessions that are over; how many there were."""
    return AccountSession.objects.filter(expire_date__lt=at).delete()[0]
