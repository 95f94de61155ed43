"""The facts of a hand that its settlement needs (rules.md K6)."""

from dataclasses import dataclass
from typing import Final

from ..core.cards import Suit
from ..core.chips import Rebuy
from ..core.messages import Choice, Message
from ..core.seats import Seat
from ..core.values import quickly_made


class Status(Choice):
    """States of a dealt hand (rules.md section 8).

    The details tell of a hand in this state, where that needs nothing else of the hand.
    """

    PLAYED = "PLAYED", Message("played")
    CLAIMED = "CLAIMED", Message("claimed")
    PASSED_OUT = (
        "PASSED_OUT",
        Message("passed out"),
        Message("Everybody passed; the deal goes on."),
    )
    FOOT = "FOOT", Message("cancelled by a foot")
    VOID_REDEAL = (
        "VOID_REDEAL",
        Message("void, dealt again"),
        Message("The hand is void; the same dealer deals again."),
    )
    VOID_NO_REPLAY = (
        "VOID_NO_REPLAY",
        Message("void"),
        Message("The hand is void and is not replayed."),
    )
    NOT_PLAYED = (
        "NOT_PLAYED",
        Message("not played"),
        Message("The hand was not played."),
    )
    DRAFT = (
        "DRAFT",
        Message("unfinished"),
        Message("The hand is not finished."),
    )

    @property
    def settles(self) -> bool:
        """Whether the hand is settled by the cards that were captured."""
        return self in SETTLING


SETTLING: Final = (Status.PLAYED, Status.CLAIMED)
"""The hands in which cards were taken that are to be paid for."""


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Facts of a hand, as far as they are paid for; tuples are by seat.

    ``taken`` counts the pain cards (A, C) or hearts (B, D, E) captured, out of ``whole``, the
    cards of that suit in the pack. ``queen`` took the queen of spades. ``papers`` are the
    insurance numbers that count, ``centre`` the points paid for centre cards, ``feet`` the
    seats whose foot is used by this hand. ``moon_adds`` is the shooter's choice (Q39b).
    ``offenders`` revoked and pay by the revoke law (section 8); ``adjust`` are points and
    ``chips`` chips given by rulings; what the seats gain in chips, the pot loses. ``rebuys`` are
    the table's decisions who buys chips again (DEC-9).
    """

    status: Status = Status.PLAYED
    taken: tuple[int, ...] = ()
    whole: int = 13
    bidder: Seat | None = None
    bid: int = 0
    pain: Suit | None = None
    namer: Seat | None = None
    queen: Seat | None = None
    tricks: tuple[int, ...] = ()
    papers: tuple[int, ...] = ()
    centre: tuple[int, ...] = ()
    feet: tuple[Seat, ...] = ()
    moon_adds: bool | None = None
    offenders: tuple[Seat, ...] = ()
    adjust: tuple[int, ...] = ()
    chips: tuple[int, ...] = ()
    rebuys: tuple[Rebuy, ...] = ()

    @property
    def sweep(self) -> Seat | None:
        """The seat that took every pain card in the pack, or None (A7.4, C6.4, Q16)."""
        return Seat(self.taken.index(self.whole)) if self.whole in self.taken else None
