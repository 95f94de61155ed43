from django.db import models

from tournaments.core.ids import new_id
from tournaments.models.club import Club
from tournaments.models.player import Player


class CalendarAddress(models.Model):
    """A secret address of a calendar: of the nights of a club, or of one member's own nights.

    The token in it is made of ``id`` with the key of the installation, so that it can be shown
    again; only its digest is kept. Another address is another row; revoking deletes the row.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    made_by = models.CharField(max_length=60)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "calendar addresses"
        constraints = [
            models.UniqueConstraint(fields=["player"], name="a_player_has_one_calendar_address"),
            models.UniqueConstraint(
                fields=["club"],
                condition=models.Q(player__isnull=True),
                name="a_club_has_one_calendar_address",
            ),
        ]

    def __str__(self) -> str:
        return f"calendar address {self.id}"
