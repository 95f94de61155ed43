from argparse import ArgumentParser
from typing import Any

from django.conf import settings

from config.operations.backups import BackupError, restore
from config.operations.bucket import BucketError, open_copy
from engine.cli.inputs import TroubleError, open_input
from engine.cli.screen import visible
from engine.cli.session import FINE, WRONG
from scoring.management.terminal.command import Database, TerminalCommand


class Command(TerminalCommand):
    """Fill a new database from a backup."""

    help = (
        "Fill a new database from the file that `manage.py backup` wrote; all of it or nothing."
        " Look at it with `manage.py verify` afterwards. The exit status is 1 for a file that is"
        " refused."
    )
    database = Database.CREATED
    usage = "FILE | --bucket [FILE]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", nargs="?", help="a backup; - for standard input"
        )
        parser.add_argument(
            "--bucket",
            action="store_true",
            help="FILE is the name of a copy in the bucket; without FILE the newest one",
        )
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        name = options["file"]
        if options["bucket"] and not settings.BACKUPS_BUCKET:
            raise TroubleError("no bucket is set: PAINSUIT_BACKUPS_BUCKET names it")
        if name is None and not options["bucket"]:
            raise TroubleError("name the backup, or take the newest of the bucket by --bucket")
        try:
            with open_copy(name) if options["bucket"] else open_input(name, self.gauge) as source:
                notes = restore(source)
        except BucketError as error:
            raise TroubleError(str(error)) from error
        except BackupError as error:
            self.screen.line(visible(f"{name or 'the newest copy'}: {error}"))
            return WRONG
        for words in notes:
            self.screen.line(words)
        self.screen.line("restored; manage.py verify recomputes all of it")
        return FINE
