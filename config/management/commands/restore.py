from argparse import ArgumentParser
from typing import Any

from config.operations.backups import BackupError, restore
from engine.cli.inputs import open_input
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
    usage = "FILE"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a backup; - for standard input")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        with open_input(options["file"], self.gauge) as source:
            try:
                notes = restore(source)
            except BackupError as error:
                self.screen.line(visible(f"{source.name}: {error}"))
                return WRONG
        for words in notes:
            self.screen.line(words)
        self.screen.line("restored; manage.py verify recomputes all of it")
        return FINE
