from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db import DatabaseError
from django.utils import timezone

from config.operations.backups import back_up, write_trails_beside
from config.operations.rehearsal import report
from engine.cli.inputs import STANDARD_INPUT
from engine.cli.outputs import open_output
from engine.cli.session import FINE
from scoring.management.terminal.command import Database, TerminalCommand
from tournaments.models import BackupKind


class Command(TerminalCommand):
    """Write the whole database into one file."""

    help = (
        "Write the whole database into one file, sign-ins, roles and keys included, while"
        " everybody works on. `manage.py restore` builds it again. Beside it lie the ends of all"
        " audit trails, signed (FILE.trails), for `manage.py verify --against`."
    )
    database = Database.EXISTING
    usage = "FILE"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="where to; - for standard output")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        target = None if options["file"] == STANDARD_INPUT else options["file"]
        if target is not None:
            write_trails_beside(target, at=timezone.now())
        with open_output(target, self.stdout, private=True) as put:
            back_up(put)
        if target is not None:
            with suppress(DatabaseError):  # it may have no space left; the backup is written
                report(BackupKind.BACKUP, Path(target), "written", is_good=True, at=timezone.now())
            self.screen.line(f"written to {target}")
        return FINE
