"""The effect of each legal action on the state of a hand, by phase (rules.md A3-A8, D9)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from ..core.cards import BIT, EMPTY, CardSet, Suit, card_set, members
from ..core.seats import HOLD, Seat, clockwise, left_of
from ..record.actions import (
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
from ..record.facts import Status
from ..record.record import PASS_CALL, CentreBid, Paper
from ..replay import centre as centre_auction
from ..replay import play
from ..replay.auction import winner
from ..replay.centre import Award
from ..replay.exchange import exchange
from ..replay.insurance import callers
from ..replay.play import Trick
from ..rules.switches import AllPass, Moon, PainBy, Toggle
from ..settlement.scoring import moon_shooter
from .legality import check_pass_turn, paper
from .state import HandState, Phase, facts_of


def _deal(hand: HandState, action: Deal) -> HandState:
    dealt = replace(hand, dealt=action.holdings, holdings=action.holdings, centre=action.centre)
    return _to_papers(replace(dealt, taken=(EMPTY,) * hand.players))


def _everybody(hand: HandState) -> tuple[Seat, ...]:
    return tuple(clockwise(left_of(hand.before.dealer, hand.players), hand.players))


def _to_papers(hand: HandState) -> HandState:
    if Toggle.ON in (hand.rules.insurance, hand.rules.foot):
        return replace(hand, phase=Phase.PAPERS, to_act=_everybody(hand))
    return _to_exchange(hand)


def _write_paper(hand: HandState, action: Insure | CallFoot) -> HandState:
    blank = (Paper(None),) * hand.players
    papers = list(hand.papers or blank)
    papers[action.seat] = paper(action)
    waiting = tuple(seat for seat in hand.to_act if seat != action.seat)
    after = replace(hand, papers=tuple(papers), to_act=waiting)
    if waiting:
        return after
    if callers(after.rules, after.papers, after.before.feet):
        return replace(after, phase=Phase.DONE, status=Status.FOOT)
    return _to_exchange(after)


def _to_exchange(hand: HandState) -> HandState:
    if hand.rules.direction(hand.before.deals) == HOLD:
        return _to_centre(hand)
    return replace(hand, phase=Phase.EXCHANGE, to_act=_everybody(hand))


def _pass_cards(hand: HandState, action: Pass) -> HandState:
    passes = (*hand.passes, check_pass_turn(hand, action))
    waiting = tuple(seat for seat in hand.to_act if seat != action.seat)
    after = replace(hand, passes=passes, to_act=waiting)
    if waiting:
        return after
    return _to_centre(replace(after, holdings=exchange(hand.holdings, passes)))


def _to_centre(hand: HandState) -> HandState:
    if hand.rules.centre_auction is Toggle.ON:
        return replace(hand, phase=Phase.CENTRE, to_act=_everybody(hand))
    return _to_auction(hand)


def _seal(hand: HandState, action: Seal) -> HandState:
    bids = (*hand.bids, CentreBid(action.seat, action.card, action.bid, action.shown))
    waiting = tuple(seat for seat in hand.to_act if seat != action.seat)
    after = replace(hand, bids=bids, to_act=waiting)
    if waiting:
        return after
    result = centre_auction.resolve(hand.rules, hand.centre, bids, hand.holdings)
    for award in result.awards:
        after = _award(after, award)
    return _to_left_overs(replace(after, to_act=result.queue, left=result.left))


def _award(hand: HandState, award: Award) -> HandState:
    holdings = list(hand.holdings)
    holdings[award.seat] = CardSet(holdings[award.seat] | BIT[award.card])
    return replace(hand, holdings=tuple(holdings), awards=(*hand.awards, award))


def _to_left_overs(hand: HandState) -> HandState:
    if not hand.to_act:
        return _to_auction(hand)
    if len(hand.to_act) == 1:
        last = Award(hand.to_act[0], next(members(hand.left)), 0)
        return _to_auction(_award(replace(hand, to_act=(), left=EMPTY), last))
    return replace(hand, phase=Phase.LEFT_OVERS)


def _take(hand: HandState, action: TakeCard) -> HandState:
    after = _award(hand, Award(action.seat, action.card, 0))
    left = CardSet(hand.left & ~BIT[action.card])
    return _to_left_overs(replace(after, left=left, to_act=hand.to_act[1:]))


def _to_auction(hand: HandState) -> HandState:
    if hand.rules.pain is PainBy.HEARTS:
        return _to_play(replace(hand, pain=Suit.HEARTS))
    if hand.before.jackpot:
        return _to_naming(replace(hand, namer=hand.before.namer))
    return replace(hand, phase=Phase.AUCTION, to_act=_everybody(hand))


def _call(hand: HandState, action: Bid) -> HandState:
    calls = (*hand.calls, PASS_CALL if action.chips is None else action.chips)
    after = replace(hand, calls=calls, to_act=hand.to_act[1:])
    if after.to_act:
        return after
    eldest = left_of(hand.before.dealer, hand.players)
    contract = winner(hand.rules, calls, eldest, hand.players)
    after = replace(after, contract=contract, namer=contract.bidder)
    if contract.bidder is None and hand.rules.all_pass is AllPass.REDEAL:
        return replace(after, phase=Phase.DONE, status=Status.PASSED_OUT)
    return _to_naming(after)


def _to_naming(hand: HandState) -> HandState:
    if hand.namer is None:
        return _to_play(replace(hand, pain=Suit.HEARTS))
    return replace(hand, phase=Phase.NAMING, to_act=(hand.namer,))


def _name(hand: HandState, action: NamePain) -> HandState:
    return _to_play(replace(hand, pain=action.suit))


def _to_play(hand: HandState) -> HandState:
    penalty = hand.limits.penalty
    misdeal = hand.rules.misdeal_if_all_forbidden is Toggle.ON
    if misdeal and any(held & ~penalty == 0 for held in hand.holdings):
        return replace(hand, phase=Phase.DONE, status=Status.VOID_REDEAL, to_act=())
    eldest = left_of(hand.before.dealer, hand.players)
    leader = play.opening_leader(hand.rules, eldest, hand.namer, hand.holdings)
    return replace(hand, phase=Phase.PLAY, leader=leader, to_act=(leader,))


def _play(hand: HandState, action: Play) -> HandState:
    holdings = list(hand.holdings)
    holdings[action.seat] = CardSet(holdings[action.seat] & ~BIT[action.card])
    trick = (*hand.trick, action.card)
    broken = hand.broken or bool(BIT[action.card] & hand.limits.breakers)
    after = replace(hand, holdings=tuple(holdings), trick=trick, broken=broken)
    if len(trick) < hand.players:
        return replace(after, to_act=(left_of(action.seat, hand.players),))
    won = left_of(hand.leader, hand.players, play.winning_place(trick))
    tricks = (*hand.tricks, Trick(hand.leader, trick, won))
    after = replace(after, tricks=tricks, trick=(), leader=won, to_act=(won,))
    after = _give(after, won, card_set(trick))
    return _to_end(after, Status.PLAYED) if not any(holdings) else after


def _give(hand: HandState, seat: Seat, cards: CardSet) -> HandState:
    taken = list(hand.taken)
    taken[seat] = CardSet(taken[seat] | cards)
    return replace(hand, taken=tuple(taken))


def _claim(hand: HandState, action: ClaimRest) -> HandState:
    rest = CardSet(sum(hand.holdings))
    return _to_end(_give(hand, action.seat, rest), Status.CLAIMED)


def _to_end(hand: HandState, status: Status) -> HandState:
    after = replace(hand, status=status)
    shooter = moon_shooter(hand.rules, facts_of(after))
    if hand.rules.moon is Moon.SHOOTER_CHOICE and shooter is not None:
        return replace(after, phase=Phase.MOON, to_act=(shooter,))
    return replace(after, phase=Phase.DONE, to_act=())


def _choose_moon(hand: HandState, action: ChooseMoon) -> HandState:
    return replace(hand, phase=Phase.DONE, to_act=(), moon_adds=action.add_to_others)


STEPS: Final[dict[type[Any], Callable[[HandState, Any], HandState]]] = {
    Deal: _deal,
    Insure: _write_paper,
    CallFoot: _write_paper,
    Pass: _pass_cards,
    Seal: _seal,
    TakeCard: _take,
    Bid: _call,
    NamePain: _name,
    Play: _play,
    ClaimRest: _claim,
    ChooseMoon: _choose_moon,
}
