"""Statistics that players love: how often clean, what their bids brought, against whom."""

from tournaments.statistics.achievements import ACHIEVEMENTS, Achievement
from tournaments.statistics.auction_value import AuctionValue, auction_value, of_deals
from tournaments.statistics.catalogue import LEAST, OF_TABLES, Extreme, Statistic, Unit
from tournaments.statistics.certainty import Certainty, LikelyPlace, measure_certainty
from tournaments.statistics.duplicate import Parted, split_deal_scores
from tournaments.statistics.figures import (
    CapturedShare,
    Figure,
    captured_shares,
    figures,
    interval_of_mean,
)
from tournaments.statistics.form import Earned, NightResult, RecentForm, earned_achievements, form
from tournaments.statistics.hand_catalogue import EXTREMES, OF_HANDS, WORTHS_LEAST
from tournaments.statistics.head_to_head import HeadToHead, Opponent, head_to_head
from tournaments.statistics.lines import PlayerHandLine, Rival, TableLine, hand_lines, without_gain
from tournaments.statistics.nights import Streak
from tournaments.statistics.seat_bias import Bias, SeatBiasInput, seat_bias
from tournaments.statistics.summary import PlayerSummary, summarise
from tournaments.statistics.sums import Sum
from tournaments.statistics.tally import Book, PlayerTally, RivalTally

__all__ = [
    "ACHIEVEMENTS",
    "EXTREMES",
    "LEAST",
    "OF_HANDS",
    "OF_TABLES",
    "WORTHS_LEAST",
    "Achievement",
    "AuctionValue",
    "Bias",
    "Book",
    "CapturedShare",
    "Certainty",
    "Earned",
    "Extreme",
    "Figure",
    "HeadToHead",
    "LikelyPlace",
    "NightResult",
    "Opponent",
    "Parted",
    "PlayerHandLine",
    "PlayerSummary",
    "PlayerTally",
    "RecentForm",
    "Rival",
    "RivalTally",
    "SeatBiasInput",
    "Statistic",
    "Streak",
    "Sum",
    "TableLine",
    "Unit",
    "auction_value",
    "captured_shares",
    "earned_achievements",
    "figures",
    "form",
    "hand_lines",
    "head_to_head",
    "interval_of_mean",
    "measure_certainty",
    "of_deals",
    "seat_bias",
    "split_deal_scores",
    "summarise",
    "without_gain",
]
