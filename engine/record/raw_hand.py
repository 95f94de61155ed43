"""Raw hand: the numbers parsed from one record, before they are validated."""

from collections.abc import Mapping
from itertools import islice
from typing import cast

from ..core.cards import EMPTY, Card, CardSet, Suit
from ..core.chips import Rebuy
from ..core.seats import Seat
from .record import (
    CapturedCards,
    CentreBid,
    Claim,
    Paper,
    PassedCards,
    PotRow,
    RulingRow,
    ScoreRow,
)


class RawHand:
    """The text of a hand; the names are those of `HandRecord`.

    ``cards`` is a play without marks in which every card is known, a byte for each; ``cells`` any
    other play. ``pot_cells`` are the numbers of the pot table; ``score_cells`` those of the score
    table, one row after the other, with its columns and its seats.
    """

    auction: tuple[int | None, ...] | None = None
    bids: tuple[CentreBid, ...] | None = None
    captures: tuple[CapturedCards, ...] | None = None
    cards: bytes | None = None
    cells: tuple[Card | None, ...] | None = None
    centre: CardSet = EMPTY
    claim: Claim | None = None
    columns: tuple[Seat, ...] | None = None
    deal: tuple[CardSet, ...] | None = None
    dealer: Seat | None = None
    direction: str | None = None
    exchange: tuple[PassedCards, ...] | None = None
    first_caller: Seat | None = None
    jackpot: int | None = None
    marks: Mapping[int, str] = {}
    namer: Seat | None = None
    number: int | None = None
    pain: Suit | None = None
    papers: tuple[Paper, ...] | None = None
    pot_cells: tuple[int, ...] | None = None
    rebuys: tuple[Rebuy, ...] = ()
    rulings: tuple[RulingRow, ...] = ()
    score_cells: tuple[int, ...] = ()
    score_columns: tuple[str, ...] | None = None
    score_seats: tuple[Seat, ...] = ()
    seats: tuple[str, ...] = ()

    @property
    def play(self) -> tuple[Card | None, ...] | None:
        """The play, card by card."""
        return self.cells if self.cards is None else cast("tuple[Card, ...]", tuple(self.cards))

    @property
    def pot(self) -> PotRow | None:
        """The pot table."""
        return None if self.pot_cells is None else PotRow(*self.pot_cells)

    @property
    def scores(self) -> tuple[ScoreRow, ...] | None:
        """The score table."""
        columns = self.score_columns
        if columns is None:
            return None
        cells = iter(self.score_cells)
        return tuple(
            [
                ScoreRow(seat, dict(zip(columns, islice(cells, len(columns)), strict=True)))
                for seat in self.score_seats
            ]
        )
