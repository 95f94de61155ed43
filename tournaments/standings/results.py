"""Reports of the tables: games, boards, sit-outs, entries, and the director's decisions."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from engine.core.values import quickly_made
from tournaments.standings.exact import Exact

EVENT: Final = "event"
"""The scope of an adjustment that belongs to no table."""


@quickly_made
@dataclass(frozen=True, slots=True)
class SeatScore:
    """A seat's score in one game.

    ``score`` is net chips or penalty points as counted at the table; ``hands`` are those that
    this seat played, ``clean`` those of them without a pain card. ``forfeit`` says that the player
    left before the end (or never came), ``fixed`` is what the director gave instead of what was
    played, in the unit of the event's total, ``substitute`` is the person who sat there for the
    entry.
    """

    entry: str
    score: Exact
    hands: int
    clean: int = 0
    forfeit: bool = False
    fixed: Exact | None = None
    substitute: str | None = None


@quickly_made
@dataclass(frozen=True, slots=True)
class TableScore:
    """One game at one table; ``game`` tells two games of a round at the same table apart.

    ``hands`` were played; ``planned`` is how many should have been, where that is not the
    event's par. ``low`` says whether the lowest score is best, where the tables of an event differ
    in that; None: as the scoring has it. ``is_mixed``: the event is played by several systems, and
    chips and points of its tables are in no common unit (DEC-16).
    """

    id: str
    round: int
    table: int
    game: int
    hands: int
    seats: tuple[SeatScore, ...]
    planned: int | None = None
    low: bool | None = None
    is_mixed: bool = False


@quickly_made
@dataclass(frozen=True, slots=True)
class BoardScore:
    """An entry's score with a prepared deal, compared with the same seat elsewhere.

    ``table`` is the id of the `TableScore`. ``score`` None: the table did not play the board, and
    the entry has the score that the scoring assigns. ``low`` as in `TableScore`.
    """

    board: int
    seat: int
    table: str
    entry: str
    score: Exact | None
    low: bool | None = None


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part.

    ``lot`` is what the lot is drawn from (the id if empty); ``handicap`` makes the total better
    by so much; ``playoff`` is the place in a play-off or the director's order, 1 before 2.
    """

    id: str
    is_guest: bool = False
    is_house: bool = False
    lot: str = ""
    handicap: Exact = 0
    team: str | None = None
    withdrawn: bool = False
    playoff: int | None = None


@dataclass(frozen=True, slots=True)
class RoundSitOut:
    """A round in which an entry had no table."""

    entry: str
    round: int


@dataclass(frozen=True, slots=True)
class RecordedScore:
    """An entry's score where its games are not on record.

    ``points`` are in the unit of the total; None: only the place is known. ``games`` 0: nobody
    wrote down how many it played.
    """

    entry: str
    points: Exact | None
    place: int | None = None
    games: int = 0


@dataclass(frozen=True, slots=True)
class ScoreAdjustment:
    """Points that the director adds (takes, if negative), in the unit of the total.

    ``scope`` is `EVENT` or the id of a table. With ``affects_place`` the amount of a table is in
    chips or penalty points, and is added there before places are told; otherwise places stay.
    """

    entry: str
    amount: Fraction
    scope: str = EVENT
    affects_place: bool = False
    reason: str = ""
    cancelled: bool = False
