"""The account of the last tricks: what each seat was sure of, its slips, and gifts of others.

Sure is the least cost that a seat can reach whatever all others do, all hands open. A slip is how
much a seat's own card adds to that; a gift is how much another's card takes off it. So, exactly,
``result = sure + slips - gifts`` from any trick on to the end of what is analysed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import add
from typing import Final

from ..core.cards import BIT, EMPTY, Card, CardSet, card_set, count, members
from ..core.messages import Choice, Message, MessageError
from ..core.seats import Seat
from ..record.facts import SETTLING
from ..record.game_state import GameState
from ..record.record import HandRecord
from ..replay.play import (
    Restrictions,
    Trick,
    legal_follows,
    legal_leads,
    restrictions,
    winning_place,
)
from ..replay.replay import Replay, replay
from ..rules.rules import Rules
from ..rules.switches import MoonAllTricks
from ..settlement.settlement import settle
from .costs import CostTable, Measure, hand_costs
from .search import Budget, BudgetSpentError, Guarantee, Moment

NODES: Final = 300_000
"""The positions that the analysis of one hand looks at, unless it is told otherwise."""


class AnalysisError(MessageError):
    """A hand that cannot be analysed, and why."""


class Caveat(Choice):
    """Facts of a hand that its analysis leaves out."""

    CLAIM = "claim", Message("The hand is analysed up to the claim.")
    IRREGULAR = (
        "irregular",
        Message("The hand is analysed up to the trick with the first irregular card."),
    )
    RULING = "ruling", Message("What a ruling gave or took is not in these figures.")
    INSOLVENCY = (
        "insolvency",
        Message("Somebody could not pay everything; here every chip counts."),
    )
    GAME_END = (
        "game_end",
        Message("The game ended with this hand; who wins the game is not looked at."),
    )
    ALL_TRICKS = (
        "all_tricks",
        Message("That all the tricks win the game is not looked at."),
    )


@dataclass(frozen=True, slots=True)
class Gift:
    """The cost that a card of another seat spared ``seat``."""

    seat: Seat
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedCard:
    """A card of the exact part, with its slip and its gifts; tricks and places count from 1.

    ``before`` is what its seat was sure of before the card, for the whole hand; ``kept`` are the
    cards that would have lost nothing, where this one did, of ``legal``.
    """

    trick: int
    place: int
    seat: Seat
    card: Card
    before: int
    slip: int = 0
    kept: CardSet = EMPTY
    legal: CardSet = EMPTY
    gifts: tuple[Gift, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The account of one seat in whole numbers of ``unit``, a part of a point or chip.

    >>> one = Account(sure=180, slips=60, gifts=0, result=240, unit=Fraction(1, 60))
    >>> one.result * one.unit
    Fraction(4, 1)
    """

    sure: int
    slips: int
    gifts: int
    result: int
    unit: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """The exact part of a hand: from trick ``exact_from`` to trick ``until``, counted from 1.

    ``exact_from`` is None where not one trick is known; there are no cards then. ``seats`` are the
    accounts by seat, none where nothing is known. A ``result`` is the cost of the whole hand; where
    the analysis ends before the last trick, what the seat was sure of there.
    """

    exact_from: int | None
    until: int
    measure: Measure
    seats: tuple[Account, ...]
    cards: tuple[AnalysedCard, ...]
    caveats: tuple[Caveat, ...] = ()
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play in whole tricks: every moment in it, with what each seat had paid by then."""

    cards: tuple[Card, ...]
    moments: tuple[Moment, ...]
    paid: tuple[tuple[int, ...], ...]


def follow_line(
    costs: CostTable,
    limits: Restrictions,
    moment: Moment,
    paid: Sequence[int],
    cards: Sequence[Card],
) -> Line:
    """The line of some cards in order of play, from a moment and what each seat had paid there."""
    moments, payments = [moment], [tuple(paid)]
    for card in cards:
        moment, cost = play_card(costs, limits, moment, card)
        moments.append(moment)
        payments.append(tuple(map(add, payments[-1], cost)))
    return Line(tuple(cards), tuple(moments), tuple(payments))


def play_card(
    costs: CostTable, limits: Restrictions, moment: Moment, card: Card
) -> tuple[Moment, tuple[int, ...]]:
    """The moment after a card, and what a trick that it completes costs each seat."""
    seat, players = moment.turn, len(moment.hands)
    hands = list(moment.hands)
    hands[seat] = CardSet(hands[seat] & ~BIT[card])
    trick, cost = (*moment.trick, card), [0] * players
    if len(trick) < players:
        return replace(moment, hands=tuple(hands), trick=trick), tuple(cost)
    winner = (moment.leader + winning_place(trick)) % players
    cost[winner] = sum(costs.weights[winner][taken] for taken in trick)
    cards = card_set(trick)
    after = Moment(
        hands=tuple(hands),
        leader=winner,
        mask=moment.mask | (1 << winner if cards & costs.counting else 0),
        broken=moment.broken or bool(cards & limits.breakers),
    )
    return after, tuple(cost)


def analyse(
    record: HandRecord,
    rules: Rules | None = None,
    before: GameState | None = None,
    *,
    nodes: int = NODES,
    tricks: int | None = None,
) -> Analysis:
    """Analyse the last tricks of a written hand, as far back as ``nodes`` positions lead.

    ``rules`` and ``before`` are those of `replay`; at most so many ``tricks``, if given. The first
    trick, with rules of its own, is never part of it. Raises AnalysisError for a hand of which not
    all cards are known, or that was not played.
    """
    return analyse_hand(replay(record, rules, before), nodes=nodes, tricks=tricks)


def analyse_hand(hand: Replay, *, nodes: int = NODES, tricks: int | None = None) -> Analysis:
    """Analyse a judged hand, as `analyse` does. Raises AnalysisError."""
    regular = find_regular_tricks(hand)
    assert hand.held is not None, "it was looked at above"
    assert hand.facts.pain is not None, "nobody plays before it is named"
    costs = hand_costs(hand)
    limits = restrictions(hand.rules, hand.facts.pain, costs.players)
    leader = regular[0].leader if regular else Seat(0)
    start = Moment(hand.held, leader, mask=0, broken=False)
    cards = [card for trick in regular for card in trick.cards]
    line = follow_line(costs, limits, start, (0,) * costs.players, cards)
    earliest = 2 if tricks is None else max(2, len(regular) - tricks + 1)
    analysis = analyse_line(costs, limits, line, nodes=nodes, earliest=earliest)
    return replace(analysis, caveats=tuple(_caveats(hand, len(regular))))


def find_regular_tricks(hand: Replay) -> Sequence[Trick]:
    """The tricks before the first irregular one. Raises AnalysisError, as `analyse` does."""
    players = hand.before.players
    size = hand.rules.tricks(players)
    if hand.facts.status not in SETTLING:
        raise AnalysisError(Message("this hand was not played to a result"))
    if hand.held is None or any(count(cards) != size for cards in hand.held) or not hand.tricks:
        raise AnalysisError(Message("not all cards of this hand are written"))
    marked = min(hand.record.marks, default=len(hand.record.play or ()))
    return hand.tricks[: min(hand.good, marked) // players]


def _caveats(hand: Replay, regular: int) -> Iterator[Caveat]:
    if regular < len(hand.tricks):
        yield Caveat.IRREGULAR
    elif hand.record.claim is not None:
        yield Caveat.CLAIM
    facts = hand.facts
    pain = hand.rules.suit_cards(facts.pain, hand.before.players) if facts.pain is not None else 0
    taken = tuple(count(CardSet(cards & pain)) for cards in hand.taken or ())
    is_ruled = facts.offenders or any(facts.adjust) or any(facts.chips)
    if is_ruled or facts.taken != taken:
        yield Caveat.RULING
    if hand.rules.moon_all_tricks is MoonAllTricks.GAME:
        yield Caveat.ALL_TRICKS
    if hand.settles:
        settlement = settle(hand.rules, hand.before, facts)
        if any(settlement.shortfalls):
            yield Caveat.INSOLVENCY
        if settlement.after.over is not None:
            yield Caveat.GAME_END


def analyse_line(
    costs: CostTable, limits: Restrictions, line: Line, *, nodes: int = NODES, earliest: int = 1
) -> Analysis:
    """Analyse a line from its end, trick by trick, until the budget is spent.

    ``earliest`` is the first trick of the line, counted from 1, that is looked at. A line that ends
    before it is not searched at all.
    """
    budget = Budget(nodes)
    until = len(line.cards) // costs.players
    exact_from: int | None = None
    cards: list[AnalysedCard] = []
    if until < earliest:
        return Analysis(exact_from=None, until=until, measure=costs.measure, seats=(), cards=())
    searches = [Guarantee(costs, limits, seat, budget) for seat in range(costs.players)]
    result = sure = tuple[int, ...]()
    try:
        result = sure = tuple(
            paid + search.find(line.moments[-1])
            for paid, search in zip(line.paid[-1], searches, strict=True)
        )
        for number in range(until, earliest - 1, -1):
            found, sure_before = _analyse_trick(costs, limits, line, searches, number, sure)
            exact_from, sure = number, sure_before
            cards[:0] = found
    except BudgetSpentError:
        pass
    slips, gifts = [0] * costs.players, [0] * costs.players
    for one in cards:
        slips[one.seat] += one.slip
        for gift in one.gifts:
            gifts[gift.seat] += gift.amount
    unit = Fraction(1, costs.parts)
    return Analysis(
        exact_from=exact_from,
        until=until,
        measure=costs.measure,
        seats=tuple(
            Account(sure=a, slips=slips[seat], gifts=gifts[seat], result=b, unit=unit)
            for seat, (a, b) in enumerate(zip(sure, result, strict=True))
        ),
        cards=tuple(cards),
        nodes=nodes - budget.nodes,
    )


def _analyse_trick(
    costs: CostTable,
    limits: Restrictions,
    line: Line,
    searches: Sequence[Guarantee],
    number: int,
    sure: tuple[int, ...],
) -> tuple[list[AnalysedCard], tuple[int, ...]]:
    """The cards of a trick, and what everybody was sure of before it; ``sure`` is after it."""
    players = costs.players
    found: list[AnalysedCard] = []
    for place in range(players, 0, -1):
        at = (number - 1) * players + place - 1
        moment, card, paid = line.moments[at], line.cards[at], line.paid[at]
        seat, legal = Seat(moment.turn), _legal_cards(limits, moment)
        slip, kept, gifts = 0, EMPTY, []
        if count(legal) > 1:
            before = list(sure)
            for other, search in enumerate(searches):
                after = sure[other] - paid[other]
                if other == seat:
                    before[other] = paid[other] + search.find(moment, most=after)
                else:
                    before[other] = paid[other] + search.find(moment, least=after)
                    if before[other] > sure[other]:
                        gifts.append(Gift(Seat(other), before[other] - sure[other]))
            slip = sure[seat] - before[seat]
            if slip:
                kept = card_set(
                    choice
                    for choice in members(CardSet(legal & ~BIT[card]))
                    if _keeps(
                        costs, limits, moment, choice, searches[seat], before[seat] - paid[seat]
                    )
                )
            sure = tuple(before)
        found.append(
            AnalysedCard(
                trick=number,
                place=place,
                seat=seat,
                card=card,
                before=sure[seat],
                slip=slip,
                kept=kept,
                legal=legal,
                gifts=tuple(gifts),
            )
        )
    return found[::-1], sure


def _legal_cards(limits: Restrictions, moment: Moment) -> CardSet:
    held = moment.hands[moment.turn]
    if moment.trick:
        return legal_follows(held, moment.trick[0], limits)
    return legal_leads(held, limits, broken=moment.broken)


def _keeps(
    costs: CostTable,
    limits: Restrictions,
    moment: Moment,
    card: Card,
    search: Guarantee,
    bound: int,
) -> bool:
    """Whether a card costs its seat no more than ``bound``, from here on."""
    after, cost = play_card(costs, limits, moment, card)
    return search.is_at_most(after, bound - cost[moment.turn])
