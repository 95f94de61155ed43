from argparse import ArgumentParser
from typing import Any

from config.backups import back_up
from scoring.terminal.command import FINE, Database, TerminalCommand
from scoring.terminal.inputs import STANDARD_INPUT
from scoring.terminal.outputs import written


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
        with written(target, self.stdout, private=True) as put:
            back_up(put)
        if target is not None:
            self.screen.line(f"written to {target}")
        return FINE
