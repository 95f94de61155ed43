"""The course of a play: who led and who won each trick; and plays to which nobody could object.

Nearly every play is legal, and one look at the suits of each trick shows it. A play in which any
card needs a second look is judged card by card in `engine.tricks` (rules.md K5, A4-A6).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.cards import BIT, SUIT_CARDS, SUIT_OF, Card, CardSet
from engine.play import Restrictions, Trick
from engine.seats import Seat

_SUITS: Final = bytes(SUIT_OF).ljust(256, b"\xff")
"""The number of a card's suit, by card: a table for `bytes.translate`."""


class Course(NamedTuple):
    """A play of whole tricks: ``play`` row by row in the columns of some seats.

    ``leaders`` and ``winners`` are columns, trick by trick; ``taken`` are the cards that each
    seat won, by seat.
    """

    columns: tuple[Seat, ...]
    play: tuple[Card, ...]
    leaders: list[int]
    winners: list[int]
    taken: list[CardSet]

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """Every trick with its cards in order of play."""
        players = len(self.columns)
        made = []
        for number, (leader, winner) in enumerate(zip(self.leaders, self.winners, strict=True)):
            row = self.play[number * players : (number + 1) * players]
            cards = row[leader:] + row[:leader]
            made.append(Trick(self.columns[leader], cards, self.columns[winner]))
        return tuple(made)

    @property
    def won(self) -> list[int]:
        """How many tricks each seat won."""
        counts = [0] * len(self.columns)
        for column, seat in enumerate(self.columns):
            counts[seat] = self.winners.count(column)
        return counts


def undisputed(
    columns: tuple[Seat, ...],
    play: tuple[Card, ...],
    leader: int,
    holdings: Sequence[CardSet],
    limits: Restrictions,
) -> Course | None:
    """The course of a play in which every card is legal; None where that is not plain to see.

    ``play`` are whole tricks without a card twice, and the column ``leader`` leads;
    ``holdings`` are the cards at the first lead, by seat. The answer may be None for a play that
    is legal: one that somebody was forced to by having nothing else.
    """
    players = len(columns)
    bits = [BIT[card] for card in play]
    if _opening_doubt(bits[:players], leader, limits):
        return None
    suits = bytes(play).translate(_SUITS)
    leaders, winners, won = [], [], [0] * players
    void = [0, 0, 0, 0]
    unbroken = limits.unbroken_lead
    for base in range(0, len(play), players):
        trick = sum(bits[base : base + players])
        if bits[base + leader] & unbroken:
            return None
        if trick & limits.breakers:
            unbroken = CardSet(0)
        row = play[base : base + players]
        winner = _winner(row, suits[base : base + players], leader, void)
        if winner < 0:
            return None
        leaders.append(leader)
        winners.append(winner)
        won[winner] |= trick
        leader = winner
    for column, seat in enumerate(columns):
        played = sum(bits[column::players])
        left = holdings[seat] & ~played
        if played & ~holdings[seat] or (left and _held_back(left, column, void)):
            return None
    taken = [CardSet(won[columns.index(Seat(seat))]) for seat in range(players)]
    return Course(columns, play, leaders, winners, taken)


def _winner(row: tuple[Card, ...], suits: bytes, leader: int, void: list[int]) -> int:
    """The column that wins a trick; -1 where one plays a suit that it could not follow before.

    ``void`` holds, by suit, the columns (as bits) that have failed to follow it.
    """
    led = suits[leader]
    if suits.count(led) == len(row):
        return -1 if void[led] else row.index(max(row))
    winner, best = leader, row[leader]
    for column, suit in enumerate(suits):
        if void[suit] >> column & 1:
            return -1
        if suit != led:
            void[led] |= 1 << column
        elif row[column] > best:
            winner, best = column, row[column]
    return winner


def _held_back(left: int, column: int, void: list[int]) -> bool:
    """Whether a column still holds cards of a suit that it did not follow."""
    return any(
        columns >> column & 1 and left & cards
        for columns, cards in zip(void, SUIT_CARDS, strict=True)
    )


def _opening_doubt(bits: list[CardSet], leader: int, limits: Restrictions) -> bool:
    """Whether the first trick holds a card that is not allowed on it without a good reason."""
    if not bits:
        return False
    if limits.opening and bits[leader] != limits.opening:
        return True
    return bool(sum(bits) & (limits.first_lead | limits.first_discard))
