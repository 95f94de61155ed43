"""Verifying: everything that is derived, recomputed from the records and compared to the last unit.

Games are looked at in bundles, so that the memory does not grow with the club. Nothing is locked
while all is well; a game that differs is looked at once more under its lock, because somebody may
have written to it between two reads.
"""

from scoring.transfer.verifying.batches import (
    Bundle,
    Looked,
    bundles,
    look_at_all,
    look_at_club,
    look_at_games,
    look_at_installation,
    look_at_standings,
    processes,
    value_cards,
)
from scoring.transfer.verifying.difference import Discrepancy
from scoring.transfer.verifying.rounds import look_on
from scoring.transfer.verifying.trails import compare_with_earlier

__all__ = [
    "Bundle",
    "Discrepancy",
    "Looked",
    "bundles",
    "compare_with_earlier",
    "look_at_all",
    "look_at_club",
    "look_at_games",
    "look_at_installation",
    "look_at_standings",
    "look_on",
    "processes",
    "value_cards",
]
