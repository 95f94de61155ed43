"""Ratings of players from the places that they reached at tables."""

from tournaments.ratings.games import Order, Places, RatedGame
from tournaments.ratings.online import STEP, rate
from tournaments.ratings.outlook import (
    Outlook,
    PredictiveLoss,
    can_show_chances,
    elo_losses,
    measure_loss,
    outlook,
    rate_with_fitted_beta,
    winner_losses,
)
from tournaments.ratings.settings import RatingSettings
from tournaments.ratings.strength import Strength, strengths
from tournaments.ratings.tables import Rating, RatingPoint, Ratings

__all__ = [
    "STEP",
    "Order",
    "Outlook",
    "Places",
    "PredictiveLoss",
    "RatedGame",
    "Rating",
    "RatingPoint",
    "RatingSettings",
    "Ratings",
    "Strength",
    "can_show_chances",
    "elo_losses",
    "measure_loss",
    "outlook",
    "rate",
    "rate_with_fitted_beta",
    "strengths",
    "winner_losses",
]
