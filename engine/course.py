"""The course of a play to which nobody could object: who won which trick (rules.md K5, A4-A6).

Nearly every play is such, and one look at each card shows it. A play in which any card needs a
second look is judged card by card in `engine.tricks`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.cards import BIT, EMPTY, FOLLOWING, Card, CardSet, card_set
from engine.play import Restrictions, Trick
from engine.seats import Seat


class Course(NamedTuple):
    """The tricks in order, and the cards taken by seat."""

    tricks: list[Trick]
    taken: list[CardSet]


def undisputed(
    rows: Sequence[tuple[Card, ...]],
    columns: tuple[Seat, ...],
    leader: int,
    holdings: Sequence[CardSet],
    limits: Restrictions,
) -> Course | None:
    """The course of a play in which every card is legal; None where that is not plain to see.

    ``rows`` are whole tricks in columns of seats, and the column ``leader`` leads; ``holdings``
    are the cards at the first lead, by seat. The answer may be None for a play that is legal:
    one that somebody was forced to by having nothing else.
    """
    held = [int(holdings[seat]) for seat in columns]
    tricks, taken = [], [EMPTY] * len(columns)
    unbroken = limits.unbroken_lead
    doubt = _opening_doubt(rows[0], leader, limits) if rows else EMPTY
    for row in rows:
        led_by = winner = leader
        best, cards = row[leader], 0
        led = FOLLOWING[best]
        doubt |= BIT[best] & unbroken
        for column, card in enumerate(row):
            bit = BIT[card]
            held[column] ^= bit
            cards |= bit
            if not bit & led:
                doubt |= held[column] & led
            elif card > best:
                winner, best = column, card
        leader, seat = winner, columns[winner]
        taken[seat] = CardSet(taken[seat] | cards)
        tricks.append(Trick(columns[led_by], row[led_by:] + row[:led_by], seat))
        if cards & limits.breakers:
            unbroken = EMPTY
    # A card that was not held has been added to the holding instead of taken from it.
    left = sum(map(int.bit_count, holdings)) - len(rows) * len(columns)
    plain = not doubt and sum(map(int.bit_count, held)) == left
    return Course(tricks, taken) if plain else None


def _opening_doubt(row: tuple[Card, ...], leader: int, limits: Restrictions) -> int:
    """Cards of the first trick that are not allowed on it without a good reason."""
    opening = limits.opening
    wrong = BIT[row[leader]] & ~opening if opening else EMPTY
    return wrong | card_set(row) & (limits.first_lead | limits.first_discard)
