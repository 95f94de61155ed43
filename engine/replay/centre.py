"""The blind auction of the four centre cards (rules.md D20-D25, Q49-Q55)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..core.cards import BIT, EMPTY, NAMES, SUIT_OF, Card, CardSet, Suit, card_set, show
from ..core.faults import Code, Fault, Part, Severity
from ..core.messages import Message
from ..core.seats import Seat
from ..core.values import quickly_made
from ..record.record import CentreBid
from ..rules.rules import Rules
from ..rules.switches import BadBid, Cap

START: Final = {Suit.SPADES: 3, Suit.HEARTS: 2, Suit.DIAMONDS: 1, Suit.CLUBS: 0}
"""The lowest bid for a card of each suit (D22)."""
STARTS: Final = tuple(START[suit] for suit in SUIT_OF)
"""The same by card."""
HIGH_BID = 26
"""A bid above a whole hand's points is odd (Q51)."""
_NO_CAP: Final = Cap.NONE
UNSEEN = -1
"""Stands for a shown card that is missing: weaker than any card (Q52)."""


@quickly_made
@dataclass(frozen=True, slots=True)
class Award:
    """A seat gets a centre card for so many points."""

    seat: Seat
    card: Card
    pays: int


@quickly_made
@dataclass(frozen=True, slots=True)
class CentreResult:
    """The outcome of a centre: winners, choosers in their order, and the cards left."""

    awards: tuple[Award, ...]
    queue: tuple[Seat, ...]
    left: CardSet
    faults: tuple[Fault, ...]


def start_of(card: Card) -> int:
    """The lowest bid for a centre card (D22)."""
    return STARTS[card]


def resolve(
    rules: Rules, centre: CardSet, bids: Sequence[CentreBid], holdings: Sequence[CardSet]
) -> CentreResult:
    """Open all papers at once: the winners, and the queue for what is left over (D23, D24)."""
    faults: list[Fault] = []
    strength: dict[Seat, int] = {}
    real: list[tuple[int, int, CentreBid]] = []
    for row, paper in enumerate(bids):
        shown = paper.shown
        held = shown is not None and holdings[paper.seat] & BIT[shown]
        strength[paper.seat] = shown if shown is not None and held else UNSEEN
        if not held:
            faults.append(_unseen(row, paper))
        bid, fault = effective_bid(rules, centre, paper, row)
        if fault is not None:
            faults.append(fault)
        if bid is not None:
            real.append((bid, strength[paper.seat], paper))
    awards = _winners(real)
    served = {award.seat for award in awards}
    taken = {award.card for award in awards}
    queue = [seat for seat in strength if seat not in served]
    waiting = sorted(queue, key=strength.__getitem__, reverse=True)
    left = CardSet(centre & ~card_set(taken))
    return CentreResult(awards, tuple(waiting), left, tuple(faults))


def resolve_valid_bids(
    rules: Rules, centre: CardSet, bids: Sequence[CentreBid], holdings: Sequence[CardSet]
) -> tuple[list[CardSet], list[int]] | None:
    """Return each seat's gain and price, where all papers count and tell it right; else None.

    A paper counts with a card of the hand shown on it, and a bid for a card in the centre from
    its start on (D21, D22); the highest wins, of equal ones that with the stronger card (D23).
    The rest of the cards are chosen by who has none (D24). No card may be in two of the holdings.
    """
    best = _best(rules, centre, bids, holdings)
    if best is None:
        return None
    got, pays = [EMPTY] * len(holdings), [0] * len(holdings)
    for paper in bids:
        won = best.get(paper.card) is paper
        if paper.got is None or paper.pays != (paper.bid if won else 0):
            return None
        if won and paper.got != paper.card:
            return None
        got[paper.seat], pays[paper.seat] = BIT[paper.got], paper.pays
    everybody = len(bids) == len(holdings) and EMPTY not in got
    return (got, pays) if everybody and sum(got) == centre else None


def _best(
    rules: Rules, centre: CardSet, bids: Sequence[CentreBid], holdings: Sequence[CardSet]
) -> dict[Card | None, CentreBid] | None:
    """The paper that wins each card; None where one does not count."""
    best: dict[Card | None, CentreBid] = {}
    most = HIGH_BID if rules.max_centre_bid is _NO_CAP else 0
    for paper in bids:
        sample, card, bid = paper.shown, paper.card, paper.bid
        if sample is None or not BIT[sample] & holdings[paper.seat]:
            return None
        if card is None:
            if bid:
                return None
            continue
        if not (STARTS[card] <= bid <= most and BIT[card] & centre):
            return None
        other = best.get(card)
        if other is None or (bid, sample) > (other.bid, other.shown):
            best[card] = paper
    return best


def _winners(real: list[tuple[int, int, CentreBid]]) -> tuple[Award, ...]:
    best: dict[Card, tuple[int, int, CentreBid]] = {}
    for entry in real:
        card = entry[2].card
        if card is not None and (card not in best or entry[:2] > best[card][:2]):
            best[card] = entry
    return tuple(Award(paper.seat, card, bid) for card, (bid, _, paper) in best.items())


def effective_bid(
    rules: Rules, centre: CardSet, paper: CentreBid, row: int
) -> tuple[int | None, Fault | None]:
    """The bid that counts, None for no bid, and what was wrong with the paper (Q50, Q51)."""
    if paper.card is None:
        return None, None
    start = start_of(paper.card)
    if not BIT[paper.card] & centre:
        words = Message("{card} is not in the centre; no bid", card=NAMES[paper.card])
        hint = Message("in the centre lie {cards}", cards=show(centre))
        return None, replace(_bad_bid(row, paper, words), hint=hint)
    if paper.bid < start:
        if rules.bad_bid is BadBid.RAISE_TO_MINIMUM:
            words = Message(
                "{bid} is below the start of {start} for {card}; raised to {start}",
                bid=paper.bid,
                start=start,
                card=NAMES[paper.card],
            )
            return start, _bad_bid(row, paper, words)
        words = Message(
            "{bid} is below the start of {start} for {card}; no bid",
            bid=paper.bid,
            start=start,
            card=NAMES[paper.card],
        )
        return None, _bad_bid(row, paper, words)
    if isinstance(rules.max_centre_bid, int) and paper.bid > rules.max_centre_bid:
        most = rules.max_centre_bid
        words = Message(
            "{bid} is above the highest bid of {most}; no bid", bid=paper.bid, most=most
        )
        return None, _bad_bid(row, paper, words, "Q51")
    if paper.bid > HIGH_BID:
        words = Message("a bid of {bid} is more than a whole hand", bid=paper.bid)
        return paper.bid, _bad_bid(row, paper, words, "Q51")
    return paper.bid, None


def _bad_bid(row: int, paper: CentreBid, message: Message, rule: str = "Q50") -> Fault:
    return Fault(
        code=Code.BAD_BID,
        rule=rule,
        message=message,
        severity=Severity.WARNING,
        part=Part.BIDS,
        index=row,
        seat=paper.seat,
        card=paper.card,
        column="Bid",
    )


def _unseen(row: int, paper: CentreBid) -> Fault:
    words = Message("no card is shown; last in the queue and loses ties")
    if paper.shown is not None:
        words = Message(
            "{card} is not in the hand; last in the queue and loses ties", card=NAMES[paper.shown]
        )
    return Fault(
        code=Code.BAD_BID,
        rule="Q52",
        message=words,
        severity=Severity.RULING,
        part=Part.BIDS,
        index=row,
        seat=paper.seat,
        card=paper.shown,
        column="Shown",
        hint=Message("write a card that this seat held"),
    )
