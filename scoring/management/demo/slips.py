"""Slips: a played hand as a table sends it: every card in a record, the moves, or the result."""

from typing import Any, Final

from engine.cards import NAMES, Card, Suit, show, suit_ranks
from engine.hand.hand import Hand, Trick
from engine.notation import write
from engine.record.facts import Status
from engine.record.record import PASS_CALL, CentreBid, Ending, HandRecord, Paper
from engine.rules.switches import PainBy, Toggle
from engine.scoring import moon_shooter
from engine.seats import DEFAULT_SEATS, Seat, clockwise

_ENDINGS: Final = {
    Status.PLAYED: (Ending.NORMAL, "played"),
    Status.FOOT: (Ending.FOOT, "foot"),
    Status.PASSED_OUT: (Ending.PASSED_OUT, "passed out"),
}


def record_of(hand: Hand) -> HandRecord:
    """What a careful scorer writes down: the play in columns of seats from the first leader."""
    before, awards = hand.before, {award.seat: award for award in hand.awards}
    leader = hand.tricks[0].leader if hand.tricks else Seat(0)
    bids = tuple(
        CentreBid(one.seat, one.card, one.bid, one.shown, awards[one.seat].card, award.pays)
        for one in hand.bids
        for award in (awards[one.seat],)
    )
    return HandRecord(
        seats=DEFAULT_SEATS[hand.players],
        rules=hand.rules,
        dealer=before.dealer,
        ending=_ENDINGS[hand.status][0],
        deal=hand.dealt,
        centre=hand.centre,
        papers=hand.papers or None,
        exchange=hand.passes or None,
        bids=bids or None,
        auction=hand.calls or None,
        namer=hand.namer,
        pain=hand.pain if hand.rules.pain is PainBy.AUCTION else None,
        jackpot=before.jackpot or None,
        columns=tuple(clockwise(leader, hand.players)),
        play=tuple(card for trick in hand.tricks for card in _by_column(trick, leader)) or None,
    )


def _by_column(trick: Trick, first: Seat) -> list[Card]:
    turn = (first - trick.leader) % len(trick.cards)
    return [*trick.cards[turn:], *trick.cards[:turn]]


def text_of(record: HandRecord) -> bytes:
    """A record as text."""
    return write([record]).encode()


def result_of(hand: Hand) -> dict[str, Any]:
    """Only what came of a hand: who named what for how much, and what everybody took."""
    seats, facts, rules = DEFAULT_SEATS[hand.players], hand.facts, hand.rules
    sent: dict[str, Any] = _papers(hand)
    if hand.status is not Status.PLAYED:
        return sent | {"ending": _ENDINGS[hand.status][1]}
    if hand.pain is not None and rules.pain is PainBy.AUCTION:
        sent["pain"] = hand.pain.letter
    if facts.bidder is not None:
        sent |= {"bidder": seats[facts.bidder], "bid": facts.bid}
    sent["taken"] = dict(zip(seats, facts.taken, strict=True))
    if facts.queen is not None:
        sent["queen"] = seats[facts.queen]
    if rules.centre_auction is Toggle.ON:
        sent["bought"] = {seats[one.seat]: f"{NAMES[one.card]} {one.pays}" for one in hand.awards}
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
        sent["bids"] = {seats[bid.seat]: bid_of(bid) for bid in hand.bids}
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
    return {"papers": dict(zip(seats, map(paper_of, hand.papers), strict=True))}


def paper_of(paper: Paper) -> str:
    """What stands on an insurance paper: ``3``, ``F``, ``F3``."""
    number = "" if paper.number is None else str(paper.number)
    return ("F" if paper.foot else "") + number or "-"


def bid_of(bid: CentreBid) -> str:
    """What stands on a paper in the centre auction: ``S3/3/HA``."""
    wanted = "-" if bid.card is None else f"{NAMES[bid.card]}/{bid.bid}"
    return wanted if bid.shown is None else f"{wanted}/{NAMES[bid.shown]}"


def _moon(hand: Hand) -> dict[str, str]:
    chosen = hand.moon_adds is not None and moon_shooter(hand.rules, hand.facts) is not None
    return {"moon": "others" if hand.moon_adds else "self"} if chosen else {}
