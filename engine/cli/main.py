"""The program `painsuit`: the commands for records and rules, without the service."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from datetime import UTC, datetime

from .. import __version__
from ..verdicts.judge import latest_date
from .commands import COMMANDS
from .session import MISUSED, Session


def main(argv: Sequence[str] | None = None, *, program: str = "painsuit") -> int:
    """Run one command and return its exit status; ``argv`` without the program's name."""
    options = vars(_parser(program).parse_args(argv))
    if sys.stdout is None or sys.stderr is None:
        return MISUSED  # closed, and with them the answer
    name = options["command"]
    session = Session.open(
        name, options, out=sys.stdout, err=sys.stderr, today=latest_date(datetime.now(UTC))
    )
    return session.run(lambda: COMMANDS[name].run(session, options))


def _parser(program: str) -> ArgumentParser:
    parser = ArgumentParser(
        prog=program,
        description="Hand records of the Hearts family: checked, settled, drawn and converted.",
        formatter_class=RawDescriptionHelpFormatter,
        epilog="exit status: 0 in order, 1 something is wrong with a record, 2 a mistake in the"
        " call",
    )
    parser.add_argument("--version", action="version", version=f"{program} {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        usage = f"{program} {name} {command.USAGE}"
        one = subparsers.add_parser(name, help=command.HELP, description=command.HELP, usage=usage)
        command.add_arguments(one)
        colour = one.add_mutually_exclusive_group()
        colour.add_argument("--no-color", action="store_true", help="never colour the output")
        colour.add_argument("--force-color", action="store_true", help="colour even a pipe")
    return parser
