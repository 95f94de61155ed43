"""Links by e-mail for somebody who forgot their password.

A link works once and for a time; of its token only a digest is stored. Whoever opens one has shown
that the address is theirs: wrong passwords that were counted are forgotten. A second step is asked
for all the same.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.crypto import salted_hmac

from tournaments.core.errors import NotThereError
from tournaments.models import Account, PasswordLink
from tournaments.people.accounts import change_password
from tournaments.people.api_keys import digest_of

LIFE: Final = timedelta(minutes=30)
LINKS_MAX: Final = 5
"""How many links an account is sent within a day, and none while one is open."""
TOKEN_MAX: Final = 100
_DAY: Final = timedelta(days=1)


@transaction.atomic
def request_password_link(*, email: str, site: str, language: str, at: datetime) -> None:
    """Have a link sent to an account; nothing happens where there is none, or one is open.

    ``site`` is the address of the service, without a slash at the end.
    """
    accounts = Account.objects.select_for_update(no_key=True)
    account = accounts.filter(email=email.lower(), is_active=True).first()
    if account is None:
        return
    links = PasswordLink.objects.filter(account=account)
    if links.filter(ends_at__gt=at).exists() or (
        links.filter(made_at__gt=at - _DAY).count() >= LINKS_MAX
    ):
        return
    link = PasswordLink(
        account=account, language=language, site=site, made_at=at, ends_at=at + LIFE, due_at=at
    )
    link.digest = digest_of(password_token(link))
    link.save()


def password_token(link: PasswordLink) -> str:
    """Return the token of a link, made of its id with the key of the installation."""
    return salted_hmac("a link to a password", str(link.pk), algorithm="sha256").hexdigest()


def find_password_link(token: str, *, at: datetime) -> PasswordLink:
    """Return the open link that a token belongs to, with its account. Raises NotThereError."""
    rows = PasswordLink.objects.select_related("account")
    digest = digest_of(token[:TOKEN_MAX]) if token.isascii() else ""
    found = rows.filter(digest=digest, ends_at__gt=at, account__is_active=True).first()
    if found is None:
        raise NotThereError
    return found


@transaction.atomic
def use_password_link(*, token: str, password: str, at: datetime) -> Account:
    """Give the account of a link another password, and use its links up; all its sessions end.

    Raises NotThereError, and RefusedError for a poor password.
    """
    account_id = find_password_link(token, at=at).account_id
    account = Account.objects.select_for_update(no_key=True).get(pk=account_id)
    find_password_link(token, at=at)
    changed = change_password(email=account.email, password=password)
    PasswordLink.objects.filter(account=account, ends_at__gt=at).update(ends_at=at, due_at=None)
    return changed


def delete_expired(*, at: datetime) -> int:
    """Delete links that ended a day ago, until when they are counted; how many there were."""
    return PasswordLink.objects.filter(ends_at__lte=at, made_at__lte=at - _DAY).delete()[0]
