"""Kept: what stands by now, added up with every hand in the transaction of its results.

`sums` are those of every seat of every game of an event; `standing` tells from them at once where
everybody stands. What is published later says the same, and explains it.
"""

from tournaments.kept.standing import Now, Stands, now
from tournaments.kept.sums import add, differing, renew, renew_all

__all__ = ["Now", "Stands", "add", "differing", "now", "renew", "renew_all"]
