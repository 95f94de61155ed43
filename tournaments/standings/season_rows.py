"""One row in the table of a season."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from engine.messages import PluralMessage, joined_by_and
from tournaments.standings.exact import Json, Value, data_of
from tournaments.standings.order import SharedRank, TieBreakReason
from tournaments.standings.ranking import RowKind
from tournaments.standings.results import ScoreAdjustment
from tournaments.standings.season_books import SeasonEventLine


class StandingAfterEvent(NamedTuple):
    """Where a member stood after an event; no rank while he was unranked."""

    event: str
    rank: SharedRank | None
    total: Fraction | None


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """One member in the table of a season.

    ``total`` is with handicap where handicaps count, ``scratch`` without; ``handicap`` is his for
    the next event. ``counted`` are the ids of the events that are in the total. ``needs_events``
    and ``needs_games`` are missing for a rank, 0 for a withdrawn member. ``delta`` is how many
    places he went up with the last event.
    """

    entry: str
    division: str | None
    kind: RowKind
    total: Fraction | None
    scratch: Fraction | None
    handicap: Fraction
    lines: tuple[SeasonEventLine, ...]
    counted: frozenset[str]
    adjustments: tuple[ScoreAdjustment, ...]
    columns: Mapping[str, Value]
    needs_events: int
    needs_games: int
    withdrawn: bool
    rank: SharedRank | None = None
    by_score: SharedRank | None = None
    scratch_rank: SharedRank | None = None
    decided: TieBreakReason | None = None
    history: tuple[StandingAfterEvent, ...] = ()
    delta: int | None = None
    clinched: bool = False

    @property
    def rank_from(self) -> int | None:
        """The best of the places that the member shares."""
        return self.rank.first if self.rank else None

    @property
    def rank_to(self) -> int | None:
        """The last of the places that the member shares."""
        return self.rank.last if self.rank else None

    @property
    def tied(self) -> int:
        """How many share the place; 0 without a rank."""
        return self.rank.tied if self.rank else 0

    @property
    def label(self) -> str:
        """The place as it is shown, ``=2`` if shared; empty without a rank."""
        return self.rank.label if self.rank else ""

    @property
    def lack(self) -> str:
        """What is missing for a rank, in words; empty if nothing is."""
        parts = []
        if self.needs_events:
            parts.append(
                PluralMessage("{count} more event", "{count} more events", count=self.needs_events)
            )
        if self.needs_games:
            parts.append(
                PluralMessage("{count} more game", "{count} more games", count=self.needs_games)
            )
        return joined_by_and(parts) if parts else ""

    def to_data(self) -> dict[str, Json]:
        """The row as JSON."""
        return {
            "entry": self.entry,
            "division": self.division,
            "kind": self.kind.value,
            "rank_from": self.rank_from,
            "rank_to": self.rank_to,
            "tied": self.tied,
            "label": self.label,
            "score_from": self.by_score.first if self.by_score else None,
            "score_to": self.by_score.last if self.by_score else None,
            "total": data_of(self.total),
            "scratch": data_of(self.scratch),
            "scratch_label": self.scratch_rank.label if self.scratch_rank else "",
            "handicap": str(self.handicap),
            "lines": [line.to_data(counted=line.event in self.counted) for line in self.lines],
            "adjustments": [
                {"amount": str(one.amount), "reason": one.reason} for one in self.adjustments
            ],
            "columns": {name: data_of(value) for name, value in self.columns.items()},
            "needs_events": self.needs_events,
            "needs_games": self.needs_games,
            "withdrawn": self.withdrawn,
            "decided": self.decided.to_data() if self.decided else None,
            "history": [
                {
                    "event": after.event,
                    "label": after.rank.label if after.rank else "",
                    "total": data_of(after.total),
                }
                for after in self.history
            ],
            "delta": self.delta,
            "clinched": self.clinched,
        }
