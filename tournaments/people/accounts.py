"""Accounts: made, signed in with, and slower to sign in with after too many wrong passwords.

Failures are counted in the database: in a process's memory, every further process would be another
chance. They are counted by the pair of account and network, where a few lock it for a while; by
the network alone, one who mistypes would lock out their whole club. And they are counted by the
account over all networks, where each further one lets the next wait longer. Neither holds for a
device that is known to the account (`known_devices`), which has a count of its own: a stranger who
guesses keeps nobody out.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Greatest
from django.http import HttpRequest

from engine.core.messages import Message, message_of
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import ConflictError, RefusedError, TooOftenError
from tournaments.models import Account, Role, RoleKind, SetupCode, SignInCount
from tournaments.models.limits import max_length
from tournaments.people import sessions
from tournaments.people.known_devices import find_device

TRIES: Final = 5
COOL_OFF: Final = timedelta(minutes=15)
TRIES_ANYWHERE: Final = 10
"""How many tries of unknown devices, from wherever, an account has before they have to wait."""
FIRST_WAIT: Final = timedelta(seconds=15)
"""Doubled with every further try, up to `COOL_OFF`: then about a hundred guesses a day."""
REMEMBERED: Final = timedelta(days=1)
"""After so long without a try from anywhere, those of an account are forgotten."""
SECOND_STEP: Final = " second step"
"""Added to the address of an account where codes are counted, not passwords."""
_ANYWHERE: Final = "*"
"""In place of a network: all of them."""
_SIGNED_IN: Final = "signed in"
"""In place of a network: somebody who is signed in and types their password once more."""
PASSWORD_LEAST: Final = 12
"""As the validators of the settings say."""
PASSWORD_MAX: Final = 200
NAME_MAX: Final = max_length(Account, "name")
OPERATOR: Final = Message("operator admitted")
NO_OPERATOR: Final = Message("operator dismissed")
FEDERATION_ADMIN: Final = Message("federation admin made")
"""Entries of the trail of an account, with which `verify` compares what holds beyond clubs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAccount:
    """Somebody who will be able to sign in."""

    email: str
    name: str
    password: str


def has_accounts() -> bool:
    """Whether anybody can sign in here. One query."""
    return Account.objects.exists()


@transaction.atomic
def make_account(*, new: NewAccount, federation: bool = False, at: datetime) -> Account:
    """Make an account, perhaps of a federation's admin. Raises RefusedError.

    Nobody can be the first any more: no code opens the page for that.
    """
    if not new.name or len(new.name) > NAME_MAX:
        raise RefusedError(Message("A name has 1 to {most} characters.", most=NAME_MAX), "name")
    account = Account(email=new.email.lower(), name=new.name, created_at=at)
    check_password(new.password, account)
    try:
        with transaction.atomic():
            account.set_password(new.password)
            account.save(force_insert=True)
    except IntegrityError as error:
        raise ConflictError(Message("There is an account with this address."), "email") from error
    SetupCode.objects.all().delete()
    if federation:
        Role.objects.create(account=account, kind=RoleKind.FEDERATION, created_at=at)
        by = Actor(ActorKind.SYSTEM, Source.COMMAND)
        _note(FEDERATION_ADMIN, account, by, at)
    return account


def _note(what: Message, account: Account, by: Actor, at: datetime) -> None:
    """Note what holds beyond clubs in a trail of the account; the caller holds its lock."""
    action = AuditRecord(what, details={"account": account.pk})
    audit.note(action, chain=account.pk, club=None, by=by, at=at)


@transaction.atomic
def change_password(*, email: str, password: str) -> Account:
    """Give an account another password; that ends its sessions. Raises RefusedError."""
    account = Account.objects.select_for_update(no_key=True).filter(email=email.lower()).first()
    if account is None:
        raise RefusedError(Message("Nobody has an account with this address."), "email")
    check_password(password, account)
    account.set_password(password)
    account.save(update_fields=["password"])
    sessions.end_sessions(account=account)
    unlock(email=email)
    return account


@transaction.atomic
def set_superuser(*, email: str, is_superuser: bool, by: Actor, at: datetime) -> None:
    """Let an account into the admin, or no longer. Raises RefusedError where there is none."""
    account = Account.objects.select_for_update(no_key=True).filter(email=email.lower()).first()
    if account is None:
        raise RefusedError(Message("Nobody has an account with this address."), "email")
    if account.is_superuser != is_superuser:
        account.is_superuser = is_superuser
        account.save(update_fields=["is_superuser"])
        _note(OPERATOR if is_superuser else NO_OPERATOR, account, by, at)


def replace_password(
    *,
    account: Account,
    password: str,
    new_password: str,
    address: str,
    request: HttpRequest,
    at: datetime,
) -> Account:
    """Change one's own password, with the one that they have as a proof; all sessions end.

    Raises RefusedError for a wrong or poor password, TooOftenError after some wrong ones.
    """
    found = authenticate_account(
        email=account.email, password=password, address=address, request=request, at=at
    )
    if found is None or found.pk != account.pk:
        raise RefusedError(Message("This is not your password."), "password")
    if new_password == password:
        raise RefusedError(Message("This is the password that you have."), "new_password")
    try:
        return change_password(email=account.email, password=new_password)
    except RefusedError as error:
        raise RefusedError(message_of(error), "new_password") from error


def check_password(password: str, account: Account) -> None:
    """Refuse what is too short, too common or too much like the account. Raises RefusedError."""
    if len(password) > PASSWORD_MAX:
        raise RefusedError(
            Message("A password may have {most} characters.", most=PASSWORD_MAX), "password"
        )
    try:
        validate_password(password, account)
    except ValidationError as error:
        raise RefusedError(" ".join(error.messages), "password") from error


def authenticate_account(
    *, email: str, password: str, address: str, request: HttpRequest, at: datetime
) -> Account | None:
    """Return the account, or None; an unknown address takes as long as a wrong password.

    ``address`` is a network (`network_of`). Raises TooOftenError after some failures.
    """
    is_signed_in = isinstance(request.user, Account) and request.user.email == email.lower()
    device = _SIGNED_IN if is_signed_in else find_device(request, email)
    count_try(email, address, at, device=device)
    account = authenticate(request, username=email.lower(), password=password)
    if not isinstance(account, Account):
        return None
    forgive_tries(email, device or address)
    return account


@transaction.atomic
def count_try(email: str, address: str, at: datetime, *, device: str = "") -> None:
    """Count an attempt before it is made, so that parallel attempts cannot exceed the limit.

    ``address`` is a network, ``device`` the number of a known device. Without an email it is the
    setup code that is tried. Raises TooOftenError after some of this pair, or of all networks.
    """
    email = email.lower()
    row = _lock_count(email, device or address, at)
    if at >= row.since + COOL_OFF:
        row.tries, row.since = 0, at
    if row.tries >= TRIES:
        raise _too_often(row.since + COOL_OFF - at)
    row.tries += 1
    row.save(update_fields=["tries", "since"])
    if email and not device:
        _count_anywhere(email, at)


def _count_anywhere(email: str, at: datetime) -> None:
    row = _lock_count(email, _ANYWHERE, at)
    if at >= row.since + REMEMBERED:
        row.tries = 0
    if row.tries >= TRIES_ANYWHERE:
        # Beyond ten doublings it is the longest wait in any case.
        wait = min(FIRST_WAIT * 2 ** min(row.tries - TRIES_ANYWHERE, 10), COOL_OFF)
        if at < row.since + wait:
            raise _too_often(row.since + wait - at)
    row.tries, row.since = row.tries + 1, at
    row.save(update_fields=["tries", "since"])


def _lock_count(email: str, address: str, at: datetime) -> SignInCount:
    SignInCount.objects.get_or_create(email=email, address=address, defaults={"since": at})
    return SignInCount.objects.select_for_update(no_key=True).get(email=email, address=address)


def _too_often(wait: timedelta) -> TooOftenError:
    return TooOftenError(
        Message("Too many wrong passwords; wait a while."), int(wait.total_seconds()) + 1
    )


@transaction.atomic
def forgive_tries(email: str, address: str) -> None:
    """Forget the tries of a pair that got in; what others tried for the account still counts."""
    email = email.lower()
    rows = SignInCount.objects.select_for_update(no_key=True).filter(email=email)
    own = rows.filter(address=address).first()
    if own is None:
        return
    own.delete()
    SignInCount.objects.filter(email=email, address=_ANYWHERE).update(
        tries=Greatest(F("tries") - own.tries, 0)
    )
    SignInCount.objects.filter(email=email, address=_ANYWHERE, tries=0).delete()


def unlock(*, email: str) -> int:
    """Let somebody try again at once, from anywhere; how many counts there were."""
    email = email.lower()
    rows = SignInCount.objects.filter(email__in=(email, f"{email}{SECOND_STEP}"))
    return rows.delete()[0]


def delete_expired(*, at: datetime) -> int:
    """Remove failures that count no more, with their addresses, and sessions that are over."""
    counts = SignInCount.objects.filter(since__lt=at - COOL_OFF)
    tries = counts.exclude(address=_ANYWHERE, since__gte=at - REMEMBERED).delete()[0]
    return tries + sessions.delete_expired(at=at)
