"""Hands in sequence: a game, the games that a pile of records makes, and proposed rulings."""
