"""Rows of standings: one entry of an event, or one member of a season.

`EventRow` and `SeasonRow` are what the ranking gives, in exact numbers. `EventRowData` and
`SeasonRowData` are the same as JSON, as it is published: pages, files and the API read these.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, NotRequired, TypedDict

from tournaments.standings.contributions import Contribution, ContributionData
from tournaments.standings.exact import Exact, Value, ValueData, data_of
from tournaments.standings.order import (
    SCORE,
    DecidedData,
    RankedEntry,
    SharedRank,
    TieBreakReason,
    by_value,
    order,
    rank_data,
)
from tournaments.standings.results import ScoreAdjustment
from tournaments.standings.season_books import SeasonEventLine, SeasonLineData


class RowKind(StrEnum):
    """Kinds of rows, in the order in which they stand."""

    RANKED = "ranked"
    UNQUALIFIED = "unqualified"
    """Too few games for a rank."""
    WITHDRAWN = "withdrawn"
    """Has played and withdrew: no rank, but the results stay."""
    IDLE = "idle"
    """Has not played yet."""
    GUEST = "guest"
    HOUSE = "house"


class LineAdjustmentData(TypedDict):
    """Points that the director gave or took; ``reason`` is the id under which it is told."""

    amount: str
    scope: NotRequired[str]
    affects_place: NotRequired[bool]
    reason: str


class RankedRowData(TypedDict, total=False):
    """Common members of rows of events and seasons; ``label`` is the place as it is shown."""

    entry: str
    kind: str
    rank_from: int | None
    rank_to: int | None
    tied: int
    label: str
    score_from: int | None
    score_to: int | None
    total: ValueData
    columns: dict[str, ValueData]
    decided: DecidedData | None
    withdrawn: bool
    adjustments: list[LineAdjustmentData]


class EventRowData(RankedRowData, total=False):
    """An entry; ``rounds`` by number, ``needs``: how many games are missing for a rank."""

    rounds: dict[str, str]
    contributions: list[ContributionData]
    needs: int
    team: str | None


class StoodData(TypedDict, total=False):
    """A member's place after an event."""

    event: str
    label: str
    total: ValueData


class SeasonRowData(RankedRowData, total=False):
    """A member of a season; ``delta``: how many places they went up with the last event."""

    division: str | None
    scratch: ValueData
    scratch_label: str
    handicap: str
    lines: list[SeasonLineData]
    needs_events: int
    needs_games: int
    history: list[StoodData]
    delta: int | None
    clinched: bool
    safe: bool
    possible: bool
    opening: str
    attendance: str


class RowData(EventRowData, SeasonRowData, total=False):
    """A row of published standings; one of an event has nothing that only seasons have."""


def place_of(label: str) -> int | None:
    """Return the place that a label shows; None for an empty one."""
    digits = label.removeprefix("=").strip()
    return int(digits) if digits.isascii() and digits.isdigit() else None


def rows_in_order(
    standings: Sequence[RankedEntry],
    kinds: Mapping[str, RowKind],
    totals: Mapping[str, Fraction | None],
    *,
    low: bool,
) -> Iterator[tuple[str, RankedEntry | None]]:
    """The ranked entries in their places, then the others by kind and score."""
    yield from ((one.entry, one) for one in standings)
    chain = [by_value(SCORE, totals, low=low)]
    others: dict[RowKind, list[str]] = {kind: [] for kind in RowKind}
    for name, kind in kinds.items():
        others[kind].append(name)
    for kind, names in others.items():
        if kind is not RowKind.RANKED:
            yield from ((one.entry, None) for one in order(names, chain))


def total_of(row: RankedRowData) -> Fraction | None:
    """The total of a published row; None where an average has no game."""
    total = row["total"]
    return None if total is None else Fraction(str(total))


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedRow:
    """Common fields of rows of events and seasons.

    There is no ``rank`` where none is given; ``by_score`` is the place by the score alone, by
    which prizes are shared. ``total`` is None where an average has no game.
    """

    entry: str
    kind: RowKind
    total: Fraction | None
    columns: Mapping[str, Value]
    adjustments: tuple[ScoreAdjustment, ...]
    withdrawn: bool = False
    rank: SharedRank | None = None
    by_score: SharedRank | None = None
    decided: TieBreakReason | None = None

    @property
    def rank_from(self) -> int | None:
        """The best of the places that the entry shares."""
        return self.rank.first if self.rank else None

    @property
    def label(self) -> str:
        """The place as it is shown, ``=2`` if shared; empty without a rank."""
        return self.rank.label if self.rank else ""

    def to_data(self) -> RankedRowData:
        """The row as JSON."""
        return {
            "entry": self.entry,
            "kind": self.kind.value,
            **rank_data(self.rank),
            "score_from": self.by_score.first if self.by_score else None,
            "score_to": self.by_score.last if self.by_score else None,
            "total": data_of(self.total),
            "columns": {name: data_of(value) for name, value in self.columns.items()},
            "decided": self.decided.to_data() if self.decided else None,
            "withdrawn": self.withdrawn,
            "adjustments": [
                {"amount": str(adjustment.amount), "reason": adjustment.reason}
                for adjustment in self.adjustments
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow(RankedRow):
    """One entry in the standings of an event.

    ``needs`` is how many games are missing for a rank, 0 for a withdrawn entry.
    """

    rounds: Mapping[int, Exact]
    contributions: tuple[Contribution, ...]
    needs: int = 0
    team: str | None = None

    def to_data(self) -> EventRowData:
        """The row as JSON."""
        return {
            **RankedRow.to_data(self),
            "rounds": {str(number): str(value) for number, value in self.rounds.items()},
            "contributions": [contribution.to_data() for contribution in self.contributions],
            "adjustments": [
                {
                    "amount": str(adjustment.amount),
                    "scope": adjustment.scope,
                    "affects_place": adjustment.affects_place,
                    "reason": adjustment.reason,
                }
                for adjustment in self.adjustments
            ],
            "needs": self.needs,
            "team": self.team,
        }


class StandingAfterEvent(NamedTuple):
    """A member's place after an event; no rank while they were unranked."""

    event: str
    rank: SharedRank | None
    total: Fraction | None


class Prospect(NamedTuple):
    """A certainty about a member before a season is over."""

    has_won: bool
    is_safe: bool
    is_possible: bool


@dataclass(frozen=True, slots=True)
class Prospects:
    """Certainties: who has won a season, who stays above the promotion line, who can reach it."""

    won: frozenset[str] = frozenset()
    safe: frozenset[str] = frozenset()
    possible: frozenset[str] = frozenset()

    def of(self, name: str) -> Prospect:
        """Return the certainty about one member."""
        return Prospect(name in self.won, name in self.safe, name in self.possible)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRow(RankedRow):
    """One member in the table of a season.

    ``total`` is with handicap where handicaps count, ``scratch`` without; ``handicap`` counts
    from the next event. ``counted`` are the ids of the events in the total. ``needs_events`` and
    ``needs_games`` are missing for a rank, 0 for a withdrawn member. ``delta`` is how many
    places they went up with the last event. ``opening`` is what they brought into the season, and
    ``attendance`` what they have for the events played. ``clinched``: they have won the season;
    ``safe``: they stay above the promotion line; ``possible``: below it, they can still reach it.
    """

    division: str | None
    scratch: Fraction | None
    handicap: Fraction
    lines: tuple[SeasonEventLine, ...]
    counted: frozenset[str]
    needs_events: int
    needs_games: int
    scratch_rank: SharedRank | None = None
    history: tuple[StandingAfterEvent, ...] = ()
    delta: int | None = None
    clinched: bool = False
    safe: bool = False
    possible: bool = False
    opening: Exact = 0
    attendance: Exact = 0

    def to_data(self) -> SeasonRowData:
        """The row as JSON."""
        return {
            **RankedRow.to_data(self),
            "division": self.division,
            "scratch": data_of(self.scratch),
            "scratch_label": self.scratch_rank.label if self.scratch_rank else "",
            "handicap": str(self.handicap),
            "lines": [line.to_data(counted=line.event in self.counted) for line in self.lines],
            "needs_events": self.needs_events,
            "needs_games": self.needs_games,
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
            "safe": self.safe,
            "possible": self.possible,
            "opening": str(self.opening),
            "attendance": str(self.attendance),
        }
