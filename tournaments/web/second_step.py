"""Between the password and the second step: whom a browser has shown the password of."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from tournaments.models import Account

LIFE: Final = timedelta(minutes=10)
_KEY: Final = "second_step"


@dataclass(frozen=True, slots=True)
class SecondStep:
    """Somebody about to sign in, and to which page they want to go then."""

    account: Account
    wanted: str


def begin_second_step(request: HttpRequest, account: Account, *, wanted: str, at: datetime) -> None:
    """Remember in the session, for some minutes, that the password was right."""
    request.session.flush()
    request.session[_KEY] = {
        "account": str(account.pk),
        "auth_hash": account.get_session_auth_hash(),
        "ends_at": (at + LIFE).isoformat(),
        "wanted": wanted,
    }


def find_second_step(request: HttpRequest, *, at: datetime) -> SecondStep | None:
    """Return who is about to sign in; None after a while, and after the password was changed."""
    begun = request.session.get(_KEY)
    if begun is None or at >= datetime.fromisoformat(begun["ends_at"]):
        return None
    account = Account.objects.filter(pk=begun["account"], is_active=True).first()
    if account is None or not constant_time_compare(
        begun["auth_hash"], account.get_session_auth_hash()
    ):
        return None
    return SecondStep(account, begun["wanted"])


def end_second_step(request: HttpRequest) -> None:
    """Forget who was about to sign in."""
    request.session.pop(_KEY, None)
