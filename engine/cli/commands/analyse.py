"""analyse: the last tricks of hands, with what each card lost and gave."""

import json
from argparse import ArgumentParser
from typing import Final

from ...analysis.account import NODES, Analysis, AnalysisError, analyse_hand
from ...analysis.report import (
    analysis_to_json,
    describe_slip,
    format_amount,
    result_text,
)
from ...core.messages import Message
from ...notation import Mode
from ...verdicts.judge import Judge, Judged
from ...verdicts.report import report_record
from ..inputs import TroubleError, open_input
from ..language import say
from ..profiles import refuse_json
from ..screen import Screen, pad
from ..session import (
    FINE,
    MISUSED,
    WRONG,
    Options,
    Session,
    add_files,
    rules_of,
    whole_number,
)

HELP: Final = "Say of the last tricks of hands what every seat was sure of, and what cards lost."
USAGE: Final = "FILE... [--nodes N] [--tricks N] [--rules RULES] [--json]"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the options of this command."""
    add_files(parser)
    parser.add_argument(
        "--nodes",
        type=whole_number,
        default=NODES,
        metavar="N",
        help=f"how many positions to look at for each hand (default: {NODES})",
    )
    parser.add_argument(
        "--tricks", type=whole_number, metavar="N", help="go back so many tricks at most"
    )
    parser.add_argument("--json", action="store_true", help="a line of JSON for each hand")


def run(session: Session, options: Options) -> int:
    """Analyse every hand of every file. May raise TroubleError."""
    rules, mode = rules_of(options["rules"]), Mode(options["mode"])
    status = FINE
    for name in options["files"]:
        try:
            with open_input(name, session.gauge) as source:
                refuse_json(source)
                for judged in Judge(source, rules, mode=mode, today=session.today):
                    status = max(status, _analyse(session.screen, source.name, judged, options))
        except TroubleError as trouble:
            session.complain(trouble)
            status = MISUSED
    return status


def _analyse(screen: Screen, file: str, judged: Judged, options: Options) -> int:
    """Analyse one record and show what came of it."""
    result, analysis = judged.result, None
    trouble: str | None = Message("there is no hand in this record")
    if result is not None:
        nodes, tricks = options["nodes"], options["tricks"]
        try:
            analysis, trouble = analyse_hand(result.replay, nodes=nodes, tricks=tricks), None
        except AnalysisError as error:
            trouble = error.message
    seats = result.replay.record.seats if result is not None else ()
    if options["json"]:
        plain = None if analysis is None else analysis_to_json(analysis, seats)
        line = {"file": file, "record": judged.entry.number, "error": trouble, "analysis": plain}
        screen.raw(json.dumps(line, ensure_ascii=screen.ascii_only) + "\n")
    else:
        screen.line((report_record(judged)["title"], "bold"))
        if analysis is not None:
            _draw(screen, analysis, seats)
        elif trouble is not None:
            screen.line("  ", (trouble, "dim"))
        screen.line()
    return FINE if analysis is not None and judged.ok else WRONG


def _draw(screen: Screen, analysis: Analysis, seats: tuple[str, ...]) -> None:
    """Show the accounts of a hand as a table, then every slip in a sentence."""
    for caveat in analysis.caveats:
        screen.line("  ", (caveat.words, "dim"))
    if analysis.exact_from is None:
        screen.line("  ", Message("No trick could be looked at with so few positions."))
        return
    screen.line("  ", Message("Exact from trick {trick} on.", trick=analysis.exact_from))
    heads = [Message("Seat"), Message("Sure"), Message("Slips"), Message("Gifts")]
    rows = [[say(head) for head in (*heads, Message("Result"))]]
    for name, account in zip(seats, analysis.seats, strict=True):
        rows.append(
            [
                name,
                result_text(analysis, account.sure),
                format_amount(account.slips * account.unit),
                format_amount(account.gifts * account.unit),
                result_text(analysis, account.result),
            ]
        )
    widths = [max(map(len, column)) + 2 for column in zip(*rows, strict=True)]
    for row in rows:
        screen.line("  ", *(pad(cell, wide) for cell, wide in zip(row, widths, strict=True)))
    for one in analysis.cards:
        if one.slip:
            screen.line("  ", describe_slip(analysis, one, seats[one.seat]))
