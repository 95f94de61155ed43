"""Legality: why an action is illegal in the current state of a hand, or None."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..core.cards import BIT, NAMES, show
from ..core.faults import Code, Fault, Part
from ..core.messages import Message
from ..core.seats import Seat, left_of, pass_places
from ..record.actions import (
    Action,
    Bid,
    CallFoot,
    ChooseMoon,
    ClaimRest,
    Deal,
    Insure,
    NamePain,
    Pass,
    Play,
    Seal,
    TakeCard,
)
from ..record.record import PASS_CALL, CentreBid, Paper, PassedCards
from ..replay import centre as centre_auction
from ..replay.auction import is_bid, judge_call
from ..replay.deals import judge_deal
from ..replay.exchange import judge_pass
from ..replay.insurance import judge_paper
from ..replay.play import play_fault
from ..rules.switches import Claims, JackpotSuit
from .state import HandState, Phase

_WHEN: dict[type[Any], tuple[Phase, Message]] = {
    Deal: (Phase.DEAL, Message("the cards are dealt already")),
    Insure: (Phase.PAPERS, Message("papers are written before the cards are passed")),
    CallFoot: (Phase.PAPERS, Message("a foot is written on the insurance paper")),
    Pass: (Phase.EXCHANGE, Message("no cards are passed now")),
    Seal: (Phase.CENTRE, Message("there is no centre auction now")),
    TakeCard: (Phase.LEFT_OVERS, Message("no card is left over to choose")),
    Bid: (Phase.AUCTION, Message("there is no auction now")),
    NamePain: (Phase.NAMING, Message("no pain suit is to be named now")),
    Play: (Phase.PLAY, Message("no card can be played now")),
    ClaimRest: (Phase.PLAY, Message("there is nothing to claim now")),
    ChooseMoon: (Phase.MOON, Message("there is no moon to choose for")),
}


def fault_of(hand: HandState, action: Action) -> Fault | None:
    try:
        phase, words = _WHEN[type(action)]
    except KeyError:
        raise TypeError(_no_action(action)) from None
    if hand.phase is not phase:
        return _not_now(words)
    if isinstance(action, Deal):
        return _judge_deal(hand, action)
    if action.seat not in hand.to_act and not isinstance(action, ClaimRest):
        turn = ", ".join(map(str, hand.to_act))
        words = Message(
            "it is not the turn of seat {seat} but of {turn}", seat=action.seat, turn=turn
        )
        return _not_now(words, action.seat)
    return _JUDGES[type(action)](hand, action)


def _no_action(thing: object) -> str:
    if isinstance(thing, str):
        return f"{thing[:40]!r} is a text, no action; hand.parse(text) makes one of it"
    return f"{thing!r:.60} is no action; write one such as Play(seat, card)"


def _judge_deal(hand: HandState, action: Deal) -> Fault | None:
    if len(action.holdings) != hand.players:
        words = Message(
            "{count} hands are dealt to {players} players",
            count=len(action.holdings),
            players=hand.players,
        )
        return Fault(code=Code.MISDEAL, rule="K4", message=words, part=Part.DEAL)
    return next(iter(judge_deal(hand.rules, action.holdings, action.centre)), None)


def _not_now(message: Message, seat: Seat | None = None) -> Fault:
    return Fault(code=Code.OUT_OF_TURN, rule="K2", message=message, seat=seat, part=Part.PLAY)


def _judge_play(hand: HandState, action: Play) -> Fault | None:
    legal = hand.legal_cards
    if BIT[action.card] & legal:
        return None
    held = hand.holdings[action.seat]
    lead = hand.trick[0] if hand.trick else None
    fault = play_fault(action, held, legal, lead, hand.limits)
    return replace(fault, trick=len(hand.tricks) + 1)


def _judge_claim(hand: HandState, action: ClaimRest) -> Fault | None:
    if hand.rules.claims is Claims.OFF or hand.trick or not 0 <= action.seat < hand.players:
        words = Message("claims are made between two tricks, where the house rules allow them")
        return Fault(code=Code.BAD_CLAIM, rule="Q65", message=words, part=Part.CLAIM)
    return None


def _judge_bid(hand: HandState, action: Bid) -> Fault | None:
    call = PASS_CALL if action.chips is None else action.chips
    highest = max(filter(lambda bid: is_bid(hand.rules, bid), hand.calls), default=None)
    return judge_call(hand.rules, call, action.seat, hand.before.chips[action.seat], highest)


def _judge_pass(hand: HandState, action: Pass) -> Fault | None:
    direction = hand.rules.direction(hand.before.deals)
    held, cards = hand.holdings[action.seat], hand.rules.pass_count
    return judge_pass(check_pass_turn(hand, action), held, direction, hand.players, cards)


def check_pass_turn(hand: HandState, action: Pass) -> PassedCards:
    places = pass_places(hand.rules.direction(hand.before.deals), hand.players)
    return PassedCards(action.seat, left_of(action.seat, hand.players, places), action.cards)


def _judge_seal(hand: HandState, action: Seal) -> Fault | None:
    if not BIT[action.shown] & hand.holdings[action.seat]:
        words = Message("{card} is not in the hand", card=NAMES[action.shown])
        return Fault(code=Code.BAD_BID, rule="Q52", message=words, part=Part.BIDS, seat=action.seat)
    paper = CentreBid(action.seat, action.card, action.bid, action.shown)
    return centre_auction.effective_bid(hand.rules, hand.centre, paper, len(hand.bids))[1]


def _judge_take(hand: HandState, action: TakeCard) -> Fault | None:
    if BIT[action.card] & hand.left:
        return None
    words = Message(
        "{card} is not left over; left are {cards}", card=NAMES[action.card], cards=show(hand.left)
    )
    return Fault(code=Code.CENTRE_ORDER, rule="D24", message=words, part=Part.BIDS, legal=hand.left)


def _judge_naming(hand: HandState, action: NamePain) -> Fault | None:
    before = hand.before
    same = (
        hand.rules.jackpot_suit is JackpotSuit.SAME and before.jackpot and before.pain is not None
    )
    if same and action.suit != before.pain:
        words = Message("the pain suit of a jackpot hand is the one named first")
        return Fault(code=Code.WRONG_NAMER, rule="Q08", message=words, part=Part.PAIN)
    return None


def _judge_written(hand: HandState, action: Insure | CallFoot) -> Fault | None:
    return judge_paper(hand.rules, paper(action), action.seat, hand.before.feet)


def paper(action: Insure | CallFoot) -> Paper:
    return Paper(action.number, foot=isinstance(action, CallFoot))


_JUDGES: dict[type[Any], Callable[[HandState, Any], Fault | None]] = {
    Insure: _judge_written,
    CallFoot: _judge_written,
    Pass: _judge_pass,
    Seal: _judge_seal,
    TakeCard: _judge_take,
    Bid: _judge_bid,
    NamePain: _judge_naming,
    Play: _judge_play,
    ClaimRest: _judge_claim,
    ChooseMoon: lambda _hand, _action: None,
}
