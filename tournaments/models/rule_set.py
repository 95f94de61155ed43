from django.db import models

from tournaments.core.ids import new_id
from tournaments.models.club import Club


class RuleSet(models.Model):
    """House rules of a club under a name: a preset and what differs from it; never changed.

    A change is a new row with the next ``version``. ``digest`` is the engine's hash of all
    switches. ``keeps_jackpot``: a pot that a game leaves goes to the club's jackpot, and the next
    game begins with it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="rule_sets")
    name = models.CharField(max_length=200)
    version = models.PositiveIntegerField()
    preset = models.CharField(max_length=40)
    overrides = models.JSONField(default=dict)
    digest = models.CharField(max_length=64)
    keeps_jackpot = models.BooleanField(default=False)
    made_by = models.CharField(max_length=60)
    created_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name", "version"], name="rule_set_version_once"
            ),
            models.CheckConstraint(condition=~models.Q(name=""), name="a_rule_set_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"
