"""Prizes and pools: exact to the minor unit, and the parts add up."""

from tournaments.prizes.awards import Awards, Finisher, Leg, Payer, award, reversing
from tournaments.prizes.settings import Fee, OddUnits, PotLeft, PrizeKind, Prizes, Ties
from tournaments.prizes.shares import Shared, by_chips, by_place, by_weight, to_winner

__all__ = [
    "Awards",
    "Fee",
    "Finisher",
    "Leg",
    "OddUnits",
    "Payer",
    "PotLeft",
    "PrizeKind",
    "Prizes",
    "Shared",
    "Ties",
    "award",
    "by_chips",
    "by_place",
    "by_weight",
    "reversing",
    "to_winner",
]
