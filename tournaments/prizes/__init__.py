"""Prizes and pools: exact to the minor unit, and the parts add up."""

from tournaments.prizes.awarding import Account, Awards, Finisher, Leg, award, reversing
from tournaments.prizes.settings import Fee, Kind, Odd, PotLeft, Prizes, Ties
from tournaments.prizes.shares import Shared, by_chips, by_place, by_weight, to_winner

__all__ = [
    "Account",
    "Awards",
    "Fee",
    "Finisher",
    "Kind",
    "Leg",
    "Odd",
    "PotLeft",
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
