"""The parts of a season: its members, its events, and what these brought to whom."""

from dataclasses import dataclass
from fractions import Fraction

from tournaments.standings.exact import Exact


@dataclass(frozen=True, slots=True)
class SeasonMember:
    """Somebody who plays a season.

    ``joined`` is the number of the first event that they could play. ``opening`` are points that
    they bring along, from ``opening_games`` games at ``opening_events`` events; ``handicap`` holds
    until one can be worked out.
    """

    id: str
    division: str | None = None
    joined: int = 0
    opening: Exact = 0
    opening_games: int = 0
    opening_events: int = 0
    handicap: Exact = 0
    withdrawn: bool = False
    playoff: int | None = None
    lot: str = ""


@dataclass(frozen=True, slots=True)
class EventResult:
    """The worth of an event for a member.

    ``points`` are without handicap, from so many ``games``; ``rank_from`` and ``tied`` are their
    place there. ``substitute`` is the person who played for them; ``handicap`` is one that was
    fixed at the start of the event, instead of the one that follows from the results before.
    ``chips`` is None where what was won at the tables has no common unit (DEC-16). ``is_guest``:
    a guest there who was ranked; leagues count guests only if they are on the roll.
    """

    member: str
    points: Exact
    games: int = 1
    rank_from: int | None = None
    tied: int = 1
    substitute: str | None = None
    handicap: Exact | None = None
    chips: Exact | None = 0
    clean: int = 0
    is_guest: bool = False


@dataclass(frozen=True, slots=True)
class EventAhead:
    """An event in the calendar of a season that is not over: planned, or played just now.

    ``is_of_division``: it counts for the members of one division only.
    """

    id: str
    weight: Fraction = Fraction(1)
    is_of_division: bool = False


@dataclass(frozen=True, slots=True)
class SeasonEvent:
    """One event of a season that was held; ``number`` puts them in order."""

    id: str
    number: int
    results: tuple[EventResult, ...]
    weight: Fraction = Fraction(1)
