"""The audit trail, answers kept for requests that come again, and reports of backups."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

from django.db import models

LATE: Final = timedelta(days=8)
"""A backup or a rehearsal that went well longer ago than this is missed."""


class AuditEntry(models.Model):
    """One thing that was done, chained to the one before it; only ever added to.

    ``chain`` is the club or the game that it happened to: whoever writes holds that row's lock,
    so a chain has no forks. ``digest`` covers the entry and the digest before it. ``details``
    are identifiers and numbers, never names. ``why`` is what a person typed and may name people:
    the digest covers it by ``why_seal`` alone, its digest with ``why_salt`` (docs/adr/0008), so
    that a name can be erased from it and the chain still holds. Older entries have no seal.
    """

    chain: "models.UUIDField[UUID, UUID]" = models.UUIDField()
    number = models.PositiveIntegerField()
    club_id: "models.UUIDField[UUID | None, UUID | None]" = models.UUIDField(null=True)
    what = models.CharField(max_length=40)
    by = models.CharField(max_length=60)
    source = models.CharField(max_length=12)
    why = models.CharField(max_length=1000, blank=True)
    why_salt = models.CharField(max_length=32, blank=True, default="", db_default="")
    why_seal = models.CharField(max_length=64, blank=True, default="", db_default="")
    details = models.TextField(default="{}")
    at = models.DateTimeField()
    before = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)

    class Meta:
        verbose_name_plural = "audit entries"
        constraints = [
            models.UniqueConstraint(fields=["chain", "number"], name="audit_number_once"),
        ]
        indexes = [models.Index(fields=["club_id", "at"])]

    def __str__(self) -> str:
        return f"{self.what} {self.number}"


class Trail(models.Model):
    """The length of a chain of audit entries, and the digest of its last entry.

    Written with every entry, so that a chain which was cut at its end or deleted does not pass for
    a shorter one. ``chain`` identifies a club, a game, an event or a league.
    """

    chain: "models.UUIDField[UUID, UUID]" = models.UUIDField(primary_key=True)
    club_id: "models.UUIDField[UUID | None, UUID | None]" = models.UUIDField(
        null=True, db_index=True
    )
    length = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.chain} {self.length}"


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


class BackupKind(StrEnum):
    """Kinds of reports on backups of the whole installation."""

    BACKUP = "backup"
    REHEARSAL = "rehearsal"
    """A backup was restored into a scratch database, and verified there."""


class BackupReport(models.Model):
    """The outcome of the last backup of the installation, or of the last rehearsal of its restore.

    ``good_at`` is when it last went well; ``outcome`` says in English what came of it.
    """

    kind = models.CharField(primary_key=True, max_length=9)
    at = models.DateTimeField()
    is_good = models.BooleanField()
    good_at = models.DateTimeField(null=True)
    file_name = models.CharField(max_length=200)
    outcome = models.CharField(max_length=500)

    def __str__(self) -> str:
        return self.kind

    def is_missed(self, at: datetime) -> bool:
        """Whether somebody should look: the last one went wrong, or is long ago."""
        return not self.is_good or at - self.at > LATE
