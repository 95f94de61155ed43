"""The play of the cards: who may play what, who wins a trick (rules.md K5, A4-A6, D3-D5)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from ..core.cards import (
    BIT,
    EMPTY,
    FOLLOWING,
    NAMES,
    QUEEN_SET,
    SUIT_CARDS,
    SUIT_NAMES,
    SUIT_OF,
    Card,
    CardSet,
    Suit,
    show,
)
from ..core.faults import Code, Fault, Part, Severity
from ..core.messages import Message
from ..core.pictures import draw_trick
from ..core.seats import Seat
from ..record.actions import Play
from ..rules.rules import Rules
from ..rules.switches import (
    BrokenBy,
    FirstLeader,
    FirstTrick,
    HeartsPlusQueen,
    PainLead,
    Toggle,
)


class Trick(NamedTuple):
    """A complete trick: who led, the cards in order of play, who won it."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat

    def _repr_svg_(self) -> str:
        return draw_trick(self.leader, self.cards, self.winner, len(self.cards))


@dataclass(frozen=True, slots=True)
class Restrictions:
    """The card sets on which the play of one hand turns.

    ``pain`` is the pain suit as far as it is in the pack, ``penalty`` all cards that cost;
    ``breakers`` break the suit. ``opening`` is the one card that must open, or empty.
    ``first_lead``, ``first_discard`` and ``unbroken_lead`` may not be led or discarded on the
    first trick, or led before the suit is broken, while the hand holds anything else;
    ``companions`` does not count as anything else.
    """

    pain: CardSet
    penalty: CardSet
    breakers: CardSet
    opening: CardSet
    first_lead: CardSet
    first_discard: CardSet
    unbroken_lead: CardSet
    companions: CardSet


@lru_cache(maxsize=256)
def restrictions(rules: Rules, pain: Suit, players: int) -> Restrictions:
    """The restrictions of a hand with this pain suit and so many players."""
    pack = rules.pack(players)
    suit = CardSet(SUIT_CARDS[pain] & pack)
    penalty = CardSet(suit | QUEEN_SET) if rules.queen is Toggle.ON else suit
    first = penalty if rules.first_trick_penalty is FirstTrick.FORBIDDEN else EMPTY
    low_club = rules.first_leader is FirstLeader.LOW_CLUB
    may_lead = rules.hearts_plus_queen is HeartsPlusQueen.MAY_LEAD_HEART
    return Restrictions(
        pain=suit,
        penalty=penalty,
        breakers=CardSet(suit | QUEEN_SET) if rules.broken_by is BrokenBy.HEART_OR_QUEEN else suit,
        opening=rules.stock(players).low_club if low_club else EMPTY,
        first_lead=first,
        first_discard=first,
        unbroken_lead=suit if rules.pain_lead is PainLead.AFTER_BROKEN else EMPTY,
        companions=QUEEN_SET if may_lead else EMPTY,
    )


def rest_or_all(holding: CardSet, banned: CardSet, companions: CardSet = EMPTY) -> CardSet:
    """Return a holding without the banned cards, or all of it when nothing else is left (Q19).

    Cards of ``companions`` do not count as something else (Q39a).
    """
    rest = CardSet(holding & ~banned)
    return rest if rest & ~companions else holding


def banned_leads(limits: Restrictions, *, first: bool, broken: bool) -> CardSet:
    """The cards that may not be led now while the hand holds anything else."""
    early = limits.first_lead if first else EMPTY
    return early if broken else CardSet(early | limits.unbroken_lead)


def legal_leads(
    holding: CardSet, limits: Restrictions, *, first: bool = False, broken: bool = False
) -> CardSet:
    """Return the legal leads: the opening card where one is prescribed, else A4, A6, D5, E5."""
    if first and holding & limits.opening:
        return limits.opening
    banned = banned_leads(limits, first=first, broken=broken)
    return rest_or_all(holding, banned, limits.companions)


def legal_follows(
    holding: CardSet, lead: Card, limits: Restrictions, *, first: bool = False
) -> CardSet:
    """Return the legal cards on a lead: K5, and on the first trick A5, D4, E4."""
    suit = CardSet(holding & FOLLOWING[lead])
    return suit or rest_or_all(holding, limits.first_discard if first else EMPTY)


def winning_place(cards: tuple[Card, ...]) -> int:
    """The place, in order of play, of the card that wins a trick (K5)."""
    led = FOLLOWING[cards[0]]
    return cards.index(max(card for card in cards if BIT[card] & led))


_ELDEST: Final = FirstLeader.ELDEST
_BIDDER: Final = FirstLeader.BIDDER


def opening_leader(
    rules: Rules, eldest: Seat, bidder: Seat | None, holdings: tuple[CardSet, ...]
) -> Seat:
    """Return the leader of the first trick (A4, B3, D3, E3); eldest where nobody bid."""
    if rules.first_leader is _ELDEST:
        return eldest
    if rules.first_leader is _BIDDER:
        return eldest if bidder is None else bidder
    opening = rules.stock(len(holdings)).low_club
    for seat, held in enumerate(holdings):
        if held & opening:
            return Seat(seat)
    return eldest


def play_fault(
    action: Play, held: CardSet, legal: CardSet, lead: Card | None, limits: Restrictions
) -> Fault:
    """Why a card that is not in the legal set is not: the rule, and what was legal instead."""
    name = NAMES[action.card]
    severity = Severity.RULING
    if not BIT[action.card] & held:
        code, rule, severity = Code.NOT_HELD, "K4", Severity.ERROR
        words = Message("{card} is not in this hand", card=name)
    elif lead is not None and SUIT_OF[action.card] != SUIT_OF[lead] and held & FOLLOWING[lead]:
        code, rule = Code.REVOKE, "K5"
        suit = SUIT_NAMES[SUIT_OF[lead]]
        words = Message("{card} does not follow {suit}", card=name, suit=suit)
    elif lead is not None:
        code, rule = Code.FIRST_TRICK, "A5 D4 E4"
        words = Message("{card} is a penalty card, not allowed on the first trick", card=name)
    elif legal == limits.opening:
        code, rule = Code.OPENING_CARD, "D3 E3"
        words = Message("{card} is not the opening card", card=name)
    else:
        code, rule = Code.PAIN_LED, "A4 A6 D5 E5"
        words = Message("{card} is led before the suit is broken", card=name)
    return Fault(
        code=code,
        rule=rule,
        message=Message("{why}; legal: {cards}", why=words, cards=show(legal)),
        severity=severity,
        part=Part.PLAY,
        seat=action.seat,
        card=action.card,
        legal=legal,
    )
