from django.db import models

from tournaments.core.ids import new_id
from tournaments.models.account import Account
from tournaments.models.club import Club
from tournaments.models.player import Player


class RoleKind(models.TextChoices):
    """Kinds of roles in a club; a scorer has no role but a link."""

    PLAYER = "player"
    DIRECTOR = "director"
    TREASURER = "treasurer"
    ADMIN = "admin"
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
