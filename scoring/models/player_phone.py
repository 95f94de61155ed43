from django.db import models

from tournaments.core.ids import new_id
from tournaments.models import Event, Player


class PlayerPhone(models.Model):
    """The phone of a player, which follows them from table to table of one event.

    Somebody at the player's table said with it who they are. Only a digest of its token is kept;
    the token gets a seat link at each table where the player sits, and nothing else.
    ``replaced_at``: another phone follows this player since.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # The index of event and player begins with the event.
    event = models.ForeignKey(
        Event, on_delete=models.PROTECT, related_name="phones", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="phones")
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField()
    replaced_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["event", "player"])]

    def __str__(self) -> str:
        return f"phone {self.id}"
