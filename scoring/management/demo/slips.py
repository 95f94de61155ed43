"""A played hand as a table submits it: a full record, the moves or the result."""

from typing import Any, Final

from engine.core.cards import NAMES, Suit, show, suit_ranks
from engine.core.seats import DEFAULT_SEATS
from engine.live.hand import Hand
from engine.notation import write
from engine.record.facts import Status
from engine.record.record import PASS_CALL, HandRecord
from engine.rules.switches import PainBy, Toggle
from engine.settlement.scoring import moon_shooter
from scoring.submissions.writing.fields_from_record import bid_text, paper_text

_ENDINGS: Final = {
    Status.PLAYED: "played",
    Status.FOOT: "foot",
    Status.PASSED_OUT: "passed out",
}


def text_of(record: HandRecord) -> bytes:
    """A record as text."""
    return write([record]).encode()


def result_of(hand: Hand) -> dict[str, Any]:
    """Only what came of a hand: who named what for how much, and what everybody took."""
    seats, facts, rules = DEFAULT_SEATS[hand.players], hand.facts, hand.rules
    sent: dict[str, Any] = _papers(hand)
    if hand.status is not Status.PLAYED:
        return sent | {"ending": _ENDINGS[hand.status]}
    if hand.pain is not None and rules.pain is PainBy.AUCTION:
        sent["pain"] = hand.pain.letter
    if facts.bidder is not None:
        sent |= {"bidder": seats[facts.bidder], "bid": facts.bid}
    sent["taken"] = dict(zip(seats, facts.taken, strict=True))
    if facts.queen is not None:
        sent["queen"] = seats[facts.queen]
    if rules.centre_auction is Toggle.ON:
        sent["bought"] = {
            seats[award.seat]: f"{NAMES[award.card]} {award.pays}" for award in hand.awards
        }
    return sent | _moon(hand)


def actions_of(hand: Hand) -> dict[str, Any]:
    """Every move of a hand in order, as the card pad of a phone sends them."""
    seats = DEFAULT_SEATS[hand.players]
    sent: dict[str, Any] = _papers(hand)
    hands = [".".join(suit_ranks(held, suit) for suit in reversed(Suit)) for held in hand.dealt]
    sent["deal"] = f"{seats[0]}:{' '.join(hands)}"
    if hand.passes:
        sent["pass"] = {seats[one.seat]: show(one.cards) for one in hand.passes}
    if hand.centre:
        sent["centre"] = show(hand.centre)
    if hand.bids:
        sent["bids"] = {seats[bid.seat]: bid_text(bid) for bid in hand.bids}
        sent["took"] = {seats[award.seat]: NAMES[award.card] for award in hand.awards}
    if hand.calls:
        sent["calls"] = " ".join("Pass" if call == PASS_CALL else str(call) for call in hand.calls)
    if hand.pain is not None and hand.rules.pain is PainBy.AUCTION:
        sent["pain"] = hand.pain.letter
    if hand.tricks:
        sent["play"] = " ".join(NAMES[card] for trick in hand.tricks for card in trick.cards)
    return sent | _moon(hand)


def _papers(hand: Hand) -> dict[str, Any]:
    if not hand.papers:
        return {}
    seats = DEFAULT_SEATS[hand.players]
    return {"papers": dict(zip(seats, map(paper_text, hand.papers), strict=True))}


def _moon(hand: Hand) -> dict[str, str]:
    chosen = hand.moon_adds is not None and moon_shooter(hand.rules, hand.facts) is not None
    return {"moon": "others" if hand.moon_adds else "self"} if chosen else {}
