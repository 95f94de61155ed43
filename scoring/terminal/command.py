"""TerminalCommand: what the commands for records have in common.

The exit status is 0 for a good answer, 1 when something is wrong with a record, 2 for a mistake
in the call; 130 after Ctrl-C and 141 when the reader of our output went away, as shells have it.
"""

import os
import sys
from argparse import ArgumentParser
from datetime import date
from enum import Enum, auto
from typing import Any, ClassVar, Final, cast

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from engine.notation import Mode
from engine.rules import Rules, RulesError
from scoring.checking import latest_date, read_rules
from scoring.terminal.gauge import Gauge
from scoring.terminal.inputs import TroubleError
from scoring.terminal.screen import Screen, can_show_suits, visible, wants_colour
from tournaments.management.database import prepare_database, require_database

FINE: Final = 0
WRONG: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


class Database(Enum):
    """What a command needs of the database before it begins."""

    UNUSED = auto()
    EXISTING = auto()
    CREATED = auto()
    """It is created, or migrated, where that is not done yet."""


class TerminalCommand(BaseCommand):
    """A command that answers in lines; a subclass says what to `answer`."""

    requires_system_checks = ()
    database: ClassVar[Database] = Database.UNUSED
    usage = ""
    screen: Screen
    gauge: Gauge

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """The parser, with a usage that names our own options only."""
        self.name = subcommand
        usage = f"manage.py {subcommand} {self.usage}"
        return super().create_parser(prog_name, subcommand, usage=usage, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--ascii", action="store_true", help="suits as S H D C, nothing but plain ASCII"
        )

    def handle(self, **options: Any) -> None:
        self.stdout.ending = self.stderr.ending = ""
        self.stderr.style_func = None
        if sys.stdout is None and not options.get("stdout"):
            sys.exit(MISUSED)  # standard output is closed, and so is the answer
        status = self._status(options)
        if status:
            sys.exit(status)

    def answer(self, **options: Any) -> int:
        """Do what was asked and return the exit status. May raise TroubleError."""
        raise NotImplementedError

    @property
    def today(self) -> date:
        """After this no hand can have been played."""
        return latest_date(timezone.now())

    def complain(self, trouble: TroubleError) -> None:
        """Say in one line what the user can put right."""
        self.gauge.make_room()
        self.stderr.write(f"{self.name}: {visible(str(trouble))}\n")

    def _status(self, options: dict[str, Any]) -> int:
        out, err = cast("Any", self.stdout), cast("Any", self.stderr)
        colour = wants_colour(out, forced=options["force_color"], refused=options["no_color"])
        ascii_only = options["ascii"] or not can_show_suits(out)
        self.gauge = Gauge(err, shared=out.isatty())
        self.screen = Screen(
            out, colour=colour, ascii_only=ascii_only, make_room=self.gauge.make_room
        )
        try:
            self._open_database()
            status = self.answer(**options)
            self.stdout.flush()
        except BrokenPipeError:
            _forget_stdout()
            return PIPE_CLOSED
        except KeyboardInterrupt:
            self.gauge.stop()
            self.stderr.write(f"\n{self.name}: stopped\n")
            return INTERRUPTED
        except TroubleError as trouble:
            self.complain(trouble)
            return MISUSED
        except DatabaseError as error:
            self.complain(TroubleError(f"the database cannot be used: {error}"))
            return MISUSED
        except OSError as error:
            _forget_stdout()
            self.complain(TroubleError(f"cannot write: {error.strerror or error}"))
            return MISUSED
        return status

    def _open_database(self) -> None:
        """Raise TroubleError where the database that the command needs is not to be had."""
        try:
            match self.database:
                case Database.CREATED:
                    prepare_database()
                case Database.EXISTING:
                    require_database()
                case Database.UNUSED:
                    pass
        except CommandError as error:
            raise TroubleError(str(error)) from error


def _forget_stdout() -> None:
    """Nothing can be written any more: let the interpreter's last flush go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def add_files(parser: ArgumentParser) -> None:
    """The files to read."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of records; - for stdin")


def add_judging(parser: ArgumentParser) -> None:
    """How to judge."""
    parser.add_argument(
        "--rules",
        default="",
        metavar="RULES",
        help='instead of what the records name: a preset, or "auction-bicycle/1;min-bid=2"',
    )
    parser.add_argument(
        "--mode",
        choices=[mode.value for mode in Mode],
        default=Mode.LENIENT.value,
        help="strict: an error rejects its record; canonical: so does any other spelling",
    )


def rules_of(text: str) -> Rules | None:
    """The rules that the user named, if any. Raises TroubleError."""
    try:
        return read_rules(text)
    except RulesError as error:
        raise TroubleError(str(error)) from error
