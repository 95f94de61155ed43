from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from engine.judge import Judge, Judged
from engine.notation import Mode
from scoring.terminal.command import (
    FINE,
    WRONG,
    TerminalCommand,
    add_judging,
    rules_of,
)
from scoring.terminal.games import Games
from scoring.terminal.hands import hand_lines, trick_count, trick_lines
from scoring.terminal.inputs import TroubleError, opened
from scoring.terminal.profiles import refuse_json


def _from_one(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text)):
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


class Command(TerminalCommand):
    """Draw a hand, trick by trick."""

    help = "Draw one hand of a file in the terminal, from the deal to the settlement."
    usage = "FILE [--record N] [--trick N] [--rules RULES] [--ascii]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a file of records; - for stdin")
        parser.add_argument(
            "--record", type=_from_one, default=1, metavar="N", help="which record (default: 1)"
        )
        parser.add_argument(
            "--trick", type=_from_one, metavar="N", help="only this trick, with the legal cards"
        )
        add_judging(parser)
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        rules, mode = rules_of(options["rules"]), Mode(options["mode"])
        wanted, found, more = options["record"], None, False
        with opened(options["file"], self.gauge) as source:
            refuse_json(source)
            count = 0
            for count, judged in enumerate(Judge(source, rules, mode=mode, today=self.today), 1):
                if found is not None:
                    more = True
                    break
                found = judged if count == wanted else None
        if found is None:
            records = f"{count} record{'' if count == 1 else 's'}"
            raise TroubleError(f"there is no record {wanted}; {source.name} has {records}")
        self._draw(source.name, found, options["trick"])
        if more and options["trick"] is None:
            self.screen.line()
            self.screen.line((f"More records follow: --record {wanted + 1}", "dim"))
        return FINE if found.ok else WRONG

    def _draw(self, name: str, judged: Judged, trick: int | None) -> None:
        if judged.result is None:
            sheet = Games(self.screen)
            sheet.add(name, judged)
            sheet.close()
            return
        width = self.screen.width
        lines = hand_lines(judged, width)
        if trick is not None:
            tricks = trick_count(judged)
            if trick > tricks:
                raise TroubleError(f"there is no trick {trick}; this hand has {tricks}")
            lines = trick_lines(judged, trick, width)
        for line in lines:
            self.screen.line(*line)
