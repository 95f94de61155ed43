"""Loss by decisions: what each card that a seat chose cost it, by sampling from what it knew.

For every card with a choice, worlds are drawn that agree with what the seat knew, and every choice
is played out in each of them by the rule of thumb of `policy`. The best choice is found in the
first half of the worlds, and the loss measured in the other half: so nothing is lost by noise
alone, and a loss can be slightly negative. The judge is a program with a style: a player who sees
more than it does is told that they erred. Nothing here is for rankings.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Final

from ..core.cards import QUEEN_SET, Card, CardSet
from ..core.seats import Seat
from ..replay.play import restrictions
from ..replay.replay import Replay
from .costs import CostTable, Measure, hand_costs
from .policy import cost_of_seat, value_cards
from .worlds import Dice, Position

JUDGE: Final = 1
"""The number of the judge: another one may find other losses in the same hands."""
HALF: Final = 50
"""In how many worlds the best choice is found, and in how many others a loss is measured."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of a sample, with its standard error."""

    mean: Fraction
    error: float

    @property
    def is_clear(self) -> bool:
        """Whether it is above 0 by more than two standard errors."""
        return self.mean > 2 * self.error


@dataclass(frozen=True, slots=True)
class ChoiceOutcome:
    """A choice and its outcome: a set of equal cards, or the only one.

    The hand's ``cost``, and by how much it is more than the best choice's (``excess``). Of all
    ``deals`` in which it was tried, the seat took a queen of spades that costs in ``queens``, and
    no card that costs in ``clean``; ``taken`` are the cards that cost in all of them together.
    """

    cards: CardSet
    cost: Estimate
    excess: Estimate
    deals: int
    queens: int
    clean: int
    taken: int


@dataclass(frozen=True, slots=True)
class CardLoss:
    """The loss by one card: more points or chips than the choice that looked best.

    ``place`` is the card's place in order of play, from 0. Of all ``choices`` the one that looked
    best comes first.
    """

    place: int
    card: Card
    choices: tuple[ChoiceOutcome, ...]

    @property
    def chosen(self) -> ChoiceOutcome:
        """The choice that the card was."""
        return next(choice for choice in self.choices if choice.cards >> self.card & 1)

    @property
    def loss(self) -> Estimate:
        """The loss, 0 where the card or its equal was the best."""
        return self.chosen.excess


@dataclass(frozen=True, slots=True)
class SeatLosses:
    """The losses of one seat in a hand, in the order of its cards; their sum is ``total``.

    Cards without a choice have none. ``judged`` cards of the hand, in order of play, were looked
    at: up to the first irregular card, a claim or the end.
    """

    seat: Seat
    measure: Measure
    total: Estimate
    cards: tuple[CardLoss, ...]
    judged: int


def find_losses(hand: Replay, seat: Seat, *, half: int = HALF, seed: str = "losses") -> SeatLosses:
    """The cost of the cards of a seat in a judged hand; the same for the same arguments.

    Raises ValueError for a hand of which not all cards at the first lead, or no pain suit, are
    known.
    """
    table = hand_costs(hand)
    losses: list[CardLoss] = []
    judged = 0
    for position, card in walk_play(hand):
        if position.turn == seat and len(position.choices) > 1:
            dice = Random(f"{seed} {seat} {judged}").random  # noqa: S311 - no secret
            choices = compare_choices(position, table, half, dice)
            losses.append(CardLoss(judged, card, choices))
        judged += 1
    total = Estimate(
        sum((loss.loss.mean for loss in losses), Fraction(0)),
        sqrt(sum(loss.loss.error**2 for loss in losses)),
    )
    return SeatLosses(seat, table.measure, total, tuple(losses), judged)


def knows_all_cards(hand: Replay) -> bool:
    """Whether a judged hand can be analysed: all cards at the first lead and the pain suit."""
    players = hand.before.players
    size, held = hand.rules.tricks(players), hand.held or ()
    is_whole = sum(held) == hand.rules.pack(players) and {*map(int.bit_count, held)} == {size}
    return is_whole and hand.facts.pain is not None


def walk_play(hand: Replay) -> Iterator[tuple[Position, Card]]:
    """The position before each card of a judged hand, and the card; one position, which changes.

    Ends before the first irregular card or a claim. Raises ValueError where not all cards at the
    first lead are known.
    """
    held, players = hand.held, hand.before.players
    if not knows_all_cards(hand) or held is None or hand.facts.pain is None:
        raise ValueError("not all cards at the first lead are known")
    pack = hand.rules.pack(players)
    limits = restrictions(hand.rules, hand.facts.pain, players)
    leader = hand.tricks[0].leader if hand.tricks else Seat(0)
    position = Position.begin(limits, pack, held, leader, _find_known_cards(hand, held))
    cards = [card for trick in hand.tricks for card in trick.cards]
    for card in cards[: hand.good]:
        if not position.legal >> card & 1:
            return
        yield position, card
        position.play(card)


def _find_known_cards(hand: Replay, held: Sequence[CardSet]) -> list[list[int]]:
    """By seat, the cards that it knows others to hold: those it passed, and from the centre."""
    seats = range(len(held))
    known = [[holding & hand.record.centre for holding in held] for _ in seats]
    for passed in hand.record.exchange or ():
        known[passed.seat][passed.to] |= passed.cards & held[passed.to]
    return known


def compare_choices(
    position: Position, table: CostTable, half: int, dice: Dice
) -> tuple[ChoiceOutcome, ...]:
    """The choices of the seat in turn, the one first that costs least in ``half`` of the worlds.

    What each costs, and the differences, are those of as many further worlds.
    """
    seat = position.turn
    cost, counting = cost_of_seat(table, seat), table.counting
    queen = QUEEN_SET & counting & ~position.limits.pain

    def look(taken: Sequence[int]) -> tuple[int, int]:
        return cost(taken), taken[seat] & counting

    values = value_cards(position, look, 2 * half, dice)
    best = min(values, key=lambda cards: sum(cost for cost, _ in values[cards][:half]))
    least = [cost for cost, _ in values[best][half:]]
    found = []
    for cards, sample in values.items():
        costs, won = [cost for cost, _ in sample[half:]], [taken for _, taken in sample]
        excess = [cost - low for cost, low in zip(costs, least, strict=True)]
        outcome = ChoiceOutcome(
            CardSet(cards),
            _estimate(costs, table.parts),
            _estimate(excess, table.parts),
            deals=len(won),
            queens=sum(1 for taken in won if taken & queen),
            clean=won.count(0),
            taken=sum(map(int.bit_count, won)),
        )
        found.append((cards != best, outcome.excess.mean, outcome))
    return tuple(outcome for _, _, outcome in sorted(found, key=lambda row: row[:2]))


def _estimate(sample: Sequence[int], parts: int) -> Estimate:
    """The mean of a sample of whole numbers of 1/``parts``."""
    size, total = len(sample), sum(sample)
    spread = size * sum(value * value for value in sample) - total * total
    error = sqrt(spread / max(size - 1, 1)) / (size * parts)
    return Estimate(Fraction(total, size * parts), error)
