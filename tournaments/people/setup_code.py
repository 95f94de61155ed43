"""The first account: a code lets whoever runs the installation make it, with their club.

The code is shown once to who starts the service, and kept as a digest. It is worth nothing after a
day, when a newer one is made, or once anybody has an account.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Any, Final
from urllib.parse import urljoin

from django.db import transaction
from django.urls import reverse

from engine.core.messages import Message
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import GoneError, RefusedError
from tournaments.core.ids import group_code, normalize_code, random_code
from tournaments.models import Account, Club, SetupCode
from tournaments.people import accounts
from tournaments.people.accounts import NewAccount
from tournaments.people.api_keys import digest_of
from tournaments.people.clubs import create_club

LIFE: Final = timedelta(hours=24)
CODE_MAX: Final = 100
"""Characters of a code as somebody types it."""
_LENGTH: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstAccount:
    """The first account of an installation, and the club that they run."""

    account: NewAccount
    club: Mapping[str, Any]


@transaction.atomic
def make_setup_code(*, at: datetime) -> str:
    """Make a code; one that was made before is worth nothing any more.

    Raises GoneError where somebody has an account.
    """
    refuse_later_accounts()
    code = group_code(random_code(_LENGTH))
    SetupCode.objects.all().delete()
    SetupCode.objects.create(digest=_digest(code), created_at=at, ends_at=at + LIFE)
    return code


def refuse_later_accounts() -> None:
    """Raise GoneError where somebody has an account."""
    if accounts.has_accounts():
        raise GoneError(Message("Somebody has an account here already."))


def make_first_account(
    *, code: str, first: FirstAccount, address: str, at: datetime
) -> tuple[Account, Club]:
    """Make the account that the code is for and its club, and use the code up.

    Raises GoneError where somebody has an account, TooOftenError after some wrong codes from this
    address of the network, RefusedError for a wrong code, name, e-mail address or password.
    """
    accounts.count_try("", address, at)
    with transaction.atomic():
        _check(code, at)
    accounts.unlock(email="")
    with transaction.atomic():
        # Again, now locked: of two who send the same code at once the second finds it used.
        _check(code, at)
        account = accounts.make_account(new=first.account, at=at)
        by = Actor(ActorKind.PERSON, Source.PAGE, account.pk)
        return account, create_club(new=first.club, by=by, at=at)


def _check(code: str, at: datetime) -> None:
    """Lock the code that holds, and compare. Raises GoneError and RefusedError."""
    row = SetupCode.objects.select_for_update().first()
    refuse_later_accounts()
    if row is None or not compare_digest(row.digest, _digest(code)):
        raise RefusedError(Message("This is not the code. It may have been replaced."), "code")
    if at >= row.ends_at:
        raise RefusedError(Message("This code has expired; have another one made."), "code")


def _digest(code: str) -> str:
    """The digest of a code, however its groups were typed."""
    return digest_of(normalize_code(code))


def setup_address(site: str, code: str) -> str:
    """Return the address with the code behind its ``#``, which browsers send to no server.

    >>> setup_address("https://hearts.example", "K7QM-2FXD-WPRT-9ABC")
    'https://hearts.example/desk/set-up/#K7QM-2FXD-WPRT-9ABC'
    """
    return f"{urljoin(site, reverse('set-up'))}#{code}"
