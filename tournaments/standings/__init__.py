"""Who stands where, and why: results of tables into ranked rows, exact and in one order."""

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
from tournaments.standings.exact import canonical, show
from tournaments.standings.order import Decided, Rank
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
from tournaments.standings.settings import ScoringError, Setting
from tournaments.standings.tallies import Contribution, Status

__all__ = [
    "EVENT",
    "SETTINGS",
    "Adjustment",
    "BoardScore",
    "Contribution",
    "Credit",
    "Decided",
    "Direction",
    "Entry",
    "ForfeitPolicy",
    "GuestPolicy",
    "Incomplete",
    "Key",
    "Kind",
    "Method",
    "Rank",
    "Ranking",
    "Row",
    "Scoring",
    "ScoringError",
    "SeatScore",
    "Setting",
    "SitOut",
    "SitOutCredit",
    "Status",
    "TableScore",
    "Total",
    "UnequalBoards",
    "canonical",
    "describe",
    "rank_event",
    "show",
]
