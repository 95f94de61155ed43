"""Imports of tables: members of a club, and what they bring into a league from before.

What an import makes and changes is noted in its log, and can be undone as one step.
"""

from tournaments.imports.log import ImportLog
from tournaments.imports.members import bring_members
from tournaments.imports.names import split_number
from tournaments.imports.numbers import DecimalMark
from tournaments.imports.openings import bring_openings, league_of
from tournaments.imports.table import ColumnHeading, ImportSummary, read_rows
from tournaments.imports.undo import (
    Keys,
    Obstacle,
    ObstaclesError,
    Undoer,
    UndoPlan,
    in_the_way,
    plan_undo,
    undo_import,
    undoers,
)

__all__ = [
    "ColumnHeading",
    "DecimalMark",
    "ImportLog",
    "ImportSummary",
    "Keys",
    "Obstacle",
    "ObstaclesError",
    "UndoPlan",
    "Undoer",
    "bring_members",
    "bring_openings",
    "in_the_way",
    "league_of",
    "plan_undo",
    "read_rows",
    "split_number",
    "undo_import",
    "undoers",
]
