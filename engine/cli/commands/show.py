"""show: draw one hand, trick by trick."""

from argparse import ArgumentParser
from typing import Final

from ...core.messages import Message, PluralMessage
from ...notation import Mode
from ...verdicts.judge import Judge, Judged
from ..games import GamePrinter
from ..hands import hand_lines, trick_count, trick_lines
from ..inputs import TroubleError, open_input
from ..profiles import refuse_json
from ..screen import Screen
from ..session import (
    FINE,
    WRONG,
    Options,
    Session,
    add_judging,
    rules_of,
    whole_number,
)

HELP: Final = "Draw one hand of a file in the terminal, from the deal to the settlement."
USAGE: Final = "FILE [--record N] [--trick N] [--rules RULES] [--ascii]"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the options of this command."""
    parser.add_argument("file", metavar="FILE", help="a file of records; - for stdin")
    parser.add_argument(
        "--record", type=whole_number, default=1, metavar="N", help="which record (default: 1)"
    )
    parser.add_argument(
        "--trick", type=whole_number, metavar="N", help="only this trick, with the legal cards"
    )
    add_judging(parser)


def run(session: Session, options: Options) -> int:
    """Find the record and draw it. May raise TroubleError."""
    rules, mode = rules_of(options["rules"]), Mode(options["mode"])
    wanted, found, more = options["record"], None, False
    with open_input(options["file"], session.gauge) as source:
        refuse_json(source)
        count = 0
        for count, judged in enumerate(Judge(source, rules, mode=mode, today=session.today), 1):
            if found is not None:
                more = True
                break
            found = judged if count == wanted else None
    if found is None:
        raise TroubleError(
            PluralMessage(
                "there is no record {number}; {file} has {count} record",
                "there is no record {number}; {file} has {count} records",
                number=wanted,
                file=source.name,
                count=count,
            )
        )
    _draw(session.screen, source.name, found, options["trick"])
    if more and options["trick"] is None:
        session.screen.line()
        session.screen.line(
            (Message("More records follow: --record {number}", number=wanted + 1), "dim")
        )
    return FINE if found.ok else WRONG


def _draw(screen: Screen, name: str, judged: Judged, trick: int | None) -> None:
    if judged.result is None:
        sheet = GamePrinter(screen)
        sheet.add(name, judged)
        sheet.close()
        return
    lines = hand_lines(judged, screen.width)
    if trick is not None:
        tricks = trick_count(judged)
        if trick > tricks:
            raise TroubleError(
                Message(
                    "there is no trick {number}; this hand has {tricks}",
                    number=trick,
                    tricks=tricks,
                )
            )
        lines = trick_lines(judged, trick, screen.width)
    for line in lines:
        screen.line(*line)
