from argparse import ArgumentParser
from typing import Any

from config.backups import back_up
from engine.cli.inputs import STANDARD_INPUT
from engine.cli.outputs import open_output
from engine.cli.session import FINE
from scoring.management.terminal.command import Database, TerminalCommand


class Command(TerminalCommand):
    """Write the whole database into one file."""

    help = (
        "Write the whole database into one file, sign-ins, roles and keys included, while"
        " everybody works on. `manage.py restore` builds it again."
    )
    database = Database.EXISTING
    usage = "FILE"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="where to; - for standard output")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        target = None if options["file"] == STANDARD_INPUT else options["file"]
        with open_output(target, self.stdout, private=True) as put:
            back_up(put)
        if target is not None:
            self.screen.line(f"written to {target}")
        return FINE
