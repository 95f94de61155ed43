from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from django.db import models

LATE: Final = timedelta(days=8)
"""A backup or a rehearsal that went well longer ago than this is missed."""


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
