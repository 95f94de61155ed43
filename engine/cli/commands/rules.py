"""rules: print house rules."""

import json
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Final

from ...record.json import Plain
from ..rules import (
    preset_lines,
    presets_plain,
    rules_plain,
    sheet_lines,
    switch_lines,
    switches_plain,
)
from ..screen import Line
from ..session import FINE, Options, Session, add_ascii, rules_of

HELP: Final = "Print the house-rule sheet of a preset or of a club's own rules."
USAGE: Final = '[PRESET | "VARIANT/1;switch=value"] [--list] [--switches] [--json]'


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the options of this command."""
    parser.add_argument("rules", nargs="?", default="", metavar="RULES", help="see above")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="list the presets")
    what.add_argument(
        "--switches", action="store_true", help="list every switch with all its values"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_ascii(parser)


def run(session: Session, options: Options) -> int:
    """Print a sheet, the presets or the switches. May raise TroubleError."""
    lines: Iterable[Line]
    plain: Plain | list[Plain]
    rules = rules_of(options["rules"])
    screen = session.screen
    width = min(screen.width, 100)
    if options["switches"]:
        plain, lines = switches_plain(), switch_lines(width)
    elif rules is None or options["list"]:
        plain, lines = presets_plain(), preset_lines()
    else:
        plain, lines = rules_plain(rules), sheet_lines(rules, width)
    if options["json"]:
        screen.raw(json.dumps(plain, ensure_ascii=screen.ascii_only, indent=1) + "\n")
    else:
        for line in lines:
            screen.line(*line)
    return FINE
