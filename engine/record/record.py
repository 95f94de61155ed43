"""HandRecord: what was written down about one hand, judged by nobody yet (notation.md 2).

A record can be wrong in every way a person can be wrong. It holds what the scorer wrote: the
facts of the hand, and what they claim came of them. Seats are places at the table, clockwise;
``None`` means that nothing was written.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeVar

from ..core.cards import EMPTY, Card, CardSet, Suit
from ..core.chips import Rebuy
from ..core.seats import Seat, left_of
from ..core.values import quickly_made
from ..rules.rules import Rules


class Detail(StrEnum):
    """Degrees of detail in a written hand (notation.md 3)."""

    FULL = "full"
    PLAY = "play"
    SCORE = "score"
    GAME = "game"

    @classmethod
    def from_parts(
        cls, *, dealt: bool, played: bool, needs_no_play: bool, is_total: bool
    ) -> "Detail":
        """The level of a record in which certain parts are written (notation.md 3.1).

        ``needs_no_play``: the hand ended, or may have, before a trick was played; ``is_total``:
        there are the totals of a game and no scores of a hand.
        """
        if dealt and (played or needs_no_play):
            return cls.FULL
        if played:
            return cls.PLAY
        return cls.GAME if is_total else cls.SCORE


class Ending(StrEnum):
    """Ends of a hand: the values of the Termination tag."""

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
class PassedCards:
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
class CapturedCards:
    """The cards of one seat, when the play is not recorded."""

    seat: Seat
    cards: CardSet
    tricks: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat takes the rest, after so many complete tricks."""

    seat: Seat
    tricks: int


_CONTROLS: Final = dict.fromkeys((*range(32), 127), " ")


def clean_text(text: str) -> str:
    r"""A text as it stands in a line of a record: no control characters, Unicode in one form.

    >>> clean_text("two\nlines")
    'two lines'
    """
    if not text.isprintable():
        text = text.translate(_CONTROLS)
    return text if text.isascii() else unicodedata.normalize("NFC", text)


@dataclass(frozen=True, slots=True)
class RulingRow:
    """A row of the ruling table: an irregularity and its adjustment."""

    trick: int | None
    seat: Seat | None
    code: str
    points: int
    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", clean_text(self.code))
        object.__setattr__(self, "text", clean_text(self.text))


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "rank", clean_text(self.rank))
        object.__setattr__(self, "name", clean_text(self.name))


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

    A record is normalised when it is made: reading what is written of it gives an equal one. The
    last row of ``auction`` and ``play`` is filled up with None, and eldest hand is the first
    caller unless somebody else is named; where no dealer is written, only the game knows it.

    >>> record = HandRecord(seats=tuple("NESW"), dealer=Seat(0), auction=(3, PASS_CALL))
    >>> record.auction, record.first_caller, record.detail
    ((3, -1, None, None), 1, <Detail.SCORE: 'score'>)
    """

    seats: tuple[str, ...]
    rules: Rules | None = None
    number: int | None = None
    dealer: Seat | None = None
    names: tuple[str, ...] = ()
    ending: Ending | None = None
    stripped: CardSet | None = None
    deal: tuple[CardSet, ...] | None = None
    centre: CardSet = EMPTY
    papers: tuple[Paper, ...] | None = None
    direction: str | None = None
    exchange: tuple[PassedCards, ...] | None = None
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
    captures: tuple[CapturedCards, ...] | None = None
    rulings: tuple[RulingRow, ...] = ()
    rebuys: tuple[Rebuy, ...] = ()
    pot: PotRow | None = None
    scores: tuple[ScoreRow, ...] | None = None
    hands: int | None = None
    totals: tuple[TotalRow, ...] | None = None
    ante: int | None = None
    stake: int | None = None
    currency: str | None = None

    def __post_init__(self) -> None:
        changed: dict[str, object] = {}
        if self.play is None:
            if self.columns is not None or self.marks:
                changed = {"columns": None, "marks": {}}
        elif self.marks or len(self.play) % self.players:
            play = _fill_last_row(self.play, self.players)
            marks = {at: mark for at, mark in self.marks.items() if mark and at < len(play)}
            changed = {"play": play, "marks": marks}
        if self.auction is None:
            if self.first_caller is not None:
                changed["first_caller"] = None
        else:
            changed["auction"] = _fill_last_row(self.auction, self.players)
            if self.first_caller is None and self.dealer is not None:
                changed["first_caller"] = left_of(self.dealer, self.players)
        if self.names:
            names = tuple(["" if name == "?" else clean_text(name) for name in self.names])
            changed["names"] = names if any(names) else ()
        if self.jackpot == 0:
            changed["jackpot"] = None
        for name, value in changed.items():
            object.__setattr__(self, name, value)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.seats)

    @property
    def detail(self) -> Detail:
        """The degree of detail of the hand."""
        claim, ending = self.claim, self.ending
        if ending is Ending.CLAIM:
            needs_no_play = claim is not None and not claim.tricks
        else:
            needs_no_play = ending not in (None, Ending.NORMAL)
        return Detail.from_parts(
            dealt=self.deal is not None,
            played=bool(self.play),
            needs_no_play=needs_no_play,
            is_total=bool(self.totals) and not self.scores,
        )


Cell = TypeVar("Cell")


def _fill_last_row(cells: tuple[Cell | None, ...], wide: int) -> tuple[Cell | None, ...]:
    """The cells of a table whose last row is whole."""
    missing = -len(cells) % wide
    return (*cells, *(None,) * missing) if missing else cells
