"""Imports of tables: members of a club, and what they bring into a league from before."""

from tournaments.imports.members import bring_members
from tournaments.imports.names import split_number
from tournaments.imports.numbers import DecimalMark
from tournaments.imports.openings import bring_openings, league_of
from tournaments.imports.table import ColumnHeading, ImportSummary, read_rows

__all__ = [
    "ColumnHeading",
    "DecimalMark",
    "ImportSummary",
    "bring_members",
    "bring_openings",
    "league_of",
    "read_rows",
    "split_number",
]
