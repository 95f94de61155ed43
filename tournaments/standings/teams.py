"""Teams: the sums of their members, in the order of the same chain (tournaments.md 2.8)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import TypedDict

from tournaments.standings.choices import TieBreak, TieBreakScope
from tournaments.standings.exact import Value
from tournaments.standings.order import (
    DecidedData,
    SharedRank,
    TieBreakReason,
    order,
    rank_data,
)
from tournaments.standings.ranking import Ranking
from tournaments.standings.rows import EventRow, RowKind
from tournaments.standings.scoring import ScoringRules
from tournaments.standings.tie_breaks import criteria, lot


class TeamData(TypedDict, total=False):
    """A team; ``counted`` are the members whose totals are in it."""

    entry: str
    rank_from: int | None
    rank_to: int | None
    tied: int
    label: str
    total: str
    members: list[str]
    counted: list[str]
    decided: DecidedData | None


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A team in its place; ``counted`` are the members whose totals are in it."""

    team: str
    rank: SharedRank
    total: Fraction
    members: tuple[str, ...]
    counted: tuple[str, ...]
    decided: TieBreakReason | None

    def to_data(self) -> TeamData:
        """The row as JSON."""
        return {
            "entry": self.team,
            **rank_data(self.rank),
            "total": str(self.total),
            "members": list(self.members),
            "counted": list(self.counted),
            "decided": self.decided.to_data() if self.decided else None,
        }


def rank_teams(ranking: Ranking, scoring: ScoringRules, best: int | None = None) -> list[TeamRow]:
    """The teams of an event by the sum of their members, or of the ``best`` so many of each.

    Who has no total counts nothing. Ties are broken by the chain of the event on the sums of the
    members who count; those among single players and play-offs say nothing of teams.
    """
    teams: dict[str, list[EventRow]] = defaultdict(list)
    for row in ranking.rows:
        if row.team is not None and row.kind is not RowKind.IDLE and row.total is not None:
            teams[row.team].append(row)
    sign = 1 if scoring.low_total else -1
    counted = {
        team: sorted(rows, key=lambda row: (sign * (row.total or 0), row.entry))[:best]
        for team, rows in teams.items()
    }
    totals = {
        team: sum((row.total for row in rows if row.total is not None), Fraction(0))
        for team, rows in counted.items()
    }
    keys = [key for key in scoring.tie_breaks if TieBreakScope.TEAM in key.spec.scopes]
    columns: dict[str, dict[str, Value]] = {
        key.value: {
            team: lot(scoring.lot_seed, team)
            if key is TieBreak.LOT
            else _sum_of_members(rows, key.value)
            for team, rows in counted.items()
        }
        for key in keys
    }
    chain = criteria(keys, totals, columns, low_total=scoring.low_total, low_chips=scoring.low)
    return [
        TeamRow(
            team=one.entry,
            rank=one.rank,
            total=totals[one.entry],
            members=tuple(sorted(row.entry for row in teams[one.entry])),
            counted=tuple(row.entry for row in counted[one.entry]),
            decided=one.decided,
        )
        for one in order(totals, chain)
    ]


def _sum_of_members(rows: Sequence[EventRow], key: str) -> Value:
    values = [row.columns[key] for row in rows]
    vectors = [value for value in values if isinstance(value, tuple)]
    if vectors:
        return tuple(
            sum(column, Fraction(0)) for column in zip_longest(*vectors, fillvalue=Fraction(0))
        )
    numbers = [value for value in values if isinstance(value, Fraction | int)]
    return sum(numbers, Fraction(0)) if numbers else None
