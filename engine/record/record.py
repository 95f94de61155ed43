"""HandRecord: what was written down about one hand, judged by nobody yet (notation.md 2).

A record can be wrong in every way a person can be wrong. It holds what the scorer wrote: the
facts of the hand, and what they claim came of them. Seats are places at the table, clockwise;
``None`` means that nothing was written.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from engine.cards import EMPTY, Card, CardSet, Suit
from engine.chips import Rebuy
from engine.rules.rules import Rules
from engine.seats import Seat
from engine.values import quickly_made


class Detail(StrEnum):
    """How much of a hand was written down (notation.md 3)."""

    FULL = "full"
    PLAY = "play"
    SCORE = "score"
    GAME = "game"


class Ending(StrEnum):
    """How the hand came to its end: the values of the Termination tag."""

    NORMAL = "normal"
    CLAIM = "claim"
    FOOT = "foot"
    PASSED_OUT = "passed-out"
    REDEAL = "redeal"
    ABANDONED = "abandoned"
    ADJUDICATED = "adjudicated"
    UNTERMINATED = "unterminated"


STOPPED: Final = frozenset((Ending.REDEAL, Ending.ABANDONED, Ending.UNTERMINATED))
"""Endings that can come in any phase: what the hand had not reached is not written (DEC-2)."""

PASS_CALL = -1
"""A pass, as a call in the chip auction."""


@quickly_made
@dataclass(frozen=True, slots=True)
class Paper:
    """An insurance paper as written: a number, a foot, both, or nothing (D10, D30)."""

    number: int | None
    foot: bool = False


@quickly_made
@dataclass(frozen=True, slots=True)
class Passed:
    """Cards that one seat passed to another."""

    seat: Seat
    to: Seat
    cards: CardSet


@quickly_made
@dataclass(frozen=True, slots=True)
class CentreBid:
    """One seat's paper in the centre auction (D21), and what the record says came of it.

    ``card`` is None for a no-bid; ``bid`` is the number written; ``shown`` the card laid on the
    paper; ``got`` and ``pays`` are the outcome as claimed.
    """

    seat: Seat
    card: Card | None
    bid: int
    shown: Card | None
    got: Card | None = None
    pays: int | None = None


@dataclass(frozen=True, slots=True)
class Captured:
    """What one seat took, when the play is not recorded."""

    seat: Seat
    cards: CardSet
    tricks: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat takes the rest, after so many complete tricks."""

    seat: Seat
    tricks: int


@dataclass(frozen=True, slots=True)
class RulingRow:
    """A row of the ruling table: an irregularity and its adjustment."""

    trick: int | None
    seat: Seat | None
    code: str
    points: int
    text: str


@quickly_made
@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One seat's line of the written score table: its integers by column name."""

    seat: Seat
    values: Mapping[str, int]


@quickly_made
@dataclass(frozen=True, slots=True)
class PotRow:
    """The written pot table."""

    before: int
    bid: int
    paid: int
    won: int
    after: int


@dataclass(frozen=True, slots=True)
class TotalRow:
    """One seat's line of a whole game's result; amounts as written, exact (``5``, ``-7/4``)."""

    seat: Seat
    rank: str = ""
    name: str = ""
    total: int | None = None
    average: str | None = None
    settlement: str | None = None
    cash: str | None = None


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """The written account of one hand (or, at detail ``game``, of a whole game).

    ``deal`` is by seat, before any pass (an empty set: that holding was not written).
    ``auction`` holds the calls in turn order from ``first_caller``: a number of chips,
    ``PASS_CALL``, or None for a call that is missing. ``play`` holds the cards as written, row
    after row, ``len(seats)`` to a row; ``columns`` are the seats of the columns, or None when
    each row is in order of play. ``marks`` are the irregularity marks of single plays (``R``,
    ``L``, ``X``), by place in ``play``.
    """

    seats: tuple[str, ...]
    rules: Rules | None = None
    number: int | None = None
    dealer: Seat | None = None
    names: tuple[str, ...] = ()
    detail: Detail | None = None
    ending: Ending | None = None
    stripped: CardSet | None = None
    deal: tuple[CardSet, ...] | None = None
    centre: CardSet = EMPTY
    papers: tuple[Paper, ...] | None = None
    direction: str | None = None
    exchange: tuple[Passed, ...] | None = None
    bids: tuple[CentreBid, ...] | None = None
    auction: tuple[int | None, ...] | None = None
    first_caller: Seat | None = None
    namer: Seat | None = None
    pain: Suit | None = None
    jackpot: int | None = None
    columns: tuple[Seat, ...] | None = None
    play: tuple[Card | None, ...] | None = None
    marks: Mapping[int, str] = field(default_factory=dict)
    claim: Claim | None = None
    captures: tuple[Captured, ...] | None = None
    rulings: tuple[RulingRow, ...] = ()
    rebuys: tuple[Rebuy, ...] = ()
    pot: PotRow | None = None
    scores: tuple[ScoreRow, ...] | None = None
    hands: int | None = None
    totals: tuple[TotalRow, ...] | None = None
    ante: int | None = None
    stake: int | None = None
    currency: str | None = None

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.seats)
