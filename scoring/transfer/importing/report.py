"""The report of an import: counts, and problems with their lines."""

from dataclasses import dataclass, field
from typing import Any

PROBLEMS_MAX = 1000
"""How many problems are listed; all are counted."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with one record; ``stored``: it is in its game all the same, disputed.

    ``is_conflict``: another record of the same hand is there already, and says something else.
    """

    line: int
    column: int
    message: str
    stored: bool = False
    is_conflict: bool = False

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.message}"

    def as_data(self) -> dict[str, Any]:
        """The problem as plain data."""
        return {
            "line": self.line,
            "column": self.column,
            "message": self.message,
            "stored": self.stored,
            "conflict": self.is_conflict,
        }


@dataclass(slots=True)
class ImportReport:
    """Counts of an import: ``hands`` were stored, ``known`` were there already.

    ``disputed`` are among those stored; ``left_out`` records are no hands, or could not be placed;
    ``conflicts`` of them contradict what is there.
    ``placed`` games are part of an event now.
    """

    records: int = 0
    games: int = 0
    hands: int = 0
    known: int = 0
    disputed: int = 0
    left_out: int = 0
    conflicts: int = 0
    players: int = 0
    placed: int = 0
    problems: list[Problem] = field(default_factory=list)
    problem_count: int = 0

    def add(self, problem: Problem) -> None:
        """Note a problem."""
        self.problem_count += 1
        if len(self.problems) < PROBLEMS_MAX:
            self.problems.append(problem)

    def as_data(self) -> dict[str, int]:
        """The counts as plain data."""
        return {
            "records": self.records,
            "games": self.games,
            "hands": self.hands,
            "known": self.known,
            "disputed": self.disputed,
            "left_out": self.left_out,
            "conflicts": self.conflicts,
            "new_players": self.players,
            "placed": self.placed,
        }
