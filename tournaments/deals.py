"""Deals as boards keep them: the cards from the eldest hand round to the dealer, as text."""

from collections.abc import Sequence
from random import Random
from typing import Final

from engine.cards import Card, CardSet, parse_cards, show
from engine.deals import deal
from engine.rules import Rules
from engine.seats import Seat, clockwise, left_of

_BETWEEN: Final = "; "
_CARDS: Final = 52


def write_deal(held: Sequence[CardSet], dealer: Seat) -> str:
    """A deal as a board keeps it.

    >>> write_deal([parse_cards("S2"), parse_cards("H3"), parse_cards("D4")], Seat(0))
    'H3; D4; S2'
    """
    turn = clockwise(left_of(dealer, len(held)), len(held))
    return _BETWEEN.join(show(held[seat]) for seat in turn)


def read_deal(text: str, dealer: Seat) -> tuple[CardSet, ...]:
    """The holdings of a board by seat, at a table where ``dealer`` deals.

    >>> [show(held) for held in read_deal("H3; D4; S2", Seat(0))]
    ['S2', 'H3', 'D4']
    """
    held = [parse_cards(part) for part in text.split(_BETWEEN)]
    turn = clockwise(left_of(dealer, len(held)), len(held))
    by_seat = dict(zip(turn, held, strict=True))
    return tuple(by_seat[seat] for seat in sorted(by_seat))


def dealt(rules: Rules, players: int, seed: str) -> str:
    """The deal that a seed makes; the same on every machine."""
    lots = Random(seed)  # noqa: S311 (who has the seed is to deal the same)
    keyed = sorted((lots.random(), number) for number in range(_CARDS))
    order = [Card(number) for _, number in keyed]
    return write_deal(deal(rules, players, order, Seat(0)).holdings, Seat(players - 1))
