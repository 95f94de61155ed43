"""News of backups of the whole installation, at the desk."""

from dataclasses import dataclass
from datetime import datetime

from tournaments.models import BackupKind, BackupReport


@dataclass(frozen=True, slots=True)
class BackupLine:
    """The last backup, or the last rehearsal of a restore; None where there was none."""

    kind: BackupKind
    last: BackupReport | None
    is_missed: bool


def describe_backups(at: datetime) -> list[BackupLine]:
    """A line for each kind of report. One query."""
    found = {row.kind: row for row in BackupReport.objects.all()}
    return [
        BackupLine(kind, row, is_missed=row is not None and row.is_missed(at))
        for kind, row in ((kind, found.get(kind)) for kind in BackupKind)
    ]
