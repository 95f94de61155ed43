"""Accounts that sign in: sessions, links for passwords, the second step and its codes."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar, Final

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournaments.core.ids import new_id
from tournaments.models.leased_row import LeasedRow

USER_AGENT_MAX = 300
SIGNED_IN_KEY: Final = "signed_in"
"""The key in a session under which stands how somebody signed in."""
FACTOR_NAME_MAX = 60


class Accounts(BaseUserManager["Account"]):
    """Makes accounts; the address is kept as it was given and compared without its case."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "Account":
        account = self.model(email=self.normalize_email(email).lower(), **fields)
        account.set_password(password)
        account.save(using=self._db)
        return account

    def get_by_natural_key(self, username: str | None) -> "Account":
        return self.get(email=(username or "").lower())


class Account(AbstractBaseUser):
    """Somebody who can sign in. What they may do in clubs stands in their roles, never here.

    ``is_superuser``: an operator of the service, who may look at everything in the admin. It gives
    no right in any club.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200)
    is_active = models.BooleanField(default=True)
    is_superuser = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField()

    objects: ClassVar[Accounts] = Accounts()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    def __str__(self) -> str:
        return self.name

    # What Django's admin asks of an account.

    @property
    def is_staff(self) -> bool:
        """Whether the admin lets this account in."""
        return self.is_superuser

    def has_perm(self, _permission: str, _row: object = None) -> bool:
        """Whether the admin shows something: to operators everything."""
        return self.is_active and self.is_superuser

    def has_module_perms(self, _app: str) -> bool:
        """Whether the admin lists an application."""
        return self.is_active and self.is_superuser


class StoredKey(str):
    """The digest of the key of a session, as it stands in the database."""

    __slots__ = ()


class SessionKeyField(models.CharField):  # type: ignore[type-arg]  # Django's takes one only in stubs
    """The key of a session: the browser has it, the database only its digest.

    Whoever reads the database or a backup can sign in with nothing that stands there.
    """

    def get_prep_value(self, value: Any) -> Any:
        """Return the digest of a key; one that came from the database stays what it is."""
        if value is None or isinstance(value, StoredKey):
            return value
        digest = salted_hmac("the key of a session", str(value), algorithm="sha256").hexdigest()
        return StoredKey(digest)

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        """To migrations it is a text."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs

    def from_db_value(self, value: str | None, *_args: object) -> StoredKey | None:
        return None if value is None else StoredKey(value)


class AccountSession(AbstractBaseSession):
    """A session of a browser; where somebody signed in, their account and how the device looks.

    ``network`` is the network that it came from at first, not exactly; ``used_at`` is exact to
    an hour.
    """

    session_key = SessionKeyField(max_length=64, primary_key=True)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, related_name="+")
    user_agent = models.CharField(max_length=USER_AGENT_MAX, blank=True, default="")
    network = models.CharField(max_length=64, blank=True, default="")
    made_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"session of {self.account_id} until {self.expire_date:%Y-%m-%d}"


class SessionStore(DatabaseStore):
    """The session engine: Django's own in the database, which also fills our columns."""

    @classmethod
    def get_model_class(cls) -> type[AccountSession]:
        return AccountSession

    def create_model_instance(self, data: dict[str, Any]) -> AccountSession:
        """Return the row of a session as it is now."""
        row = super().create_model_instance(data)
        assert isinstance(row, AccountSession)
        row.account_id = data.get(SESSION_KEY)
        about = data.get(SIGNED_IN_KEY, {})
        row.user_agent, row.network = about.get("user_agent", ""), about.get("network", "")
        row.used_at = timezone.now()
        row.made_at = datetime.fromisoformat(about["at"]) if about else row.used_at
        return row


class PasswordLink(LeasedRow):
    """A link by which somebody chooses another password, once and before ``ends_at``.

    A worker sends it by e-mail, in ``language`` and to the page at ``site``. Only the digest of
    its token is kept. Using it ends it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    language = models.CharField(max_length=10, blank=True)
    site = models.CharField(max_length=300)
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(due_at__isnull=False),
                name="password_link_is_due",
            )
        ]

    def __str__(self) -> str:
        return f"until {self.ends_at}"


class FactorKind(models.TextChoices):
    """Kinds of proofs besides the password."""

    APP = "app"
    """A code that an app on their phone makes (TOTP, RFC 6238)."""
    PASSKEY = "passkey"
    """A passkey of a device, or a security key (WebAuthn)."""


class SecondFactor(models.Model):
    """Something that somebody shows besides their password when they sign in.

    ``secret`` is encrypted (`tournaments.core.encryption`): of an app its key, of a passkey its
    identifier and public key. ``last_step`` is the period of 30 s (Unix time) of the last code of
    an app that was used; that code and older ones hold no more.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=7, choices=FactorKind)
    name = models.CharField(max_length=FACTOR_NAME_MAX, blank=True, default="")
    secret = models.TextField()
    last_step = models.BigIntegerField(default=0)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=FactorKind.values),
                name="kind_of_a_second_factor_is_known",
            ),
            models.UniqueConstraint(
                fields=["account"],
                condition=models.Q(kind=FactorKind.APP),
                name="an_account_has_one_app",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} since {self.made_at:%Y-%m-%d}"


class RecoveryCode(models.Model):
    """A code that replaces the second factor once; deleted when it is used."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "digest"], name="recovery_code_once"),
        ]

    def __str__(self) -> str:
        return "a recovery code"


class SignInCount(models.Model):
    """The number of failed sign-ins from a network, since ``since``.

    Counted by the pair and never by the network alone: a whole club sits behind one. In place of
    ``address`` stand the number of a known device, or ``*`` for all networks together, where
    ``since`` is the time of the last failure.
    """

    email = models.CharField(max_length=280)
    address = models.CharField(max_length=64)
    tries = models.PositiveIntegerField(default=0)
    since = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["email", "address"], name="sign_in_pair_once"),
        ]
        indexes = [models.Index(fields=["since"])]

    def __str__(self) -> str:
        return f"{self.tries} since {self.since}"


class SetupCode(models.Model):
    """A code that opens the page of the first account, until ``ends_at``; only its digest is kept.

    There is one at most, and none once somebody has an account.
    """

    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"until {self.ends_at}"
