from django.db import models

from scoring.models.transfer import Transfer
from tournaments.models import Event, Player


class EntryFee(models.Model):
    """A transfer of an event's entry fee or prize: owed, paid, or a reversal (DEC-10, DEC-14)."""

    transfer = models.OneToOneField(
        Transfer, on_delete=models.PROTECT, primary_key=True, related_name="entry_fee"
    )
    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="fee_rows")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="fee_rows")

    def __str__(self) -> str:
        return f"entry fee {self.transfer_id}"
