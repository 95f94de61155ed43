"""Actions of people in a hand, one small frozen value each.

A hand is the sequence of its actions; `live.hand` says which are legal when.
"""

from dataclasses import dataclass

from ..core.cards import EMPTY, NAMES, Card, CardSet, Suit, show
from ..core.pictures import draw_deal
from ..core.seats import Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """The dealer gives every seat its cards, and lays the centre aside (K4, D20)."""

    holdings: tuple[CardSet, ...]
    centre: CardSet = EMPTY

    def __repr__(self) -> str:
        return f"<Deal: {self}>"

    def __str__(self) -> str:
        """The holdings by seat, then the centre if there is one."""
        piles = (*self.holdings, self.centre) if self.centre else self.holdings
        return " | ".join(map(show, piles))

    def _repr_svg_(self) -> str:
        return draw_deal(self.holdings, self.centre)


@dataclass(frozen=True, slots=True)
class Insure:
    """A seat hands in its insurance paper (D10); None is a paper that is missing or illegible."""

    seat: Seat
    number: int | None


@dataclass(frozen=True, slots=True)
class CallFoot:
    """A seat writes F on its paper, perhaps with a number in case the foot is void (D30, Q56)."""

    seat: Seat
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """A seat passes cards on, before looking at those it gets (D2)."""

    seat: Seat
    cards: CardSet

    def __repr__(self) -> str:
        return f"<Pass: seat {self.seat}, {show(self.cards)}>"

    def __str__(self) -> str:
        return f"pass {show(self.cards)}"


@dataclass(frozen=True, slots=True)
class Bid:
    """A call in the chip auction (A3, C3): a number of chips, or None to pass."""

    seat: Seat
    chips: int | None

    def __str__(self) -> str:
        return "Pass" if self.chips is None else str(self.chips)


@dataclass(frozen=True, slots=True)
class NamePain:
    """The bid-winner names the pain suit (A3, C4, A8)."""

    seat: Seat
    suit: Suit


@dataclass(frozen=True, slots=True)
class Seal:
    """A paper in the centre auction (D21): the card wanted, the number, the card laid on it.

    ``card`` None is a no-bid.
    """

    seat: Seat
    card: Card | None
    bid: int
    shown: Card


@dataclass(frozen=True, slots=True)
class TakeCard:
    """A seat of the queue takes a card that was left over (D24)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Play:
    """A seat plays a card (K5)."""

    seat: Seat
    card: Card

    def __str__(self) -> str:
        return NAMES[self.card]


@dataclass(frozen=True, slots=True)
class ClaimRest:
    """A seat takes the remaining tricks, all agreeing (Q65)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ChooseMoon:
    """The choice after all the points: the others score 26, or the shooter scores less (Q39b)."""

    seat: Seat
    add_to_others: bool


Action = (
    Deal
    | Insure
    | CallFoot
    | Pass
    | Bid
    | NamePain
    | Seal
    | TakeCard
    | Play
    | ClaimRest
    | ChooseMoon
)
