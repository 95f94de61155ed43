"""The commands for records and rules, by name.

Each module has ``HELP``, ``USAGE``, ``add_arguments`` and ``run``.
"""

from collections.abc import Mapping
from typing import Final

from ..session import Command
from . import analyse, convert, rules, settle, show, validate

COMMANDS: Final[Mapping[str, Command]] = {
    "validate": validate,
    "settle": settle,
    "show": show,
    "analyse": analyse,
    "convert": convert,
    "rules": rules,
}
