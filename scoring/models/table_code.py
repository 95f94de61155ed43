from django.db import models

from tournaments.core.ids import new_id
from tournaments.models import Club, Event


class TableCode(models.Model):
    """The code of a numbered table: it opens the game that is played there now.

    It is good for one event, or without one for every night of the club. Only digests are kept:
    of the token behind the QR code, and of the short code that somebody types.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    event = models.ForeignKey(Event, on_delete=models.PROTECT, null=True, related_name="codes")
    number = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64, unique=True)
    short_digest = models.CharField(max_length=64, unique=True)
    made_by = models.CharField(max_length=60)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "number"],
                condition=models.Q(revoked_at__isnull=True, event__isnull=False),
                name="one_open_code_a_table_of_an_event",
            ),
            models.UniqueConstraint(
                fields=["club", "number"],
                condition=models.Q(revoked_at__isnull=True, event__isnull=True),
                name="one_open_code_a_table_of_a_club",
            ),
            models.CheckConstraint(
                condition=models.Q(number__gte=1), name="coded_tables_count_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"code of table {self.number}"
