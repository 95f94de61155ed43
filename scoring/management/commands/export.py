from argparse import ArgumentParser
from typing import Any

from engine.cli.inputs import STANDARD_INPUT
from engine.cli.outputs import open_output
from engine.cli.session import FINE
from scoring.management.terminal.clubs import club_of
from scoring.management.terminal.command import Database, TerminalCommand
from scoring.transfer.bundling import write
from scoring.transfer.signatures import EXTENSION, Signing
from tournaments.database.read_snapshot import read_snapshot


class Command(TerminalCommand):
    """Write a whole club into one file."""

    help = (
        "Write a whole club into one file (a bundle), from which `manage.py import` builds the"
        " same club elsewhere. Sign-ins, roles and keys are not in it. Its signature is put"
        " beside it."
    )
    database = Database.EXISTING
    usage = "--club CLUB FILE"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="where to; - for standard output")
        parser.add_argument("--club", required=True, help="its identifier, or its name")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        club = club_of(options["club"])
        target = None if options["file"] == STANDARD_INPUT else options["file"]
        signing = Signing()
        with read_snapshot(), open_output(target, self.stdout, private=True) as put:
            for line in signing.passing(write(club)):
                put(line)
        if target is not None:
            self.screen.line(f"{club.name}: written to {target}")
            self._sign(signing, target)
        return FINE

    def _sign(self, signing: Signing, target: str) -> None:
        """Put the signature beside the file, if this installation has a key."""
        signature = signing.sign()
        if signature is not None:
            with open_output(f"{target}{EXTENSION}", self.stdout) as put:
                put(f"{signature.text()}\n".encode())
            self.screen.line(f"signed with key {signature.key}: {target}{EXTENSION}")
