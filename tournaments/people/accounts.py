"""Accounts: made, signed in with, locked for a while after too many wrong passwords.

Failures are counted in the database by the pair of account and network address. By the address
alone, one who mistypes would lock out their whole club; in a process's memory, every further
process would be another chance.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from engine.messages import Message, message_of
from tournaments.access.rights import Asker, RoleInClub
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import ConflictError, RefusedError, TooOftenError
from tournaments.models import Account, Role, RoleKind, SetupCode, SignInCount
from tournaments.models.limits import max_length

TRIES: Final = 5
COOL_OFF: Final = timedelta(minutes=15)
PASSWORD_LEAST: Final = 12
"""As the validators of the settings say."""
PASSWORD_MOST: Final = 200
NAME_MOST: Final = max_length(Account, "name")


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
    if not new.name or len(new.name) > NAME_MOST:
        raise RefusedError(Message("A name has 1 to {most} characters.", most=NAME_MOST), "name")
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
    return account


@transaction.atomic
def change_password(*, email: str, password: str) -> Account:
    """Give an account another password; that ends its sessions. Raises RefusedError."""
    account = Account.objects.select_for_update(no_key=True).filter(email=email.lower()).first()
    if account is None:
        raise RefusedError(Message("Nobody has an account with this address."), "email")
    check_password(password, account)
    account.set_password(password)
    account.save(update_fields=["password"])
    unlock(email=email)
    return account


def set_superuser(*, email: str, is_superuser: bool) -> None:
    """Let an account into the admin, or no longer. Raises RefusedError where there is none."""
    if not Account.objects.filter(email=email.lower()).update(is_superuser=is_superuser):
        raise RefusedError(Message("Nobody has an account with this address."), "email")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPassword:
    """What somebody signs in by from now on, with the password that they have, as a proof."""

    password: str
    new_password: str


def replace_password(
    *, account: Account, new: NewPassword, address: str, request: HttpRequest, at: datetime
) -> Account:
    """Change one's own password; all sessions end.

    Raises RefusedError for a wrong or poor password, TooOftenError after some wrong ones.
    """
    found = authenticate_account(
        email=account.email, password=new.password, address=address, request=request, at=at
    )
    if found is None or found.pk != account.pk:
        raise RefusedError(Message("This is not your password."), "password")
    if new.new_password == new.password:
        raise RefusedError(Message("This is the password that you have."), "new_password")
    try:
        return change_password(email=account.email, password=new.new_password)
    except RefusedError as error:
        raise RefusedError(message_of(error), "new_password") from error


def check_password(password: str, account: Account) -> None:
    """Refuse what is too short, too common or too much like the account. Raises RefusedError."""
    if len(password) > PASSWORD_MOST:
        raise RefusedError(
            Message("A password may have {most} characters.", most=PASSWORD_MOST), "password"
        )
    try:
        validate_password(password, account)
    except ValidationError as error:
        raise RefusedError(" ".join(error.messages), "password") from error


def authenticate_account(
    *, email: str, password: str, address: str, request: HttpRequest, at: datetime
) -> Account | None:
    """Return the account, or None; an unknown address takes as long as a wrong password.

    Raises TooOftenError after some failures of this pair.
    """
    count_try(email, address, at)
    account = authenticate(request, username=email.lower(), password=password)
    if not isinstance(account, Account):
        return None
    SignInCount.objects.filter(email=email.lower(), address=address).delete()
    return account


@transaction.atomic
def count_try(email: str, address: str, at: datetime) -> None:
    """Count an attempt before it is made, so that parallel attempts cannot exceed the limit.

    Raises TooOftenError after some of this pair; without an email it is the setup code that is
    tried.
    """
    email = email.lower()
    SignInCount.objects.get_or_create(email=email, address=address, defaults={"since": at})
    row = SignInCount.objects.select_for_update(no_key=True).get(email=email, address=address)
    if at >= row.since + COOL_OFF:
        row.tries, row.since = 0, at
    if row.tries >= TRIES:
        wait = (row.since + COOL_OFF - at).total_seconds()
        raise TooOftenError(Message("Too many wrong passwords; wait a while."), int(wait) + 1)
    row.tries += 1
    row.save(update_fields=["tries", "since"])


def asker_of(account: Account, source: Source) -> Asker:
    """Somebody who signed in, with their roles. One query."""
    roles: dict[UUID | None, set[RoleInClub]] = {}
    for club, kind in Role.objects.filter(account=account).values_list("club_id", "kind"):
        roles.setdefault(club, set()).add(RoleInClub(kind))
    actor = Actor(ActorKind.PERSON, source, account.pk)
    return Asker(actor, {club: frozenset(parts) for club, parts in roles.items()})


def unlock(*, email: str) -> int:
    """Let somebody try again at once, from anywhere; how many pairs were counted."""
    return SignInCount.objects.filter(email=email.lower()).delete()[0]


def forget(*, at: datetime) -> int:
    """Remove failures that count no more, with their addresses, and sessions that are over."""
    tries = SignInCount.objects.filter(since__lt=at - COOL_OFF).delete()[0]
    return tries + Session.objects.filter(expire_date__lt=at).delete()[0]
