from uuid import UUID

from django.db import models


class AnsweredRequest(models.Model):
    """A write that was answered: the same key gets the same answer, and nothing happens twice.

    ``asker`` is the account, key or link; the row commits with what the request did. ``club_id`` is
    the club that it is about, if it is about one.
    """

    asker = models.CharField(max_length=60)
    key = models.CharField(max_length=64)
    method = models.CharField(max_length=8)
    path = models.CharField(max_length=300)
    body_digest = models.CharField(max_length=64)
    body = models.BinaryField()
    status = models.PositiveSmallIntegerField()
    headers = models.JSONField(default=dict)
    answer = models.BinaryField()
    at = models.DateTimeField()
    club_id: "models.UUIDField[UUID | None, UUID | None]" = models.UUIDField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["asker", "key"], name="idempotency_key_once"),
        ]
        indexes = [models.Index(fields=["at"]), models.Index(fields=["club_id"])]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"
