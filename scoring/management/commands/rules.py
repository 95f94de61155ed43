import json
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from engine.plain_record import Plain
from scoring.terminal.command import FINE, TerminalCommand, rules_of
from scoring.terminal.rules import (
    preset_lines,
    presets_plain,
    rules_plain,
    sheet_lines,
    switch_lines,
    switches_plain,
)
from scoring.terminal.screen import Line


class Command(TerminalCommand):
    """Print house rules."""

    help = "Print the house-rule sheet of a preset or of a club's own rules."
    usage = '[PRESET | "VARIANT/1;switch=value"] [--list] [--switches] [--json]'

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("rules", nargs="?", default="", metavar="RULES", help="see above")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--list", action="store_true", help="list the presets")
        what.add_argument(
            "--switches", action="store_true", help="list every switch with all its values"
        )
        parser.add_argument("--json", action="store_true", help="as JSON")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        lines: Iterable[Line]
        plain: Plain | list[Plain]
        rules = rules_of(options["rules"])
        width = min(self.screen.width, 100)
        if options["switches"]:
            plain, lines = switches_plain(), switch_lines(width)
        elif rules is None or options["list"]:
            plain, lines = presets_plain(), preset_lines()
        else:
            plain, lines = rules_plain(rules), sheet_lines(rules, width)
        if options["json"]:
            text = json.dumps(plain, ensure_ascii=self.screen.ascii_only, indent=1)
            self.screen.raw(text + "\n")
        else:
            for line in lines:
                self.screen.line(*line)
        return FINE
