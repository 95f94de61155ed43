"""Clubs, events, who meets whom, and the standings."""
