"""Past nights as an import plans them: events with results, and what the table states of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any
from uuid import UUID

from tournaments.core.ids import new_id
from tournaments.events.recorded_results import NewResult
from tournaments.models import Event, League


@dataclass(eq=False, slots=True)
class NightPerson:
    """Somebody in the table: a player of the club, or one who is new there."""

    name: str
    player: UUID | None
    number: int | None = None
    id: UUID = field(default_factory=new_id)
    """The player, or who will be: it is used within the plan only."""


@dataclass(eq=False, slots=True)
class PlannedNight:
    """A night of the table, which becomes an event, or is one already."""

    name: str
    starts_at: datetime
    line: int
    column: int
    event: Event | None = None
    id: UUID = field(default_factory=new_id)
    """The event, or one that will be: it is used within the plan only."""
    known: Mapping[UUID, NewResult] = field(default_factory=dict)
    """The results on record already, by player."""
    results: dict[NightPerson, NewResult] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CellResult:
    """The result in a cell: points or a place, and whether it was dropped from the total."""

    points: Fraction | None
    place: int | None
    games: int
    is_dropped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAdjustment:
    """A penalty or a bonus of the table, for somebody in one of their nights."""

    night: PlannedNight
    person: NightPerson
    amount: Fraction
    reason: str


@dataclass(frozen=True, slots=True)
class StatedPlace:
    """The cell of the file with somebody's place in a night, beside their points."""

    line: int
    column: int
    night: PlannedNight
    person: NightPerson


@dataclass(slots=True, kw_only=True)
class StatedStanding:
    """The total and the place of somebody as the file states them, with their columns.

    ``possible_totals``: those that may be meant where no league says which nights count.
    """

    line: int
    person: UUID
    total: Fraction | None = None
    total_column: int = 0
    place: int | None = None
    place_column: int = 0
    possible_totals: Sequence[Fraction] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NightsPlan:
    """The events that a table of nights becomes, in the order of their days, and their league.

    ``known_nights`` get no new results. ``divisions``: the number of the division
    of each person, from 1, where the table has them. ``openings``: penalties that count from the
    start of the league, as no night can hold them.
    """

    nights: Sequence[PlannedNight]
    known_nights: Sequence[PlannedNight]
    people: Sequence[NightPerson]
    kind: str
    league: League | None
    new_league: Mapping[str, Any] | None
    rule_set: str
    scoring: Mapping[str, Any]
    adjustments: Sequence[PlannedAdjustment] = ()
    divisions: Mapping[UUID, int] = field(default_factory=dict)
    openings: Mapping[UUID, Fraction] = field(default_factory=dict)
    stated: Sequence[StatedStanding] = ()
    stated_places: Sequence[StatedPlace] = ()

    @property
    def is_stated(self) -> bool:
        """Whether the table has totals or places with which its nights are compared."""
        return bool(self.stated_places) or any(
            one.total_column or one.place_column for one in self.stated
        )
