"""settle: settle games, hand by hand."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Final

from ...core.messages import Message
from ...notation import Mode
from ...verdicts.judge import Judge
from ..games import GamePrinter
from ..inputs import TroubleError, open_input
from ..profiles import refuse_json
from ..rows import CsvRows, JsonRows
from ..screen import Screen
from ..session import (
    FINE,
    MISUSED,
    WRONG,
    Options,
    Session,
    add_files,
    rules_of,
)

HELP: Final = "Settle the games in files of hand records, hand by hand, to their final result."
USAGE: Final = "FILE... [--mode MODE] [--rules RULES] [--format text|json|csv]"

_SHEETS: Final[dict[str, Callable[[Screen], GamePrinter | JsonRows | CsvRows]]] = {
    "text": GamePrinter,
    "json": JsonRows,
    "csv": CsvRows,
}


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the options of this command."""
    add_files(parser)
    parser.add_argument("--format", choices=list(_SHEETS), default="text")


def run(session: Session, options: Options) -> int:
    """Settle every game of every file. May raise TroubleError."""
    rules, mode = rules_of(options["rules"]), Mode(options["mode"])
    status = FINE
    sheet = _SHEETS[options["format"]](session.screen)
    for name in options["files"]:
        try:
            with open_input(name, session.gauge) as source:
                refuse_json(source)
                judged = None
                for judged in Judge(source, rules, mode=mode, today=session.today):
                    sheet.add(source.name, judged)
                    status = max(status, FINE if judged.ok else WRONG)
                if judged is None and options["format"] == "text":
                    session.screen.line(Message("{file}: no records", file=source.name))
        except TroubleError as trouble:
            session.complain(trouble)
            status = MISUSED
        sheet.close()
    return status
