"""The table of a season: what every member has, what counts of it, and where he stands."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from tournaments.standings.clinching import clinched_members
from tournaments.standings.exact import Json
from tournaments.standings.order import SCORE
from tournaments.standings.results import ScoreAdjustment
from tournaments.standings.season import SeasonRules
from tournaments.standings.season_books import write_books
from tournaments.standings.season_results import SeasonEvent, SeasonMember
from tournaments.standings.season_rows import SeasonRow, StandingAfterEvent
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

    def to_data(self) -> dict[str, Json]:
        """The table as JSON; `canonical` makes the one text of it."""
        return {
            "rows": [row.to_data() for row in self.rows],
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
    history: bool = True,
) -> SeasonRanking:
    """Rank a season as it stands after the events held; no events make a table of idle members."""
    held = sorted(events, key=lambda event: (event.number, event.id))
    known = {member.id: member for member in sorted(members, key=lambda member: member.id)}
    taken = [one for one in adjustments if not one.cancelled and one.entry in known]
    table = SeasonTable(season, known, held, write_books(held, known, season), taken)
    rows = _with_history(table) if history else table.rows()
    won = clinched_members(table)
    return SeasonRanking(
        rows=tuple([replace(row, clinched=True) if row.entry in won else row for row in rows]),
        keys=(SCORE, *(key.value for key in season.tie_breaks)),
        events=tuple(event.id for event in held),
        season=season.digest,
    )


def _with_history(table: SeasonTable) -> list[SeasonRow]:
    """The rows, each with where its member stood after every event."""
    stood: dict[str, list[StandingAfterEvent]] = {name: [] for name in table.members}
    for number, event in enumerate(table.held, start=1):
        then = table.after(number) if number < len(table.held) else table
        ranks = then.ranks()
        for name, past in stood.items():
            past.append(StandingAfterEvent(event.id, ranks.get(name), then.totals[name]))
    return [
        replace(row, history=tuple(stood[row.entry]), delta=_delta(stood[row.entry]))
        for row in table.rows()
    ]


def _delta(past: list[StandingAfterEvent]) -> int | None:
    if len(past) < 2 or past[-1].rank is None or past[-2].rank is None:
        return None
    return past[-2].rank.first - past[-1].rank.first
