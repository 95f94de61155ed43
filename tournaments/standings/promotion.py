"""Up and down between divisions at the end of a season (tournaments.md 5).

Each boundary exchanges as many as the season says. Who withdraws leaves a place free, so that one
fewer goes down; divisions are filled from below to their size, rounded down to what it is a
multiple of. Where members with the same place, or without one, stand on both sides of a boundary
nobody of them moves: a play-off decides, or the secretary.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tournaments.standings.exact import Json
from tournaments.standings.rows import SeasonRow
from tournaments.standings.season import SeasonRules
from tournaments.standings.season_ranking import SeasonRanking


@dataclass(frozen=True, slots=True)
class Playoff:
    """Members who share the places around a boundary, and for how many of them it is crossed."""

    entries: tuple[str, ...]
    places: int

    def to_data(self) -> dict[str, Json]:
        """The play-off as JSON."""
        return {"entries": list(self.entries), "places": self.places}


@dataclass(frozen=True, slots=True)
class Boundary:
    """A boundary between two divisions; a play-off is None where nobody is tied."""

    upper: str
    lower: str
    up: tuple[str, ...]
    down: tuple[str, ...]
    playoff_up: Playoff | None = None
    playoff_down: Playoff | None = None

    def to_data(self) -> dict[str, Json]:
        """The boundary as JSON."""
        return {
            "upper": self.upper,
            "lower": self.lower,
            "up": list(self.up),
            "down": list(self.down),
            "playoff_up": self.playoff_up.to_data() if self.playoff_up else None,
            "playoff_down": self.playoff_down.to_data() if self.playoff_down else None,
        }


def promotions(ranking: SeasonRanking, season: SeasonRules) -> list[Boundary]:
    """Return the moves at every boundary, from the highest down; none without two divisions."""
    divisions = [_Division(ranking.division(name), season) for name in season.divisions]
    found = []
    for number, (upper, lower) in enumerate(pairwise(divisions)):
        down = upper.leaving_down()
        wanted = upper.places_to_fill(down)
        up = min(wanted, lower.promotable)
        down = max(0, down - (wanted - up))
        falling, tied_down = upper.bottom(down)
        rising, tied_up = lower.top(up)
        names = season.divisions[number], season.divisions[number + 1]
        found.append(Boundary(*names, rising, falling, tied_up, tied_down))
        lower.exchange(lost=up, gained=down)
    return found


class _Division:
    """One division while the boundaries are worked through from above."""

    def __init__(self, rows: Sequence[SeasonRow], season: SeasonRules) -> None:
        self._moves = season.moves
        self._size = len(rows) // season.division_step * season.division_step or len(rows)
        self._rows = [row for row in rows if not row.withdrawn]
        self._ranked = [row for row in self._rows if row.rank is not None]
        self._lost = 0
        self._gained = 0

    @property
    def promotable(self) -> int:
        """Count those who could go up: those with a rank."""
        return len(self._ranked)

    def exchange(self, *, lost: int, gained: int) -> None:
        """Note what the boundary above did."""
        self._lost, self._gained = lost, gained

    def _now(self) -> int:
        return len(self._rows) - self._lost + self._gained

    def leaving_down(self) -> int:
        """Count those who go down: fewer where places are free."""
        free = max(0, self._size - self._now())
        return max(0, min(self._moves - free, len(self._rows) - self._lost))

    def places_to_fill(self, down: int) -> int:
        """Count those who come up to fill the division."""
        return max(0, self._size - self._now() + down)

    def top(self, count: int) -> tuple[tuple[str, ...], Playoff | None]:
        """The first so many, and who is tied for the last of these places."""
        return _across(self._ranked, count)

    def bottom(self, count: int) -> tuple[tuple[str, ...], Playoff | None]:
        """The last so many, and who is tied for the last of these places."""
        return _across([*reversed(self._rows)], count)


def _across(rows: Sequence[SeasonRow], count: int) -> tuple[tuple[str, ...], Playoff | None]:
    if not 0 < count < len(rows):
        return tuple(row.entry for row in rows[:count]), None
    inside, outside = rows[count - 1].rank, rows[count].rank
    if inside != outside:
        return tuple(row.entry for row in rows[:count]), None
    sure = [row.entry for row in rows[:count] if row.rank != inside]
    tied = sorted(row.entry for row in rows if row.rank == inside)
    return tuple(sure), Playoff(tuple(tied), count - len(sure))
