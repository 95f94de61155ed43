"""Positions after each event of a season, cached by the digest of their inputs.

A hand of tonight changes nothing of how the table stood before tonight: a worker works that out
once, and knows it again by the digest of the members and the nights until then.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from tournaments.publishing.computed import digest_of
from tournaments.standings.order import SharedRank
from tournaments.standings.season import SeasonRules
from tournaments.standings.season_ranking import SeasonRanking, rank_season
from tournaments.standings.season_results import SeasonEvent, SeasonMember
from tournaments.standings.season_rows import SeasonRow, StandingAfterEvent

Stood = Mapping[str, tuple[SharedRank | None, Fraction | None]]
"""Place and total of each member."""

_KEPT: Final = 4096
_remembered: Final[dict[str, Stood]] = {}


def with_history(
    events: Sequence[SeasonEvent], members: Sequence[SeasonMember], season: SeasonRules
) -> SeasonRanking:
    """What `rank_season` gives, at the price of the last event alone."""
    held = sorted(events, key=lambda event: (event.number, event.id))
    ranking = rank_season(held, members, season, history=False)
    key = digest_of((season.digest, members))
    past: list[tuple[str, Stood]] = []
    for number, event in enumerate(held, 1):
        key = digest_of((key, event))
        if number == len(held):
            past.append((event.id, _stood(ranking)))
        else:
            past.append((event.id, _cached_history(key, held[:number], members, season)))
    return replace(ranking, rows=tuple(_row(row, past) for row in ranking.rows))


def _cached_history(
    key: str, events: Sequence[SeasonEvent], members: Sequence[SeasonMember], season: SeasonRules
) -> Stood:
    found = _remembered.get(key)
    if found is None:
        if len(_remembered) >= _KEPT:
            _remembered.clear()
        found = _stood(rank_season(events, members, season, history=False))
        _remembered[key] = found
    return found


def _stood(ranking: SeasonRanking) -> Stood:
    return {row.entry: (row.rank, row.total) for row in ranking.rows}


def _row(row: SeasonRow, past: Sequence[tuple[str, Stood]]) -> SeasonRow:
    history = tuple([StandingAfterEvent(event, *stood[row.entry]) for event, stood in past])
    ranks = [after.rank for after in history[-2:]]
    known = [rank for rank in ranks if rank is not None]
    delta = known[0].first - known[1].first if len(known) == 2 else None
    return replace(row, history=history, delta=delta)
