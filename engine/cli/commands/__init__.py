"""The commands for records and rules, by name.

Each module has ``HELP``, ``USAGE``, ``add_arguments`` and ``run``.
"""

from collections.abc import Mapping
from typing import Final

from engine.cli.commands import convert, rules, settle, show, validate
from engine.cli.session import Command

COMMANDS: Final[Mapping[str, Command]] = {
    "validate": validate,
    "settle": settle,
    "show": show,
    "convert": convert,
    "rules": rules,
}
