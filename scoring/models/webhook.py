from urllib.parse import urlsplit

from django.db import models

from tournaments.core.encryption import EncryptedTextField
from tournaments.core.ids import new_id
from tournaments.models import Club, LeasedRow


class Webhook(models.Model):
    """An address of a club's own program that is told what happens, signed with ``secret``.

    ``failures`` counts tries in a row to which nobody answered; until ``quiet_until`` none is
    made, so that a dead program costs a try now and then and not one for each message.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="webhooks")
    url = models.URLField(max_length=500)
    secret = EncryptedTextField()
    events = models.JSONField(default=list)
    version = models.PositiveIntegerField(default=1)
    failures = models.PositiveIntegerField(default=0, db_default=0)
    quiet_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    stopped_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return str(self.id)

    @property
    def host(self) -> str:
        """The name of the computer that it leads to."""
        return urlsplit(self.url).hostname or self.url


class Delivery(LeasedRow):
    """One message to one webhook, written with what it tells; sent until it is taken or given up.

    ``due_at`` is the moment of the next try; None once it was taken (``done_at``) or given up.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="deliveries")
    event = models.CharField(max_length=40)
    body = models.TextField()
    tries = models.PositiveSmallIntegerField(default=0)
    done_at = models.DateTimeField(null=True)
    last_answer = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(
                fields=["due_at"], condition=models.Q(due_at__isnull=False), name="delivery_is_due"
            ),
            models.Index(
                fields=["created_at"],
                condition=models.Q(due_at=None, done_at=None),
                name="delivery_was_given_up",
            ),
        ]

    def __str__(self) -> str:
        return self.event
