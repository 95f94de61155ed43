"""The admin: operators look at every row, and change none.

`read_only` has the site and the base of every page; the rest are the models by subject: `people`
(clubs, accounts, players), `events` (events, rounds, leagues, results) and `operations` (standings,
jobs, the trail). `scoring.admin` has games, hands and books.
"""

from tournaments.admin import events, operations, people

__all__ = ["events", "operations", "people"]
