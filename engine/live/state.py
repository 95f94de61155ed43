"""The state of a hand between two actions.

`live.legality` says what is wrong with an action at a moment, `live.steps` what it
does; `live.hand` makes both pleasant to use.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from ..core.cards import EMPTY, QUEEN_SET, Card, CardSet, Suit, count
from ..core.seats import Seat
from ..record.actions import Action
from ..record.facts import Facts, Status
from ..record.game_state import GameState
from ..record.record import CentreBid, Paper, PassedCards
from ..replay import play
from ..replay.auction import Contract
from ..replay.centre import Award
from ..replay.insurance import callers, effective_paper
from ..replay.play import Restrictions, Trick, restrictions
from ..rules.rules import Rules
from ..rules.switches import Toggle


class Phase(StrEnum):
    """Phases of a hand."""

    DEAL = "deal"
    PAPERS = "papers"
    EXCHANGE = "exchange"
    CENTRE = "centre"
    LEFT_OVERS = "left_overs"
    AUCTION = "auction"
    NAMING = "naming"
    PLAY = "play"
    MOON = "moon"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandState:
    """A hand at one moment. Tuples are by seat; ``to_act`` are the seats that can act now.

    ``holdings`` are the cards held now, ``dealt`` those at the deal; ``trick`` the cards of the
    trick that is being played, led by ``leader``; ``taken`` the cards won so far.
    """

    rules: Rules
    before: GameState
    phase: Phase = Phase.DEAL
    to_act: tuple[Seat, ...] = ()
    dealt: tuple[CardSet, ...] = ()
    holdings: tuple[CardSet, ...] = ()
    centre: CardSet = EMPTY
    papers: tuple[Paper, ...] = ()
    passes: tuple[PassedCards, ...] = ()
    bids: tuple[CentreBid, ...] = ()
    awards: tuple[Award, ...] = ()
    left: CardSet = EMPTY
    calls: tuple[int, ...] = ()
    contract: Contract = Contract(None)
    namer: Seat | None = None
    pain: Suit | None = None
    broken: bool = False
    leader: Seat = Seat(0)
    trick: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    taken: tuple[CardSet, ...] = ()
    moon_adds: bool | None = None
    status: Status = Status.DRAFT
    last: Action | None = None
    previous: "HandState | None" = field(default=None, repr=False)

    @property
    def players(self) -> int:
        """The number of players."""
        return self.before.players

    @property
    def turn(self) -> Seat | None:
        """The seat in turn; the first of several who act at once; None when the hand is over."""
        return self.to_act[0] if self.to_act else None

    @property
    def limits(self) -> Restrictions:
        """The restrictions of the play, once the pain suit is known."""
        pain = Suit.HEARTS if self.pain is None else self.pain
        return restrictions(self.rules, pain, self.players)

    @property
    def legal_cards(self) -> CardSet:
        """What the seat in turn may play (K5 and what restricts it); empty outside the play."""
        if self.phase is not Phase.PLAY or self.turn is None:
            return EMPTY
        held, first = self.holdings[self.turn], not self.tricks
        if self.trick:
            return play.legal_follows(held, self.trick[0], self.limits, first=first)
        return play.legal_leads(held, self.limits, first=first, broken=self.broken)


def facts_of(hand: HandState) -> Facts:
    limits, seats = hand.limits, range(hand.players)
    tricks = [0] * hand.players
    for trick in hand.tricks:
        tricks[trick.winner] += 1
    if hand.status is Status.CLAIMED:
        tricks = _with_claimed(hand, tricks)
    pays = {award.seat: award.pays for award in hand.awards}
    queen = (seat for seat in seats if hand.taken and hand.taken[seat] & QUEEN_SET)
    counted = hand.rules.queen is Toggle.ON
    return Facts(
        status=hand.status,
        taken=tuple(count(CardSet(taken & limits.pain)) for taken in hand.taken),
        whole=count(limits.pain),
        bidder=hand.contract.bidder,
        bid=hand.contract.bid,
        pain=hand.pain,
        namer=hand.namer,
        queen=next((Seat(seat) for seat in queen), None) if counted else None,
        tricks=tuple(tricks),
        papers=tuple(effective_paper(paper) for paper in hand.papers),
        centre=tuple(pays.get(Seat(seat), 0) for seat in seats),
        feet=callers(hand.rules, hand.papers, hand.before.feet)
        if hand.status is Status.FOOT
        else (),
        moon_adds=hand.moon_adds,
    )


def _with_claimed(hand: HandState, tricks: list[int]) -> list[int]:
    """Tricks with those that a claim gave; the claimer is who holds the rest of the cards won."""
    whole = hand.rules.hand_size(hand.players) + (1 if hand.centre else 0)
    missing = whole - sum(tricks)
    claimer = max(
        range(hand.players), key=lambda seat: count(hand.taken[seat]) - hand.players * tricks[seat]
    )
    return [n + (missing if seat == claimer else 0) for seat, n in enumerate(tricks)]
