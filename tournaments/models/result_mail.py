from django.db import models

from tournaments.core.ids import new_id
from tournaments.models.event import Event
from tournaments.models.leased_row import LeasedRow
from tournaments.models.player import Player


class ResultMail(LeasedRow):
    """The result of an event for one player by e-mail; a worker sends it once.

    Without an event it asks whether the owner of the address wants results; ``asked_digest`` is
    that of the address.

    In ``language``, with links to the pages at ``site``; ``has_money``: it says who pays whom.
    ``sent_at`` is written before the mail server is given it, so that nobody gets it twice.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    asked_digest = models.CharField(max_length=32, blank=True, default="", db_default="")
    language = models.CharField(max_length=10, blank=True)
    site = models.CharField(max_length=300)
    has_money = models.BooleanField()
    made_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="result_mail_once"),
            models.UniqueConstraint(
                fields=["player"],
                condition=models.Q(event__isnull=True),
                name="an_address_is_asked_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(due_at__isnull=False),
                name="result_mail_is_due",
            )
        ]

    def __str__(self) -> str:
        return f"result of {self.event_id}" if self.event_id else "a question"
