"""Proposals: what rules.md section 8 offers to the director, the default first.

For what a record shows, and for what somebody at the table tells of. The director decides.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from ..core.cards import QUEEN_SET, SUIT_CARDS, CardSet
from ..core.faults import Code, Fault, Severity
from ..core.messages import Message
from ..core.seats import Seat
from ..record.irregularities import Event, Named, event_of
from ..record.rulings import Decision, Ruling, RulingError
from ..replay.replay import Replay
from ..rules.rules import plays_for_chips
from ..rules.switches import Toggle

CORRECTIONS: Final = (
    Code.CARD_TWICE,
    Code.NOT_IN_PACK,
    Code.HAND_SIZE,
    Code.NOT_HELD,
    Code.PLAYED_TWICE,
    Code.TRICK_COUNT,
    Code.CAPTURE_COUNT,
    Code.POINTS,
)
"""Mistakes of the record: it is to be put right, and nothing is to be ruled (section 8)."""

_IN_TIME: Final = {
    Event.REVOKE: Event.REVOKE_CORRECTED,
    Event.FORBIDDEN_CARD: Event.FORBIDDEN_CARD,
    Event.LEAD_OUT_OF_TURN: Event.LEAD_OUT_OF_TURN,
}
"""What can be put right while it is not established, and what it is then."""
_WARNED: Final = (Event.INSPECT_TRICK, Event.PROCEDURE)
_COUNTED: Final = (Event.MISCOUNT, Event.MISPAY)
_SHORT: Final = (Event.MISSED_TRICK, Event.SHORT_HAND)
_CORRECTED: Final = Decision.CARD_CORRECTED
_STANDS: Final = Decision.RESULT_STANDS


def proposals(faults: Sequence[Fault]) -> tuple[Ruling, ...]:
    """Return the proposals of section 8 for a hand with these faults, the default first.

    Where the record itself cannot be right there is nothing to rule on before it is corrected;
    voiding the hand is still offered, last.
    """
    open_faults = [fault for fault in faults if fault.severity in (Severity.RULING, Severity.ERROR)]
    if not open_faults:
        return ()
    codes = [fault.code for fault in open_faults]
    offered = [*_in_time(open_faults)]
    revoked = _seats(open_faults, Code.REVOKE)
    if revoked:
        offered.append(Ruling(decision=Decision.REVOKE_LAW, code=Code.REVOKE, offenders=revoked))
    if Code.MISDEAL in codes:
        offered.append(Ruling(decision=Decision.VOID_REDEAL, code=Code.MISDEAL))
    if not any(code in CORRECTIONS for code in codes):
        offered.append(Ruling(decision=_STANDS))
    if Code.MISDEAL not in codes:
        offered.append(Ruling(decision=Decision.VOID_REDEAL))
    offered.append(Ruling(decision=Decision.VOID_NO_REPLAY))
    return tuple(offered)


def _in_time(faults: Sequence[Fault]) -> Iterator[Ruling]:
    """That a card goes back, where everything that is open was noticed before the next play."""
    events = {event_of(fault.code) for fault in faults}
    late = any(fault.established for fault in faults)
    event = events.pop() if len(events) == 1 else None
    if event in _IN_TIME and not late:
        yield Ruling(decision=_CORRECTED, code=_IN_TIME[event])


def _seats(faults: Sequence[Fault], code: Code) -> tuple[Seat, ...]:
    seats = (fault.seat for fault in faults if fault.code is code)
    return tuple(dict.fromkeys(seat for seat in seats if seat is not None))


def proposals_for(
    what: Named, judged: Replay, offenders: Sequence[Seat] = (), *, in_time: bool = False
) -> tuple[Ruling, ...]:
    """Return the proposals of section 8 for an incident that somebody names, the default first.

    ``in_time``: it was found out before it was established. Raises RulingError where an
    offender has to be named, and for a fault with which section 8 does not deal.
    """
    event = event_of(what)
    if event is None:
        raise RulingError(
            Message("section 8 has nothing for this; decide freely, or correct the record")
        )
    default = _default(event, what, judged, tuple(dict.fromkeys(offenders)), in_time=in_time)
    others = (_STANDS, Decision.VOID_REDEAL, Decision.VOID_NO_REPLAY)
    if event in (*_WARNED, *_COUNTED):
        return (default,)
    rest = (Ruling(decision=other, code=what) for other in others if other is not default.decision)
    return (default, *rest)


def _default(
    event: Event, what: Named, judged: Replay, offenders: tuple[Seat, ...], *, in_time: bool
) -> Ruling:
    if in_time and event in _IN_TIME:
        return Ruling(decision=_CORRECTED, code=_IN_TIME[event], offenders=offenders)
    if event is Event.REVOKE:
        if not offenders:
            raise RulingError(Message("the revoke law needs an offender"))
        return Ruling(decision=Decision.REVOKE_LAW, code=what, offenders=offenders)
    if event in _SHORT:
        return _last_trick(what, judged, offenders)
    decision = {
        Event.REVOKE_CORRECTED: _CORRECTED,
        Event.MISDEAL: Decision.VOID_REDEAL,
        **dict.fromkeys(_WARNED, Decision.WARNING),
        **dict.fromkeys(_COUNTED, _adjustment(judged)),
    }.get(event, _STANDS)
    return Ruling(decision=decision, code=what, offenders=offenders)


def _adjustment(judged: Replay) -> Decision:
    chips = plays_for_chips(judged.rules)
    return Decision.CHIP_ADJUST if chips else Decision.SCORE_ADJUST


def _last_trick(what: Named, judged: Replay, offenders: tuple[Seat, ...]) -> Ruling:
    """Foster: who was a card short takes the last trick with all that it contains.

    A card that only they can have played to the trick that they missed counts in the last trick.
    """
    if len(offenders) != 1:
        raise RulingError(Message("say which one player was a card short"))
    (offender,) = offenders
    course, taken, facts = judged.course, judged.taken, judged.facts
    if course is None or taken is None or facts.pain is None or not facts.status.settles:
        return Ruling(decision=_STANDS, code=what, offenders=offenders)
    last = CardSet(sum(1 << card for card in course.tricks[-1].cards)) if course.tricks else 0
    moved = CardSet(last | _count_filled_in(judged, offender))
    held = [cards & ~moved for cards in taken]
    held[offender] |= moved
    queen = judged.rules.queen is Toggle.ON
    taker = next((Seat(n) for n, cards in enumerate(held) if cards & QUEEN_SET), None)
    return Ruling(
        decision=Decision.ASSIGNED_CAPTURES,
        code=what,
        offenders=offenders,
        taken=tuple((cards & SUIT_CARDS[facts.pain]).bit_count() for cards in held),
        queen=taker if queen else None,
    )


def _count_filled_in(judged: Replay, offender: Seat) -> int:
    """The cards that were filled in where a seat wrote none."""
    found = 0
    for fault in judged.faults:
        if fault.code is Code.TRICK_COUNT and fault.seat == offender and fault.card is not None:
            found |= 1 << fault.card
    return found
