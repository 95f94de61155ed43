"""Boards: deals that several tables play, and whether a table played the cards of its board."""

from collections.abc import Sequence
from typing import Final

from engine.cards import CardSet, parse_cards, show
from engine.seats import Seat, clockwise, left_of
from scoring.folding import Played

_BETWEEN: Final = "; "


def write_deal(held: Sequence[CardSet], dealer: Seat) -> str:
    """A deal as a board keeps it: from the eldest hand round to the dealer.

    >>> from engine.cards import parse_cards
    >>> write_deal([parse_cards("S2"), parse_cards("H3"), parse_cards("D4")], Seat(0))
    'H3; D4; S2'
    """
    turn = clockwise(left_of(dealer, len(held)), len(held))
    return _BETWEEN.join(show(held[seat]) for seat in turn)


def read_deal(text: str, dealer: Seat) -> tuple[CardSet, ...]:
    """The holdings of a board by seat, for a table at which ``dealer`` deals.

    >>> [int(held) for held in read_deal("H3; D4; S2", Seat(0))] == [
    ...     int(parse_cards(name)) for name in ("S2", "H3", "D4")
    ... ]
    True
    """
    held = [parse_cards(part) for part in text.split(_BETWEEN)]
    found = dict(zip(clockwise(left_of(dealer, len(held)), len(held)), held, strict=True))
    return tuple(found[seat] for seat in sorted(found))


def fits(deal: str, played: Played) -> bool | None:
    """Whether a hand was played with the cards of a board; None where nobody can tell."""
    dealt = played.result.replay.dealt if played.result is not None else None
    if not deal or dealt is None:
        return None
    return write_deal(dealt, played.before.dealer) == deal
