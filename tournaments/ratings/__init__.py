"""Ratings of players from the places that they reached at tables."""
