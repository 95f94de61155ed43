"""Roles in a club, invitations to them, and API keys that act in one."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.core.ids import new_id
from tournaments.models.account import Account
from tournaments.models.choices import DetailedChoices
from tournaments.models.club import Club
from tournaments.models.leased_row import LeasedRow
from tournaments.models.player import Player


class RoleKind(DetailedChoices):
    """Kinds of roles in a club; a scorer has no role but a link.

    The details say what somebody with the role may do, where one is given.
    """

    PLAYER = "player", _("Player: sees full names"), "Player"
    DIRECTOR = "director", _("Director: runs nights, rules, corrects"), "Director"
    TREASURER = "treasurer", _("Treasurer: keeps the books"), "Treasurer"
    ADMIN = "admin", _("Admin: everything"), "Admin"
    FEDERATION = "federation"


class Role(models.Model):
    """The role of an account in a club; a federation's role has no club and holds in all."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="roles")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, null=True, related_name="roles")
    kind = models.CharField(max_length=10, choices=RoleKind)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="roles")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "club", "kind"], name="role_once_in_a_club"),
            models.UniqueConstraint(
                fields=["account", "kind"],
                condition=models.Q(club__isnull=True),
                name="role_once_in_the_federation",
            ),
            models.CheckConstraint(
                condition=models.Q(kind="federation", club__isnull=True)
                | (~models.Q(kind="federation") & models.Q(club__isnull=False)),
                name="only_a_federation_has_no_club",
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=RoleKind.values), name="role_is_known"
            ),
        ]

    def __str__(self) -> str:
        return self.kind


class Invitation(LeasedRow):
    """A role that waits for its guest; only a digest of what opens it is kept.

    ``email`` is for whom it is; empty: for whoever comes with it first. One that has a ``site`` is
    sent by e-mail, in ``language`` and with a link to the page there.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="invitations")
    kind = models.CharField(max_length=10)
    email = models.CharField(max_length=254, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    language = models.CharField(max_length=10, blank=True, default="", db_default="")
    site = models.CharField(max_length=300, blank=True, default="", db_default="")
    made_by = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    ends_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(due_at__isnull=False),
                name="invitation_is_due",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.club_id}"


class ApiKey(models.Model):
    """A secret that a program shows instead of a password; only a digest of it is kept.

    ``scopes`` is a list of words that limit it further than the role it acts in (``kind``).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, null=True, related_name="api_keys")
    kind = models.CharField(max_length=10)
    name = models.CharField(max_length=200)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    made_by = models.ForeignKey(Account, on_delete=models.PROTECT, null=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "API key"
        verbose_name_plural = "API keys"

    def __str__(self) -> str:
        return self.name
