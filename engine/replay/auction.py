"""The chip auction: one call each, the highest bid names the pain suit (rules.md A3, C3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..core.chips import in_words
from ..core.faults import Code, Fault, Part, Severity
from ..core.messages import Message
from ..core.seats import Seat, left_of, turns
from ..core.values import maker, quickly_made
from ..record.record import PASS_CALL
from ..rules.rules import Rules
from ..rules.switches import AllPass, BidOrder, Cap


@quickly_made
@dataclass(frozen=True, slots=True)
class Contract:
    """The outcome of an auction: who bid how much; nobody, when everybody passed."""

    bidder: Seat | None
    bid: int = 0


def judge_call(
    rules: Rules, call: int, seat: Seat, stack: int, highest: int | None
) -> Fault | None:
    """Return the fault of a call, given the bidder's chips and the highest bid so far."""
    if call == PASS_CALL or (call == 0 and rules.min_bid > 0):
        return None
    if call < rules.min_bid:
        least = rules.min_bid
        words = Message("the lowest bid is {least}, not {call}", least=least, call=call)
        hint = Message("write {least} or more, or Pass", least=least)
        return replace(_fault(Code.BAD_CALL, "Q03", seat, words), hint=hint)
    most = stack if rules.max_bid is Cap.STACK else rules.max_bid
    if isinstance(most, int) and call > most:
        if rules.max_bid is Cap.STACK:
            words = Message("bids {call} but holds {chips}", call=call, chips=in_words(stack))
        else:
            words = Message("bids {call} but may bid up to {most}", call=call, most=most)
        hint = Message("the bid counts as {most}", most=most)
        return replace(_fault(Code.OVER_STACK, "Q04", seat, words, Severity.ERROR), hint=hint)
    if highest is not None and call <= highest and rules.bid_order is BidOrder.ASCENDING:
        words = Message(
            "the bid of {call} is not higher than {highest}", call=call, highest=highest
        )
        hint = Message("write more than {highest}, or Pass", highest=highest)
        return replace(_fault(Code.INSUFFICIENT_BID, "C3", seat, words), hint=hint)
    return None


def _fault(
    code: Code, rule: str, seat: Seat, message: Message, severity: Severity = Severity.RULING
) -> Fault:
    return Fault(
        code=code, rule=rule, seat=seat, message=message, severity=severity, part=Part.AUCTION
    )


def is_bid(rules: Rules, call: int | None) -> bool:
    """Whether a call is a bid; 0 is a pass where bids begin at 1 (Q03)."""
    return call is not None and call >= min(rules.min_bid, 1) and call != PASS_CALL


def winner(rules: Rules, calls: Sequence[int | None], first: Seat, players: int) -> Contract:
    """The first of the highest bids wins (Q02); Q01 says what happens when nobody bids."""
    bids = [
        (call, -place)
        for place, call in enumerate(calls)
        if call is not None and is_bid(rules, call)
    ]
    if bids:
        bid, place = max(bids)
        return Contract(left_of(first, players, -place), bid)
    if rules.all_pass is AllPass.ELDEST_PAYS_MIN:
        return Contract(first, rules.min_bid)
    return Contract(None)


_contract: Final = maker(Contract)
_STACK: Final = Cap.STACK
_ASCENDING: Final = BidOrder.ASCENDING
_PASSES: Final = (0, PASS_CALL)


def undisputed_contract(
    rules: Rules, stacks: Sequence[int], calls: Sequence[int | None], first: Seat
) -> Contract | None:
    """Return the contract of calls that nobody can object to, as nearly all are; else None."""
    lowest, bidder = rules.min_bid, None
    if rules.max_bid is not _STACK or len(calls) != len(stacks) or lowest < 1:
        return None
    strict = rules.bid_order is _ASCENDING
    for seat, call in zip(turns(first, len(calls)), calls, strict=True):
        if call is None:
            return None
        if call not in _PASSES:
            if not rules.min_bid <= call <= stacks[seat] or (strict and call < lowest):
                return None
            if call >= lowest:
                lowest, bidder = call + 1, seat
    return None if bidder is None else _contract(bidder, lowest - 1)
