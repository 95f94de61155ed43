"""One call of a command, from its options to its exit status.

The exit status is 0 for a good answer, 1 when something is wrong with a record, 2 for a mistake
in the call; 130 after Ctrl-C and 141 when the reader of our output went away, as shells have it.
"""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from gettext import NullTranslations
from typing import Any, Final, Protocol, Self, TextIO

from ..core.messages import Message, message_of
from ..core.translations import catalogue
from ..notation import Mode
from ..rules.presets import parse_rules
from ..rules.rules import Rules, RulesError
from .gauge import Gauge
from .inputs import TroubleError
from .language import languages, say, speaking
from .screen import Screen, can_show_suits, visible, wants_colour

FINE: Final = 0
WRONG: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141

Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Session:
    """Streams that a command reads and writes besides its files.

    ``name`` is the command's, for complaints; after ``today`` no hand can have been played.
    """

    name: str
    out: TextIO
    err: TextIO
    screen: Screen
    gauge: Gauge
    today: date

    @classmethod
    def open(cls, name: str, options: Options, *, out: TextIO, err: TextIO, today: date) -> Self:
        """A session as the options ``ascii``, ``force_color`` and ``no_color`` ask for."""
        colour = wants_colour(out, forced=options["force_color"], refused=options["no_color"])
        ascii_only = options["ascii"] or not can_show_suits(out)
        gauge = Gauge(err, shared=out.isatty())
        screen = Screen(out, colour=colour, ascii_only=ascii_only, make_room=gauge.make_room)
        return cls(name, out, err, screen, gauge, today)

    def complain(self, trouble: TroubleError) -> None:
        """Say in one line what the user can put right."""
        self.gauge.make_room()
        self.err.write(f"{self.name}: {visible(say(message_of(trouble)))}\n")

    def run(self, answer: Callable[[], int], translations: NullTranslations | None = None) -> int:
        """Call ``answer`` for its exit status; whatever stops it has a status and a line too.

        Messages are said by the library's own catalogue, or by a larger one.
        """
        with speaking(translations or catalogue(*languages())):
            return self._run(answer)

    def _run(self, answer: Callable[[], int]) -> int:
        try:
            status = answer()
            self.out.flush()
        except BrokenPipeError:
            _discard_stdout()
            return PIPE_CLOSED
        except KeyboardInterrupt:
            self.gauge.stop()
            stopped = say(Message("stopped"))
            self.err.write(f"\n{self.name}: {stopped}\n")
            return INTERRUPTED
        except TroubleError as trouble:
            self.complain(trouble)
            return MISUSED
        except OSError as error:
            _discard_stdout()
            why = error.strerror or str(error)
            self.complain(TroubleError(Message("cannot write: {why}", why=why)))
            return MISUSED
        return status


class Command(Protocol):
    """A command of the command line: a module of `cli.commands`."""

    HELP: str
    USAGE: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options of this command."""

    def run(self, session: Session, options: Options) -> int:
        """Do what was asked and return the exit status. May raise TroubleError."""


def _discard_stdout() -> None:
    """Nothing can be written any more: let the interpreter's last flush go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def add_files(parser: ArgumentParser) -> None:
    """Add the files to read, and the options of judging."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of records; - for stdin")
    add_judging(parser)


def add_judging(parser: ArgumentParser) -> None:
    """Add the options of judging, and of letters to write."""
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
    add_ascii(parser)


def add_ascii(parser: ArgumentParser) -> None:
    """Add the option of letters to write."""
    parser.add_argument(
        "--ascii", action="store_true", help="suits as S H D C, nothing but plain ASCII"
    )


def whole_number(text: str) -> int:
    """A number from 1 on, for an option. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text)):
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def rules_of(text: str) -> Rules | None:
    """The rules that the user named, if any. Raises TroubleError."""
    try:
        return parse_rules(text)
    except RulesError as error:
        raise TroubleError(message_of(error)) from error
