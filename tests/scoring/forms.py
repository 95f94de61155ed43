"""A hand played by the engine, as a table would send it: a record, its moves, or its result."""

from typing import Any

from engine.core.cards import NAMES, Suit, show, suit_ranks
from engine.core.seats import DEFAULT_SEATS
from engine.live.hand import Hand
from engine.notation import write
from engine.record.facts import Status
from engine.record.record import PASS_CALL, CentreBid
from engine.rules.switches import PainBy, Toggle
from engine.settlement.scoring import moon_shooter
from tests.engine.table import record_of

ENDINGS = {
    Status.PLAYED: "played",
    Status.CLAIMED: "claim",
    Status.FOOT: "foot",
    Status.PASSED_OUT: "passed out",
    Status.VOID_REDEAL: "redeal",
}


def as_record(hand: Hand) -> bytes:
    """The whole record, as a careful scorer writes it."""
    return write([record_of(hand)]).encode()


def as_result(hand: Hand) -> dict[str, Any]:
    """Only the result, without what follows from the rest."""
    seats = DEFAULT_SEATS[hand.players]
    facts, rules = hand.facts, hand.rules
    sent: dict[str, Any] = {}
    if hand.papers:
        sent["papers"] = dict(zip(seats, map(_paper, hand.papers), strict=True))
    if hand.status not in (Status.PLAYED, Status.CLAIMED):
        return sent | {"ending": ENDINGS[hand.status]}
    if hand.pain is not None and rules.pain is PainBy.AUCTION:
        sent["pain"] = hand.pain.letter
    if facts.bidder is not None:
        sent |= {"bidder": seats[facts.bidder], "bid": facts.bid}
    sent |= {"taken": dict(zip(seats[:-1], facts.taken, strict=False))} | _points(hand)
    if hand.status is Status.CLAIMED:
        claim = record_of(hand).claim
        assert claim is not None
        sent["claim"] = f"{seats[claim.seat]} {claim.tricks}"
    return sent


def _points(hand: Hand) -> dict[str, Any]:
    """What counts only where points do: the queen, the centre, the moon."""
    seats, facts, rules = DEFAULT_SEATS[hand.players], hand.facts, hand.rules
    sent: dict[str, Any] = {}
    if facts.queen is not None:
        sent["queen"] = seats[facts.queen]
    if rules.centre_auction is Toggle.ON:
        sent["bought"] = {
            seats[award.seat]: f"{NAMES[award.card]} {award.pays}" for award in hand.awards
        }
    if hand.moon_adds is not None and moon_shooter(rules, facts) is not None:
        sent["moon"] = "others" if hand.moon_adds else "self"
    return sent


def by_name(hand: Hand) -> dict[str, Any]:
    """The result with the cards that everybody took, and the tricks."""
    seats = DEFAULT_SEATS[hand.players]
    sent = as_result(hand)
    if "taken" in sent:
        sent.pop("queen", None)
        penalty = hand.limits.penalty
        cards = [show(mine & penalty) for mine in hand.taken]  # type: ignore[arg-type]
        sent["taken"] = dict(zip(seats, cards, strict=True))
        sent["tricks"] = dict(zip(seats, hand.facts.tricks, strict=True))
    return sent


def as_actions(hand: Hand, *, whole: bool = True) -> dict[str, Any]:
    """The moves in order; not ``whole``: without the deal, the pass and what else shows."""
    seats = DEFAULT_SEATS[hand.players]
    sent: dict[str, Any] = {}
    if hand.papers:
        papers = zip(seats, map(_paper, hand.papers), strict=True)
        sent["papers"] = " ".join(f"{seat}:{'-' if n is None else n}" for seat, n in papers)
    if whole:
        sent |= _before_the_play(hand)
    elif hand.awards:
        sent["bought"] = {seats[award.seat]: award.pays for award in hand.awards}
    return sent | _auction(hand) | _play(hand, whole=whole)


def _auction(hand: Hand) -> dict[str, Any]:
    sent: dict[str, Any] = {}
    if hand.calls:
        sent["calls"] = " ".join("Pass" if call == PASS_CALL else str(call) for call in hand.calls)
    if hand.pain is not None and hand.rules.pain is PainBy.AUCTION:
        sent["pain"] = hand.pain.letter
    return sent


def _play(hand: Hand, *, whole: bool) -> dict[str, Any]:
    seats = DEFAULT_SEATS[hand.players]
    sent: dict[str, Any] = {}
    cards = [NAMES[one] for trick in hand.tricks for one in trick.cards]
    cards += [NAMES[one] for one in hand.trick]
    if cards:
        leader = hand.tricks[0].leader if hand.tricks else hand.leader
        sent["play"] = ("" if whole else f"{seats[leader]}:") + " ".join(cards)
    if hand.moon_adds is not None:
        sent["moon"] = "others" if hand.moon_adds else "self"
    if hand.status is Status.CLAIMED:
        sent["claim"] = as_result(hand)["claim"].split()[0]
    if hand.status is Status.VOID_REDEAL:
        sent["ending"] = "redeal"
    return sent


def _before_the_play(hand: Hand) -> dict[str, Any]:
    seats = DEFAULT_SEATS[hand.players]
    hands = [".".join(suit_ranks(held, suit) for suit in reversed(Suit)) for held in hand.dealt]
    sent: dict[str, Any] = {}
    if hands:
        sent["deal"] = f"{seats[0]}:{' '.join(hands)}"
    if hand.passes:
        sent["pass"] = {seats[one.seat]: show(one.cards) for one in hand.passes}
    if hand.centre:
        sent["centre"] = show(hand.centre)
    if hand.bids:
        sent["bids"] = " ".join(f"{seats[bid.seat]}:{_bid(bid)}" for bid in hand.bids)
        sent["took"] = {seats[award.seat]: NAMES[award.card] for award in hand.awards}
    return sent


def _bid(bid: CentreBid) -> str:
    assert bid.shown is not None
    wanted = "-" if bid.card is None else f"{NAMES[bid.card]}/{bid.bid}"
    return f"{wanted}/{NAMES[bid.shown]}"


def _paper(paper: Any) -> Any:
    if paper.foot:
        return "F" if paper.number is None else f"F{paper.number}"
    return paper.number
