"""Who stands where, and why: results of tables into ranked rows, exact and in one order."""

from tournaments.standings.changes import Change, compare
from tournaments.standings.choices import (
    Credit,
    Direction,
    ForfeitPolicy,
    GuestPolicy,
    Incomplete,
    Key,
    Method,
    SitOutCredit,
    Total,
    UnequalBoards,
)
from tournaments.standings.circuit import Circuit, CircuitResult, circuit_points, rank_circuit
from tournaments.standings.contributions import Contribution, Status
from tournaments.standings.exact import canonical, show
from tournaments.standings.order import Decided, Rank
from tournaments.standings.promotion import Boundary, Playoff, promotions
from tournaments.standings.ranking import Kind, Ranking, Row, rank_event
from tournaments.standings.results import (
    EVENT,
    Adjustment,
    BoardScore,
    Entry,
    SeatScore,
    SitOut,
    TableScore,
)
from tournaments.standings.scoring import SETTINGS, Scoring, describe
from tournaments.standings.season import SEASON_SETTINGS, Season, describe_season
from tournaments.standings.season_books import Line, Source
from tournaments.standings.season_choices import Joiners, Measure, Rule, SeasonKey
from tournaments.standings.season_counting import handicap_of
from tournaments.standings.season_ranking import SeasonRanking, rank_season
from tournaments.standings.season_results import EventResult, Member, SeasonEvent
from tournaments.standings.season_rows import After, SeasonRow
from tournaments.standings.settings import ScoringError, Setting
from tournaments.standings.teams import TeamRow, rank_teams
from tournaments.standings.tie_breaks import lot

__all__ = [
    "EVENT",
    "SEASON_SETTINGS",
    "SETTINGS",
    "Adjustment",
    "After",
    "BoardScore",
    "Boundary",
    "Change",
    "Circuit",
    "CircuitResult",
    "Contribution",
    "Credit",
    "Decided",
    "Direction",
    "Entry",
    "EventResult",
    "ForfeitPolicy",
    "GuestPolicy",
    "Incomplete",
    "Joiners",
    "Key",
    "Kind",
    "Line",
    "Measure",
    "Member",
    "Method",
    "Playoff",
    "Rank",
    "Ranking",
    "Row",
    "Rule",
    "Scoring",
    "ScoringError",
    "Season",
    "SeasonEvent",
    "SeasonKey",
    "SeasonRanking",
    "SeasonRow",
    "SeatScore",
    "Setting",
    "SitOut",
    "SitOutCredit",
    "Source",
    "Status",
    "TableScore",
    "TeamRow",
    "Total",
    "UnequalBoards",
    "canonical",
    "circuit_points",
    "compare",
    "describe",
    "describe_season",
    "handicap_of",
    "lot",
    "promotions",
    "rank_circuit",
    "rank_event",
    "rank_season",
    "rank_teams",
    "show",
]
