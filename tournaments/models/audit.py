from uuid import UUID

from django.db import models


class AuditEntry(models.Model):
    """One thing that was done, chained to the one before it; only ever added to.

    ``chain`` is the club or the game that it happened to: whoever writes holds that row's lock,
    so a chain has no forks. ``digest`` covers the entry and the digest before it. There are no
    names in it, only identifiers.
    """

    chain: "models.UUIDField[UUID, UUID]" = models.UUIDField()
    number = models.PositiveIntegerField()
    club_id: "models.UUIDField[UUID | None, UUID | None]" = models.UUIDField(null=True)
    what = models.CharField(max_length=40)
    by = models.CharField(max_length=60)
    source = models.CharField(max_length=12)
    why = models.CharField(max_length=1000, blank=True)
    details = models.TextField(default="{}")
    at = models.DateTimeField()
    before = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chain", "number"], name="audit_number_once"),
        ]
        indexes = [models.Index(fields=["club_id", "at"])]

    def __str__(self) -> str:
        return f"{self.what} {self.number}"
