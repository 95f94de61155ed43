"""Rulings: the director's decisions, as inputs to the settlement (rules.md section 8).

The engine proposes and the director decides; a ruling never changes a record. It changes the
facts that are settled, moves chips that sum to zero, or says what the next hand inherits.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from engine.carried import Carried
from engine.facts import Facts, Status
from engine.faults import Code, Fault, Severity
from engine.seats import Seat


class Decision(StrEnum):
    """What a director can decide."""

    RESULT_STANDS = "RESULT_STANDS"
    CARD_CORRECTED = "CARD_CORRECTED"
    REVOKE_LAW = "REVOKE_LAW"
    ASSIGNED_CAPTURES = "ASSIGNED_CAPTURES"
    SCORE_ADJUST = "SCORE_ADJUST"
    CHIP_ADJUST = "CHIP_ADJUST"
    VOID_REDEAL = "VOID_REDEAL"
    VOID_NO_REPLAY = "VOID_NO_REPLAY"
    ARTIFICIAL_SCORE = "ARTIFICIAL_SCORE"
    WARNING = "WARNING"


class RulingError(ValueError):
    """A ruling that cannot be: chips that do not sum to zero, captures that do not add up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextHand:
    """What the director says the next hand inherits; None leaves a value as it comes."""

    dealer: Seat | None = None
    jackpot: int | None = None
    namer: Seat | None = None
    deals: int | None = None
    feet: frozenset[Seat] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One decision on one hand; tuples are by seat.

    ``offenders`` bear the hand by the revoke law; ``taken`` and ``queen`` are assigned captures;
    ``score`` are points added; ``chips`` are chips added, which together with ``pot`` sum to
    zero.
    """

    decision: Decision
    code: Code | None = None
    offenders: tuple[Seat, ...] = ()
    taken: tuple[int, ...] = ()
    queen: Seat | None = None
    score: tuple[int, ...] = ()
    chips: tuple[int, ...] = ()
    pot: int = 0
    then: NextHand = NextHand()
    text: str = ""


NO_RESULT: Final = {
    Decision.VOID_REDEAL: Status.VOID_REDEAL,
    Decision.VOID_NO_REPLAY: Status.VOID_NO_REPLAY,
    Decision.ARTIFICIAL_SCORE: Status.VOID_NO_REPLAY,
}
"""Decisions after which nothing of the hand is settled."""


def rule(facts: Facts, ruling: Ruling) -> Facts:
    """The facts after a decision. Raises RulingError."""
    if ruling.decision in NO_RESULT:
        facts = replace(facts, status=NO_RESULT[ruling.decision], adjust=())
    if ruling.decision is Decision.REVOKE_LAW:
        if not ruling.offenders:
            raise RulingError("the revoke law needs an offender")
        facts = replace(facts, offenders=(*facts.offenders, *ruling.offenders))
    if ruling.decision is Decision.ASSIGNED_CAPTURES:
        facts = _assigned(facts, ruling)
    if ruling.score:
        facts = replace(facts, adjust=_added(facts.adjust, ruling.score))
    if ruling.chips or ruling.pot:
        if sum(ruling.chips) + ruling.pot:
            raise RulingError(
                f"the chips of a ruling sum to zero, not {sum(ruling.chips) + ruling.pot}"
            )
        facts = replace(facts, chips=_added(facts.chips, ruling.chips))
    return facts


def _added(before: tuple[int, ...], extra: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(before, extra, strict=True)) if before else extra


def _assigned(facts: Facts, ruling: Ruling) -> Facts:
    if sum(ruling.taken) != facts.whole or min(ruling.taken, default=-1) < 0:
        raise RulingError(f"assigned captures sum to {sum(ruling.taken)}, not {facts.whole}")
    status = facts.status if facts.status.settles else Status.PLAYED
    queen = ruling.queen if ruling.queen is not None else facts.queen
    return replace(facts, taken=ruling.taken, queen=queen, status=status)


def inherit(after: Carried, ruling: Ruling) -> Carried:
    """The state for the next hand, as far as a ruling sets it."""
    then = ruling.then
    changes = {
        name: getattr(then, name)
        for name in ("dealer", "jackpot", "namer", "deals", "feet")
        if getattr(then, name) is not None
    }
    return replace(after, **changes) if changes else after


STANDS: Final = (
    Code.FIRST_TRICK,
    Code.PAIN_LED,
    Code.OPENING_CARD,
    Code.WRONG_LEADER,
    Code.OUT_OF_TURN,
    Code.WRONG_PASS,
    Code.BAD_PAPER,
    Code.BAD_FOOT,
    Code.BAD_BID,
    Code.CENTRE_ORDER,
    Code.BAD_CLAIM,
    Code.INSUFFICIENT_BID,
    Code.BID_OUT_OF_TURN,
    Code.BAD_CALL,
    Code.WRONG_NAMER,
    Code.AUCTION_IN_JACKPOT,
)
"""Irregularities after which the default proposal is that the result stands, with a warning."""


def proposals(faults: Sequence[Fault]) -> tuple[Ruling, ...]:
    """What section 8 proposes to the director for a hand with these faults, the default first."""
    open_faults = [fault for fault in faults if fault.severity in (Severity.RULING, Severity.ERROR)]
    if not open_faults:
        return ()
    offered: list[Ruling] = []
    revoked = _seats(open_faults, Code.REVOKE)
    if revoked:
        offered.append(Ruling(decision=Decision.REVOKE_LAW, code=Code.REVOKE, offenders=revoked))
    settles = all(fault.severity is Severity.RULING for fault in open_faults)
    if settles:
        code = next((fault.code for fault in open_faults if fault.code in STANDS), None)
        offered.append(Ruling(decision=Decision.RESULT_STANDS, code=code))
    offered.append(Ruling(decision=Decision.VOID_REDEAL))
    return tuple(offered)


def _seats(faults: Sequence[Fault], code: Code) -> tuple[Seat, ...]:
    seats = (fault.seat for fault in faults if fault.code is code)
    return tuple(dict.fromkeys(seat for seat in seats if seat is not None))
