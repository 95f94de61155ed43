from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from engine.judge import Judge
from engine.notation import Mode
from scoring.terminal.command import (
    FINE,
    MISUSED,
    WRONG,
    TerminalCommand,
    add_files,
    add_judging,
    rules_of,
)
from scoring.terminal.games import Games
from scoring.terminal.inputs import TroubleError, opened
from scoring.terminal.profiles import refuse_json
from scoring.terminal.rows import CsvRows, JsonRows
from scoring.terminal.screen import Screen


class Command(TerminalCommand):
    """Settle games, hand by hand."""

    help = "Settle the games in files of hand records, hand by hand, to their final result."
    usage = "FILE... [--mode MODE] [--rules RULES] [--format text|json|csv]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_files(parser)
        add_judging(parser)
        parser.add_argument("--format", choices=list(_SHEETS), default="text")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        rules, mode = rules_of(options["rules"]), Mode(options["mode"])
        status = FINE
        sheet = _SHEETS[options["format"]](self.screen)
        for name in options["files"]:
            try:
                with opened(name, self.gauge) as source:
                    refuse_json(source)
                    judged = None
                    for judged in Judge(source, rules, mode=mode, today=self.today):
                        sheet.add(source.name, judged)
                        status = max(status, FINE if judged.ok else WRONG)
                    if judged is None and options["format"] == "text":
                        self.screen.line(f"{source.name}: no records")
            except TroubleError as trouble:
                self.complain(trouble)
                status = MISUSED
            sheet.close()
        return status


_SHEETS: dict[str, Callable[[Screen], Games | JsonRows | CsvRows]] = {
    "text": Games,
    "json": JsonRows,
    "csv": CsvRows,
}
