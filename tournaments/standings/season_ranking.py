"""The table of a season: what every member has, what counts of it, and where they stand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from tournaments.standings.clinching import find_prospects
from tournaments.standings.memo import Memo
from tournaments.standings.order import SCORE
from tournaments.standings.results import ScoreAdjustment
from tournaments.standings.rows import SeasonRow, StandingAfterEvent
from tournaments.standings.season import SeasonRules
from tournaments.standings.season_books import write_books
from tournaments.standings.season_results import EventAhead, SeasonEvent, SeasonMember
from tournaments.standings.season_table import SeasonTable


@dataclass(frozen=True)
class SeasonRanking:
    """The table of a season; in a league of divisions ranks are told within each."""

    rows: tuple[SeasonRow, ...]
    keys: tuple[str, ...]
    events: tuple[str, ...]
    season: str
    """The digest of the season."""

    @cached_property
    def by_entry(self) -> Mapping[str, SeasonRow]:
        """The row of each member."""
        return {row.entry: row for row in self.rows}

    def division(self, name: str | None) -> tuple[SeasonRow, ...]:
        """The rows of one division in their order."""
        return tuple(row for row in self.rows if row.division == name)

    def to_data(self) -> dict[str, Any]:
        """The table as JSON; `canonical` makes the one text of it."""
        return {
            "rows": [row.to_data() for row in self.rows],
            **self.about(),
        }

    def about(self) -> dict[str, Any]:
        """Return the summary without the rows."""
        return {
            "keys": list(self.keys),
            "events": list(self.events),
            "season": self.season,
        }


def rank_season(
    events: Iterable[SeasonEvent],
    members: Iterable[SeasonMember],
    season: SeasonRules,
    *,
    adjustments: Iterable[ScoreAdjustment] = (),
    ahead: Sequence[EventAhead] = (),
    is_open: bool = False,
    history: bool = True,
    memo: Memo | None = None,
) -> SeasonRanking:
    """Rank a season as it stands after the events held; no events make a table of idle members.

    ``ahead`` are the events in the calendar that are not over; one that is played just now is among
    the ``events`` too. ``is_open``: whoever plays them is a member.
    ``memo`` remembers the last ranking of the season; without it everything is worked out anew.
    """
    memo = memo or Memo()
    held = sorted(events, key=lambda event: (event.number, event.id))
    known = {member.id: member for member in sorted(members, key=lambda member: member.id)}
    taken = [
        adjustment
        for adjustment in adjustments
        if not adjustment.cancelled and adjustment.entry in known
    ]
    memo.begin((season.digest, known, taken))
    books = write_books(held, known, season, memo)
    table = SeasonTable(season, known, held, books, taken, memo)
    return SeasonRanking(
        rows=tuple(
            table.rows(
                _past(table, memo) if history else None,
                find_prospects(table, ahead, memo, is_open=is_open),
            )
        ),
        keys=(SCORE, *(key.value for key in season.tie_breaks)),
        events=tuple(event.id for event in held),
        season=season.digest,
    )


def _past(table: SeasonTable, memo: Memo) -> Mapping[str, tuple[StandingAfterEvent, ...]]:
    """Return every member's place after each event but the last, which tonight leaves alone."""
    walk = Memo()
    stood = [
        memo.part(
            ("stood", number), table.held[:number], partial(table.standings_after, number, walk)
        )
        for number in range(1, len(table.held))
    ]
    return memo.part(
        "past", stood, lambda: {name: tuple([one[name] for one in stood]) for name in table.members}
    )
