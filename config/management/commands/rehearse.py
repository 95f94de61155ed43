from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from config.operations.bucket import BucketError, copy_to_bucket
from config.operations.rehearsal import (
    RehearsalError,
    alone,
    back_up_tonight,
    backups_in,
    is_rehearsal_due,
    rehearse,
    report,
)
from engine.cli.inputs import TroubleError
from engine.cli.screen import visible
from engine.cli.session import FINE, WRONG
from scoring.management.terminal.command import Database, TerminalCommand
from tournaments.models import BackupKind


class Command(TerminalCommand):
    """Restore a backup into a scratch database, and verify it there."""

    help = (
        "Restore a backup into a scratch database, verify it there, and let the desk show how it"
        " went; the database in use is not touched. Without FILE it takes the newest backup that"
        " the service wrote. The exit status is 1 for a backup that cannot be restored."
    )
    database = Database.EXISTING
    usage = "[FILE]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", nargs="?", help="a backup")
        parser.add_argument(
            "--nightly",
            action="store_true",
            help="write tonight's backup first, and rehearse it once a week: what the service does",
        )
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        at = timezone.now()
        try:
            with alone():
                if options["nightly"]:
                    return self._work_nightly(at)
                return self._rehearse(_choose(options["file"]), at)
        except RehearsalError as error:
            raise TroubleError(str(error)) from error

    def _work_nightly(self, at: datetime) -> int:
        try:
            path = back_up_tonight(at=at)
        except RehearsalError as error:
            report(BackupKind.BACKUP, settings.BACKUPS_FOLDER, str(error), is_good=False, at=at)
            raise
        status = self._copy(path, at)
        if is_rehearsal_due(at):
            status = max(status, self._rehearse(path, at))
        return status

    def _copy(self, path: Path, at: datetime) -> int:
        """Copy the backup into the bucket, where there is one, and report how it went."""
        self.screen.line(f"written to {path}")
        try:
            if settings.BACKUPS_BUCKET:
                copy_to_bucket(path)
                self.screen.line(f"copied into the bucket {settings.BACKUPS_BUCKET}")
        except BucketError as error:
            words = f"written, but not copied: {error}"
            report(BackupKind.BACKUP, path, words, is_good=False, at=at)
            self.screen.line(visible(words))
            return WRONG
        report(BackupKind.BACKUP, path, "written", is_good=True, at=at)
        return FINE

    def _rehearse(self, path: Path, at: datetime) -> int:
        try:
            said = rehearse(path)
        except RehearsalError as error:
            report(BackupKind.REHEARSAL, path, str(error), is_good=False, at=at)
            self.screen.line(visible(f"{path}: {error}"))
            return WRONG
        report(BackupKind.REHEARSAL, path, said, is_good=True, at=at)
        self.screen.line(visible(f"{path} can be restored: {said}"))
        return FINE


def _choose(name: str | None) -> Path:
    if name is not None:
        return Path(name)
    found = backups_in(settings.BACKUPS_FOLDER)
    if not found:
        raise TroubleError(f"there is no backup in {settings.BACKUPS_FOLDER}; name a file")
    return found[0]
