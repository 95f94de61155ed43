"""Publishing: standings of events and leagues, and ratings of clubs, computed and kept in versions.

publisher         takes what is behind, computes it and writes its next version (`lease`)
  scopes          computes one subject: `event_standings`, `league_standings`, `club_ratings`
    event_inputs  the rows of an event as plain values: `seat_sums`, `seat_decisions`, `deals`
    adjourned     tables that are finished another day, until when nothing is official
    event_summaries  what a league takes of an event that was published
    documents     standings as one text with its digest
    recent_subjects  what a process remembers of those that it computed last
staleness         marks what is missing or outdated
versions          reads what was published
thinning          which versions are kept for ever; removes the others
official          says which version holds, and what it is: provisional, official, amended
  amendment_causes   what was changed since, from the trail
  official_versions  what is official, for whatever is computed from it
player_statistics  sums of a player's games, published like standings
  player_lines    lines of statistics, from the same results
"""

from tournaments.publishing.documents import StandingsDocument
from tournaments.publishing.publisher import (
    STANDINGS,
    STATISTICS,
    Issue,
    PublishOutcome,
    count_due,
    find_due,
    publish,
    publish_due,
    put_aside,
    try_again,
)
from tournaments.publishing.scopes import compute
from tournaments.publishing.staleness import mark_strengths, sweep
from tournaments.publishing.thinning import thin_versions
from tournaments.standings.program import PROGRAM

__all__ = [
    "PROGRAM",
    "STANDINGS",
    "STATISTICS",
    "Issue",
    "PublishOutcome",
    "StandingsDocument",
    "compute",
    "count_due",
    "find_due",
    "mark_strengths",
    "publish",
    "publish_due",
    "put_aside",
    "sweep",
    "thin_versions",
    "try_again",
]
