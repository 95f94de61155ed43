"""Write the record of a hand that was played step by step."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..core.cards import Card
from ..core.seats import DEFAULT_SEATS, Seat, clockwise
from ..record.actions import ClaimRest
from ..record.facts import Status
from ..record.record import Claim, Ending, HandRecord
from ..replay.play import Trick
from ..rules.switches import PainBy, Passing, SettledBy
from ..settlement.settlement import Settlement
from ..settlement.tables import pot_row, score_rows
from .state import HandState

_ENDINGS: Final = {
    Status.PLAYED: Ending.NORMAL,
    Status.CLAIMED: Ending.CLAIM,
    Status.FOOT: Ending.FOOT,
    Status.PASSED_OUT: Ending.PASSED_OUT,
    Status.VOID_REDEAL: Ending.REDEAL,
}


def record_hand(
    hand: HandState, *, ending: Ending | None = None, in_order: bool = False
) -> HandRecord:
    """The cards and calls of a hand so far, without what came of them.

    ``ending`` says how a hand ended that is not over, if it was not broken off (``unterminated``).
    The play stands in columns of seats from the opening leader, or, with ``in_order``, each trick
    in the order in which it was played.
    """
    before, players = hand.before, hand.players
    leader = hand.tricks[0].leader if hand.tricks else hand.leader
    awards = {award.seat: award for award in hand.awards}
    bids = tuple(
        replace(bid, got=awards[bid.seat].card, pays=awards[bid.seat].pays)
        if bid.seat in awards
        else bid
        for bid in hand.bids
    )
    claim = _claim(hand)
    cycle = hand.rules.passing is Passing.CYCLE
    return HandRecord(
        seats=DEFAULT_SEATS[players],
        rules=hand.rules,
        dealer=before.dealer,
        ending=ending or _ENDINGS.get(hand.status, Ending.UNTERMINATED),
        deal=hand.dealt or None,
        centre=hand.centre,
        papers=hand.papers or None,
        direction=hand.rules.direction(before.deals) if cycle else None,
        exchange=hand.passes or None,
        bids=bids or None,
        auction=hand.calls or None,
        namer=before.namer if hand.namer is None and before.jackpot else hand.namer,
        pain=hand.pain if hand.rules.pain is PainBy.AUCTION else None,
        jackpot=before.jackpot or None,
        columns=None if in_order else tuple(clockwise(leader, players)),
        play=_play_in_order(hand) if in_order else _play_by_seat(hand, leader),
        claim=Claim(claim.seat, len(hand.tricks)) if claim is not None else None,
    )


def record_result(record: HandRecord, settled: Settlement) -> HandRecord:
    """Return the record with the tables of scores, pot and rebuys."""
    rules = record.rules
    assert rules is not None, "a hand is played by some rules"
    return replace(
        record,
        rebuys=settled.facts.rebuys,
        scores=score_rows(rules, settled),
        pot=pot_row(settled) if rules.settlement is SettledBy.POT else None,
    )


def _claim(hand: HandState) -> ClaimRest | None:
    """The claim that ended a hand; a choice about the moon may have come after it."""
    moment: HandState | None = hand
    while moment is not None and hand.status is Status.CLAIMED:
        if isinstance(moment.last, ClaimRest):
            return moment.last
        moment = moment.previous
    return None


def _play_in_order(hand: HandState) -> tuple[Card | None, ...] | None:
    cards: list[Card | None] = [card for trick in hand.tricks for card in trick.cards]
    if hand.trick:
        cards += [*hand.trick, *[None] * (hand.players - len(hand.trick))]
    return tuple(cards) or None


def _play_by_seat(hand: HandState, first: Seat) -> tuple[Card | None, ...] | None:
    cards: list[Card | None] = [
        card for trick in hand.tricks for card in _rotate_trick(trick, first)
    ]
    if hand.trick:
        turn = (hand.leader - first) % hand.players
        row = [*hand.trick, *[None] * (hand.players - len(hand.trick))]
        cards += row[-turn:] + row[:-turn]
    return tuple(cards) or None


def _rotate_trick(trick: Trick, first: Seat) -> Sequence[Card]:
    """The cards of a trick in the order of columns that begin with one seat."""
    turn = (first - trick.leader) % len(trick.cards)
    return (*trick.cards[turn:], *trick.cards[:turn])
