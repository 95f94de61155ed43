"""Ratings of players from the places that they reached at tables."""

from tournaments.ratings.games import Order, Places, RatedGame
from tournaments.ratings.online import STEP, rate
from tournaments.ratings.outlook import Outlook, can_show_chances, outlook, winner_losses
from tournaments.ratings.settings import RatingSettings
from tournaments.ratings.strength import Strength, strengths
from tournaments.ratings.tables import Rating, RatingPoint, Ratings

__all__ = [
    "STEP",
    "Order",
    "Outlook",
    "Places",
    "RatedGame",
    "Rating",
    "RatingPoint",
    "RatingSettings",
    "Ratings",
    "Strength",
    "can_show_chances",
    "outlook",
    "rate",
    "strengths",
    "winner_losses",
]
