"""Ranking, and why: results of tables into ranked rows, exact and in one order."""

from tournaments.standings.changes import StandingChange, compare
from tournaments.standings.choices import (
    Credit,
    Direction,
    ForfeitPolicy,
    GuestPolicy,
    Incomplete,
    Method,
    SitOutCredit,
    TieBreak,
    Total,
    UnequalBoards,
)
from tournaments.standings.circuit import Circuit, CircuitResult, circuit_points, rank_circuit
from tournaments.standings.contributions import Contribution, ContributionStatus
from tournaments.standings.exact import canonical, show
from tournaments.standings.order import SharedRank, TieBreakReason
from tournaments.standings.promotion import Boundary, Playoff, promotions
from tournaments.standings.ranking import Ranking, rank_event
from tournaments.standings.results import (
    EVENT,
    BoardScore,
    Entrant,
    RecordedScore,
    RoundSitOut,
    ScoreAdjustment,
    SeatScore,
    TableScore,
)
from tournaments.standings.rows import EventRow, RowKind, SeasonRow, StandingAfterEvent
from tournaments.standings.scoring import SETTINGS, ScoringRules
from tournaments.standings.season import SEASON_SETTINGS, SeasonRules
from tournaments.standings.season_books import PointsSource, SeasonEventLine
from tournaments.standings.season_choices import CountingRule, Joiners, Measure
from tournaments.standings.season_ranking import SeasonRanking, rank_season
from tournaments.standings.season_results import EventResult, SeasonEvent, SeasonMember
from tournaments.standings.season_totals import handicap_of
from tournaments.standings.settings import ScoringError, Setting
from tournaments.standings.teams import TeamRow, rank_teams
from tournaments.standings.tie_breaks import lot

__all__ = [
    "EVENT",
    "SEASON_SETTINGS",
    "SETTINGS",
    "BoardScore",
    "Boundary",
    "Circuit",
    "CircuitResult",
    "Contribution",
    "ContributionStatus",
    "CountingRule",
    "Credit",
    "Direction",
    "Entrant",
    "EventResult",
    "EventRow",
    "ForfeitPolicy",
    "GuestPolicy",
    "Incomplete",
    "Joiners",
    "Measure",
    "Method",
    "Playoff",
    "PointsSource",
    "Ranking",
    "RecordedScore",
    "RoundSitOut",
    "RowKind",
    "ScoreAdjustment",
    "ScoringError",
    "ScoringRules",
    "SeasonEvent",
    "SeasonEventLine",
    "SeasonMember",
    "SeasonRanking",
    "SeasonRow",
    "SeasonRules",
    "SeatScore",
    "Setting",
    "SharedRank",
    "SitOutCredit",
    "StandingAfterEvent",
    "StandingChange",
    "TableScore",
    "TeamRow",
    "TieBreak",
    "TieBreakReason",
    "Total",
    "UnequalBoards",
    "canonical",
    "circuit_points",
    "compare",
    "handicap_of",
    "lot",
    "promotions",
    "rank_circuit",
    "rank_event",
    "rank_season",
    "rank_teams",
    "show",
]
