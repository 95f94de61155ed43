"""Second factors: what somebody shows besides their password, and codes for when it is lost.

A code of an app holds once, within the period of 30 s that it is made for and one before and after.
Recovery codes hold once each. Who sets up, changes or removes a factor ends all other sessions.
Passkeys are in `passkeys`.
"""

import base64
import secrets
from datetime import datetime
from typing import Final
from uuid import UUID

from cryptography.hazmat.primitives import constant_time
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from engine.core.messages import Message
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.encryption import UnreadableSecretError, decrypt_text, encrypt_text
from tournaments.core.errors import ConflictError, NotThereError, RefusedError
from tournaments.core.ids import group_code, normalize_code, random_code
from tournaments.models import Account, Club, FactorKind, RecoveryCode, Role, SecondFactor
from tournaments.people import accounts, sessions

CODE_MAX: Final = 30
"""Characters of a code that are looked at."""
RECOVERY_CODES: Final = 10
FACTORS_MAX: Final = 20
_RECOVERY_LENGTH: Final = 12
"""About 58 bits."""
_SECRET_BYTES: Final = 20
_PERIOD: Final = 30  # seconds
_DIGITS: Final = 6
_WRONG_CODE: Final = Message(
    "This code is not right. Wait for the next one in the app, and check that the phone's clock"
    " is right."
)


def has_second_factor(account: Account) -> bool:
    """Whether signing in asks for more than the password. One query."""
    return SecondFactor.objects.filter(account=account).exists()


def list_factors(account: Account) -> QuerySet[SecondFactor]:
    """The second factors of an account, the oldest first."""
    return SecondFactor.objects.filter(account=account).order_by("made_at", "pk")


def count_recovery_codes(account: Account) -> int:
    """Count the recovery codes that are left."""
    return RecoveryCode.objects.filter(account=account).count()


def make_app_secret() -> str:
    """Make the secret for an app, in letters that can be typed (base32)."""
    return base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode("ascii")


def app_address(secret: str, *, email: str, issuer: str) -> str:
    """Return what the QR code for an app says (``otpauth://totp/...``)."""
    return _totp(secret).get_provisioning_uri(email, issuer)


@transaction.atomic
def add_app(
    *, account_id: UUID, secret: str, code: str, session: SessionBase, by: Actor, at: datetime
) -> list[str]:
    """Ask for the codes of an app from now on; returns recovery codes if these are the first.

    Raises ConflictError where there is an app already, and RefusedError for a code that does not
    fit.
    """
    account = _lock(account_id)
    if SecondFactor.objects.filter(account=account, kind=FactorKind.APP).exists():
        raise ConflictError(Message("An app is set up already; remove it first."), "code")
    step = _matching_step(secret, code, after=0, at=at)
    if step is None:
        raise RefusedError(_WRONG_CODE, "code")
    return add_factor(
        SecondFactor(
            account=account,
            kind=FactorKind.APP,
            secret=encrypt_text(secret),
            last_step=step,
            made_at=at,
        ),
        session=session,
        by=by,
    )


def add_factor(factor: SecondFactor, *, session: SessionBase, by: Actor) -> list[str]:
    """Store a factor of a locked account, and end its other sessions.

    Returns recovery codes if it is the first. Raises RefusedError where there are too many.
    """
    account, at = factor.account, factor.made_at
    count = SecondFactor.objects.filter(account=account).count()
    if count >= FACTORS_MAX:
        raise RefusedError(Message("You have enough of these; remove one first."))
    factor.save(force_insert=True)
    sessions.end_sessions(account=account, but=session)
    _note(Message("second step set up"), account, by, at, kind=str(factor.kind))
    return _replace_recovery_codes(account) if count == 0 else []


@transaction.atomic
def make_recovery_codes(*, account_id: UUID, by: Actor, at: datetime) -> list[str]:
    """Make ten recovery codes, ``ABCD-EFGH-JKLM``; earlier ones hold no more.

    Raises NotThereError for an account without a second factor.
    """
    account = _lock(account_id)
    if not has_second_factor(account):
        raise NotThereError
    _note(Message("recovery codes made"), account, by, at)
    return _replace_recovery_codes(account)


@transaction.atomic
def remove_factor(
    *, account_id: UUID, factor_id: UUID, session: SessionBase, by: Actor, at: datetime
) -> None:
    """Ask for one factor no more, and end the other sessions; with the last go recovery codes."""
    account = _lock(account_id)
    second_factor = SecondFactor.objects.filter(account=account, pk=factor_id).first()
    if second_factor is None:
        return
    second_factor.delete()
    if not has_second_factor(account):
        RecoveryCode.objects.filter(account=account).delete()
    sessions.end_sessions(account=account, but=session)
    _note(Message("second step taken off"), account, by, at, kind=str(second_factor.kind))


@transaction.atomic
def remove_all_factors(*, email: str, by: Actor, at: datetime) -> None:
    """Let somebody who lost theirs sign in by the password alone; ends all sessions.

    Raises RefusedError for an address that nobody has, or an account without a second factor.
    """
    account = Account.objects.select_for_update(no_key=True).filter(email=email.lower()).first()
    if account is None:
        raise RefusedError(Message("Nobody has an account with this address."), "email")
    if not SecondFactor.objects.filter(account=account).delete()[0]:
        raise RefusedError(Message("Nothing but the password is asked of this account."), "email")
    RecoveryCode.objects.filter(account=account).delete()
    sessions.end_sessions(account=account)
    accounts.unlock(email=email)
    _note(Message("second step taken off"), account, by, at, kind="all")


def check_code(
    *, account: Account, code: str, address: str, device: str = "", at: datetime
) -> bool:
    """Whether a code of the app or a recovery code is right, which is then used up.

    Counts the try as `accounts.count_try` does. Raises TooOftenError.
    """
    counted_as = f"{account.email}{accounts.SECOND_STEP}"
    accounts.count_try(counted_as, address, at, device=device)
    is_right = _use_code(account.pk, code, at)
    if is_right:
        accounts.forgive_tries(counted_as, device or address)
    return is_right


@transaction.atomic
def _use_code(account_id: UUID, code: str, at: datetime) -> bool:
    account = _lock(account_id)
    app = SecondFactor.objects.filter(account=account, kind=FactorKind.APP).first()
    if app is not None:
        try:
            step = _matching_step(decrypt_text(app.secret), code, after=app.last_step, at=at)
        except UnreadableSecretError:
            step = None  # a backup without its key: an operator takes the factor off
        if step is not None:
            app.last_step, app.used_at = step, at
            app.save(update_fields=["last_step", "used_at"])
            return True
    digest = _digest(account, code)
    return bool(RecoveryCode.objects.filter(account=account, digest=digest).delete()[0])


def _lock(account_id: UUID) -> Account:
    """Lock the row of an account, under which its factors and recovery codes change."""
    return Account.objects.select_for_update(no_key=True).get(pk=account_id)


def _matching_step(secret: str, code: str, *, after: int, at: datetime) -> int | None:
    """The period for which a code is made, if it is near and comes after the last one used."""
    typed = "".join(code[:CODE_MAX].split())
    if not (typed.isascii() and typed.isdecimal() and len(typed) == _DIGITS):
        return None
    totp, now = _totp(secret), int(at.timestamp()) // _PERIOD
    for step in (now - 1, now, now + 1):
        is_same = constant_time.bytes_eq(totp.generate(step * _PERIOD), typed.encode())
        if is_same and step > after:
            return step
    return None


def _totp(secret: str) -> TOTP:
    # SHA-1, six digits and 30 s are what every app knows.
    return TOTP(base64.b32decode(secret), _DIGITS, SHA1(), _PERIOD)  # noqa: S303


def _replace_recovery_codes(account: Account) -> list[str]:
    codes = [group_code(random_code(_RECOVERY_LENGTH)) for _ in range(RECOVERY_CODES)]
    RecoveryCode.objects.filter(account=account).delete()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(account=account, digest=_digest(account, code)) for code in codes
    )
    return codes


def _digest(account: Account, code: str) -> str:
    text = f"{account.pk} {normalize_code(code[:CODE_MAX])}"
    return salted_hmac("a recovery code", text, algorithm="sha256").hexdigest()


def _note(what: Message, account: Account, by: Actor, at: datetime, **details: str) -> None:
    """Note it in the trail of each club in which the account has a role."""
    held = Role.objects.filter(account=account).values("club")
    clubs = Club.objects.select_for_update(no_key=True).filter(pk__in=held)
    for club in clubs.order_by("pk"):
        action = AuditRecord(what, details={"account": account.pk, **details})
        audit.note(action, chain=club.pk, club=club.pk, by=by, at=at)
