from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.core.ids import new_id
from tournaments.models.event import Event
from tournaments.models.leased_row import LeasedRow
from tournaments.models.player import Player


class SignInMethod(models.TextChoices):
    """Ways in which a device was let in as its player."""

    PHONE = "phone", _("Phone at the table")
    CODE = "code", _("By a code")
    EMAIL = "email", _("By e-mail")


class PlayerDevice(models.Model):
    """A browser that is signed in as a player, and shows them their own page.

    Only a digest of its token is kept. Signing out deletes the row. ``phone_id`` is the phone at
    the table (`scoring.models.PlayerPhone`) from which it was signed in, and with which it ends;
    ``event`` and ``table`` are where that phone began to follow the player (DEC-19).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="devices")
    digest = models.CharField(max_length=64, unique=True)
    method = models.CharField(max_length=5, choices=SignInMethod)
    phone_id = models.UUIDField(null=True, db_index=True)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, related_name="+")
    table = models.PositiveSmallIntegerField(null=True)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(method__in=SignInMethod.values),
                name="method_of_a_device_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(method="phone") ^ models.Q(phone_id__isnull=True),
                name="device_of_a_phone_has_its_id",
            ),
            models.CheckConstraint(
                condition=models.Q(method="phone") ^ models.Q(event__isnull=True),
                name="device_of_a_phone_has_its_event",
            ),
        ]

    def __str__(self) -> str:
        return f"device {self.id}"


class PlayerSignInCode(LeasedRow):
    """A code that signs one device in as a player, once and before ``ends_at``; its digest is kept.

    It is a short code that is typed, or the token of a link that a worker sends by e-mail, in
    ``language`` and to the page at ``site``. Using it ends it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="sign_in_codes")
    digest = models.CharField(max_length=64, unique=True)
    method = models.CharField(max_length=5, choices=SignInMethod)
    language = models.CharField(max_length=10, blank=True)
    site = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(method__in=SignInMethod.values),
                name="method_of_a_sign_in_code_is_known",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(due_at__isnull=False),
                name="sign_in_link_is_due",
            )
        ]

    def __str__(self) -> str:
        return f"until {self.ends_at}"
