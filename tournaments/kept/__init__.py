"""Kept: what stands by now, added up with every hand in the transaction of its results.

`sums` are those of every seat of every game of an event; `standing` tells from them at once where
everybody stands in it, `season` in a league. What is published later says the same, explained.
"""

from tournaments.kept.season import InSeason, season_now
from tournaments.kept.standing import Now, Stands, now
from tournaments.kept.sums import add, differing, renew, renew_all

__all__ = [
    "InSeason",
    "Now",
    "Stands",
    "add",
    "differing",
    "now",
    "renew",
    "renew_all",
    "season_now",
]
