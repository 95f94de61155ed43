"""Records of well-played hands with a scorer's mistake added.

A seat plays two of their own cards the other way round; who wins the tricks stays as it was. Every
way of doing so is judged by the engine, and one is taken in which nothing but the wanted fault is
open to a ruling.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from engine.core.cards import BIT, SUIT_OF, Card
from engine.core.faults import Code
from engine.core.seats import Seat
from engine.games.game import HandResult, judge_hand
from engine.live.hand import Hand, Trick
from engine.live.scorer import record_hand
from engine.record.record import HandRecord
from scoring.settlement.replay import OPEN_QUESTIONS


@dataclass(frozen=True, slots=True)
class Mistake:
    """A wrong record, what the engine finds, and who is to blame."""

    record: HandRecord
    found: HandResult
    seat: Seat


def revoke(hand: Hand, dice: Random) -> Mistake | None:
    """Somebody does not follow suit although they could, if this hand gave them the chance."""
    return _mistake(hand, Code.REVOKE, _not_followed(hand), dice)


def early_pain(hand: Hand, dice: Random) -> Mistake | None:
    """Somebody discards a pain card on the first trick, if this hand gave them the chance."""
    return _mistake(hand, Code.FIRST_TRICK, _discarded_at_once(hand), dice)


Swap = tuple[Seat, int, int]
"""A seat, and the two tricks of which they play the cards the other way round."""


def _mistake(hand: Hand, code: Code, swaps: Iterator[Swap], dice: Random) -> Mistake | None:
    candidates = list(swaps)
    dice.shuffle(candidates)
    right = record_hand(hand)
    for swap in candidates:
        record = _swap_cards(right, swap)
        found = judge_hand(hand.rules, hand.before, record)
        if [fault.code for fault in found.faults if fault.severity in OPEN_QUESTIONS] == [code]:
            return Mistake(record, found, swap[0])
    return None


def _not_followed(hand: Hand) -> Iterator[Swap]:
    """A card that followed and lost, for a later discard of another suit."""
    for seat, first, second in _pairs(hand):
        early, late = hand.tricks[first], hand.tricks[second]
        mine, other = _card(early, seat), _card(late, seat)
        followed = SUIT_OF[mine] == SUIT_OF[early.cards[0]]
        if followed and SUIT_OF[other] not in (SUIT_OF[mine], SUIT_OF[late.cards[0]]):
            yield seat, first, second


def _discarded_at_once(hand: Hand) -> Iterator[Swap]:
    """A discard on the first trick, for a pain card that was discarded later."""
    pain = hand.limits.first_discard
    for seat, first, second in _pairs(hand):
        early, late = hand.tricks[first], hand.tricks[second]
        mine, other = _card(early, seat), _card(late, seat)
        discarded = SUIT_OF[mine] != SUIT_OF[early.cards[0]]
        is_pain = BIT[other] & pain and SUIT_OF[other] != SUIT_OF[late.cards[0]]
        if first == 0 and discarded and is_pain:
            yield seat, first, second


def _pairs(hand: Hand) -> Iterator[Swap]:
    """Every seat with every two tricks that they neither led nor won."""
    for place in range(hand.players):
        seat = Seat(place)
        others = [n for n, one in enumerate(hand.tricks) if seat not in (one.leader, one.winner)]
        for first in others:
            yield from ((seat, first, second) for second in others if second > first)


def _card(trick: Trick, seat: Seat) -> Card:
    return trick.cards[(seat - trick.leader) % len(trick.cards)]


def _swap_cards(record: HandRecord, swap: Swap) -> HandRecord:
    assert record.play is not None
    assert record.columns is not None
    seat, first, second = swap
    size, column = len(record.columns), record.columns.index(seat)
    cells = list(record.play)
    one, other = first * size + column, second * size + column
    cells[one], cells[other] = cells[other], cells[one]
    return replace(record, play=tuple(cells))
