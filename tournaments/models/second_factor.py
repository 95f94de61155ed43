from django.db import models

from tournaments.core.ids import new_id
from tournaments.models.account import Account

FACTOR_NAME_MAX = 60


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
