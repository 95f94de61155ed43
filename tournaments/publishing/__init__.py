"""Publishing: standings of events and leagues, and ratings of clubs, computed and kept in versions.

`publish_due` computes what is behind and writes it down; `versions` tells what was published.
"""

from tournaments.publishing.documents import StandingsDocument
from tournaments.publishing.publisher import (
    Issue,
    PublishOutcome,
    find_due,
    publish,
    publish_due,
    try_again,
)
from tournaments.publishing.scopes import compute
from tournaments.publishing.staleness import mark_strengths, sweep
from tournaments.standings.program import PROGRAM

__all__ = [
    "PROGRAM",
    "Issue",
    "PublishOutcome",
    "StandingsDocument",
    "compute",
    "find_due",
    "mark_strengths",
    "publish",
    "publish_due",
    "sweep",
    "try_again",
]
