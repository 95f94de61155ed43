from django.db import models

from scoring.models.game import Game
from scoring.models.player_phone import PlayerPhone
from tournaments.core.ids import new_id


class SeatLink(models.Model):
    """The link behind a table's QR code: it lets a phone enter hands of one game.

    Only a digest of it is kept. ``seat`` None: the whole table; the phone then says which seat
    it speaks for. ``phone``: the one of a player, for whose seat at this table it speaks, wherever
    that is now.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="links")
    seat = models.PositiveSmallIntegerField(null=True)
    phone = models.ForeignKey(
        PlayerPhone, on_delete=models.PROTECT, null=True, related_name="links"
    )
    digest = models.CharField(max_length=64, unique=True)
    made_by = models.CharField(max_length=60)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"link {self.id}"
