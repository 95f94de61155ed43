"""Ratings of players from the places that they reached at tables."""

from tournaments.ratings.games import Order, Places, Rated
from tournaments.ratings.online import STEP, rate
from tournaments.ratings.outlook import Outlook, outlook
from tournaments.ratings.settings import RatingSettings
from tournaments.ratings.strength import Strength, strengths
from tournaments.ratings.tables import Point, Rating, Ratings

__all__ = [
    "STEP",
    "Order",
    "Outlook",
    "Places",
    "Point",
    "Rated",
    "Rating",
    "RatingSettings",
    "Ratings",
    "Strength",
    "outlook",
    "rate",
    "strengths",
]
