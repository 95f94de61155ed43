"""Irregularities: the events of rules.md section 8, by name, and what the law proposes for each.

Some show in a record, as faults; others only somebody at the table can tell of, in the ruling
table of a record or to the director. `games.proposals` makes rulings of what is said here.
"""

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from ..core.faults import Code
from ..core.messages import Message


class Event(StrEnum):
    """Events that can go wrong at a table; in the order of section 8."""

    REVOKE = "REVOKE"
    REVOKE_CORRECTED = "REVOKE_CORRECTED"
    FORBIDDEN_CARD = "FORBIDDEN_CARD"
    LEAD_OUT_OF_TURN = "LEAD_OUT_OF_TURN"
    PLAY_OUT_OF_TURN = "PLAY_OUT_OF_TURN"
    EXPOSED_CARD = "EXPOSED_CARD"
    MISSED_TRICK = "MISSED_TRICK"
    SHORT_HAND = "SHORT_HAND"
    MISDEAL = "MISDEAL"
    WRONG_PASS = "WRONG_PASS"  # noqa: S105 - cards are passed, no secret
    BID_OUT_OF_TURN = "BID_OUT_OF_TURN"
    SECOND_BID = "SECOND_BID"
    OVER_STACK = "OVER_STACK"
    SUIT_TOO_EARLY = "SUIT_TOO_EARLY"
    BAD_PAPER = "BAD_PAPER"
    BAD_BID = "BAD_BID"
    BAD_FOOT = "BAD_FOOT"
    BAD_CLAIM = "BAD_CLAIM"
    INSPECT_TRICK = "INSPECT_TRICK"
    MISCOUNT = "MISCOUNT"
    MISPAY = "MISPAY"
    PROCEDURE = "PROCEDURE"


Named = Code | Event
"""What a ruling is on: a fault that a record shows, or an event that somebody tells of."""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One event: a title, the law in use, what is proposed in words, the faults that show it."""

    title: Message
    law: str
    proposal: Message
    codes: frozenset[Code] = frozenset()


def _row(title: Message, law: str, proposal: Message, *codes: Code) -> Irregularity:
    return Irregularity(title, law, proposal, frozenset(codes))


_BID: Final = Message(
    "the bid is cancelled; its maker passes this hand if it told the others something"
)
_DEAL_AGAIN: Final = Message(
    "before the first trick the same dealer deals again, later the hand is void"
)
_LAST_TRICK: Final = Message("the offender takes the last trick with all that it contains")
_RECOUNT: Final = Message("count again; chips or points move by a ruling only")

IRREGULARITIES: Final = MappingProxyType(
    {
        Event.REVOKE: _row(
            Message("did not follow suit though able"),
            "Foster 24-26; rules.md section 8",
            Message("the offender bears the losses of the whole hand"),
            Code.REVOKE,
        ),
        Event.REVOKE_CORRECTED: _row(
            Message("a revoke put right before the trick was turned"),
            "Law 62",
            Message("the card withdrawn stays exposed; the score does not change"),
            Code.REVOKE_CORRECTED,
            Code.REVOKE,
        ),
        Event.FORBIDDEN_CARD: _row(
            Message("a penalty card on the first trick, an unbroken suit led, a wrong opening"),
            "section 8",
            Message(
                "taken back if it is noticed before the next play; else the result stands, "
                "with a warning"
            ),
            Code.FIRST_TRICK,
            Code.PAIN_LED,
            Code.OPENING_CARD,
            Code.WRONG_LEADER,
        ),
        Event.LEAD_OUT_OF_TURN: _row(
            Message("led out of turn"),
            "Foster",
            Message(
                "once all have played to it the lead stands; else the cards go back, and the "
                "player on the offender's right may ask them to lead a heart, or none, at their "
                "next lead"
            ),
            Code.OUT_OF_TURN,
            Code.WRONG_LEADER,
        ),
        Event.PLAY_OUT_OF_TURN: _row(
            Message("played out of turn"),
            "section 8",
            Message("the card is exposed and is played at the first legal chance"),
            Code.OUT_OF_TURN,
        ),
        Event.EXPOSED_CARD: _row(
            Message("dropped a card, or played two at once"),
            "section 8",
            Message("the card lies face up and is played at the first legal chance"),
            Code.EXPOSED_CARD,
        ),
        Event.MISSED_TRICK: _row(
            Message("played no card to a trick"), "Foster; Law 14", _LAST_TRICK, Code.TRICK_COUNT
        ),
        Event.SHORT_HAND: _row(
            Message("holds a card too few"),
            "Foster; Law 14",
            _LAST_TRICK,
            Code.HAND_SIZE,
            Code.MISDEAL,
        ),
        Event.MISDEAL: _row(
            Message("a wrong number of cards, a card faced, the wrong pack"),
            "Laws 6D, 13; K4",
            _DEAL_AGAIN,
            Code.MISDEAL,
            Code.HAND_SIZE,
            Code.CENTRE_SIZE,
            Code.WRONG_STRIP,
        ),
        Event.WRONG_PASS: _row(
            Message("passed the wrong number or way, or looked too early"),
            "D2; section 8",
            Message(
                "a pass in which all agree stands as it was made; cards looked at are exposed, "
                "go back and are not passed again"
            ),
            Code.WRONG_PASS,
        ),
        Event.BID_OUT_OF_TURN: _row(
            Message("bid out of turn"), "A3, C3", _BID, Code.BID_OUT_OF_TURN, Code.INSUFFICIENT_BID
        ),
        Event.SECOND_BID: _row(Message("bid twice"), "Foster 30", _BID, Code.BID_OUT_OF_TURN),
        Event.OVER_STACK: _row(
            Message("bid more chips than they hold"),
            "Q04",
            Message("the bid is all the chips held"),
            Code.OVER_STACK,
        ),
        Event.SUIT_TOO_EARLY: _row(
            Message("spoke of the suit before the auction was over"), "A3", _BID
        ),
        Event.BAD_PAPER: _row(
            Message("an insurance paper missing, late or not 0 to 6"),
            "Q44",
            Message("it counts as 0"),
            Code.BAD_PAPER,
        ),
        Event.BAD_BID: _row(
            Message("a centre bid below its start, or for a card that is not there"),
            "Q50",
            Message("it counts as no bid"),
            Code.BAD_BID,
        ),
        Event.BAD_FOOT: _row(
            Message("a foot called twice, or too late"),
            "Q56, Q57",
            Message("the foot is void and the hand is played"),
            Code.BAD_FOOT,
        ),
        Event.BAD_CLAIM: _row(
            Message("claimed what they could not"),
            "Law 70; Q65",
            Message("doubtful cards go to the claimer; 26 points only if they do it again"),
            Code.BAD_CLAIM,
        ),
        Event.INSPECT_TRICK: _row(
            Message("looked at a turned trick"), "Foster 28", Message("a warning")
        ),
        Event.MISCOUNT: _row(
            Message("captures that do not add up"),
            "K8; 11.2",
            _RECOUNT,
            Code.CAPTURE_COUNT,
            Code.POINTS,
        ),
        Event.MISPAY: _row(
            Message("chips on the table that are not those in the books"),
            "K8",
            _RECOUNT,
            Code.CHIPS,
            Code.POT,
            Code.ODD_CHIP,
        ),
        Event.PROCEDURE: _row(
            Message("slow play, talk, showing papers"),
            "Laws 90, 91",
            Message("a warning or points of the league, never chips of the table"),
        ),
    }
)
"""Section 8, row by row."""


def find_by_name(text: str) -> Named | None:
    """The fault or the event of a name or id, however it is spelled.

    >>> find_by_name("missed trick"), find_by_name("P51"), find_by_name("exposed-card")
    (<Event.MISSED_TRICK: 'MISSED_TRICK'>, <Code.REVOKE: 'P51'>, <Code.EXPOSED_CARD: 'P61'>)
    """
    name = text.strip().upper().replace("-", "_").replace(" ", "_")
    for code in Code:
        if name in (code.name, code.value):
            return code
    return Event(name) if name in Event.__members__ else None


def event_of(what: Named) -> Event | None:
    """The event that a fault shows; the first where it can show several."""
    if isinstance(what, Event):
        return what
    if what.name in Event.__members__:
        return Event(what.name)
    return next((event for event, row in IRREGULARITIES.items() if what in row.codes), None)


def covers(what: Named, code: Code) -> bool:
    """Whether a decision on something also decides on a fault.

    >>> covers(Event.FORBIDDEN_CARD, Code.PAIN_LED), covers(Code.REVOKE, Code.PAIN_LED)
    (True, False)
    """
    if what is code:
        return True
    event = Event(what.name) if what.name in Event.__members__ else None
    return event is not None and code in IRREGULARITIES[event].codes
