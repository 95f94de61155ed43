"""Choices before the first lead: which cards to pass, which suit to name, how much to bid."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ..core.cards import FOLLOWING, QUEEN, SUIT_CARDS, Suit
from ..replay.play import Restrictions
from .costs import CostTable
from .policy import BELOW_QUEEN, GUARDS, WORLDS, choose_by_thumb, cost_of_seat, play_out
from .worlds import Dice, Position, sample_worlds


def choose_pass(limits: Restrictions, hand: int, count: int) -> int:
    """The cards to pass on: unguarded high spades, high hearts, high cards of short suits."""
    guards, queen = (hand & BELOW_QUEEN).bit_count(), limits.penalty & ~limits.pain
    dangers: list[tuple[int, int]] = []
    for card in range(52):
        if hand >> card & 1:
            suit, rank = FOLLOWING[card], card % 13
            danger = 3 * rank - 4 * (hand & suit).bit_count()
            if queen & suit:
                danger = 100 + (card == QUEEN) if card >= QUEEN and guards < GUARDS else -100
            elif limits.pain & suit:
                danger += 6 if rank > 6 else -20
            dangers.append((-danger, card))
    return sum(1 << card for _, card in sorted(dangers)[:count])


class Naming(NamedTuple):
    """The suit that is best to name, and what that saves the seat against another's naming."""

    suit: Suit
    gain: Fraction

    def choose_bid(self, least: int, shade: Fraction, *, is_last: bool) -> int:
        """Return the chips to bid, at least ``least``; 0 to pass.

        A bid comes back with about every fourth pot. Of the chips that naming is then worth, a
        ``shade`` is bid; by who is last to call, no more than the least.
        """
        most = int(self.gain * 4 / 3 * shade)
        return 0 if most < least else least if is_last else most


def value_naming(
    tables: Sequence[tuple[Restrictions, CostTable]],
    hands: Sequence[int],
    seat: int,
    leader: int | None,
    dice: Dice,
    worlds: int = WORLDS,
) -> Naming:
    """The worth to a seat of naming the pain suit, in chips or points.

    ``tables`` say by pain suit how it is played and costs, with the pot as it is before the bid;
    ``hands`` are looked at for the seat's own only. ``leader`` leads whoever names; None where the
    namer leads. Another names the suit that its cards would win fewest tricks in.
    """
    pack = sum(hands)
    costs = [cost_of_seat(table, seat) for _, table in tables]

    def play(world: list[int], namer: int, suit: int) -> int:
        position = Position.begin(tables[suit][0], pack, world, namer if leader is None else leader)
        return costs[suit](play_out(position, world[:], choose_by_thumb(position), dice))

    named, other = [0] * len(tables), 0
    start = Position.begin(tables[0][0], pack, hands, seat)
    for _, world in zip(range(worlds), sample_worlds(start, dice), strict=False):
        rival = (seat + 1 + int(dice() * (len(hands) - 1))) % len(hands)
        other += play(world, rival, choose_suit(world[rival], pack))
        for suit in range(len(tables)):
            named[suit] += play(world, seat, suit)
    best = min(range(len(tables)), key=named.__getitem__)
    return Naming(Suit(best), Fraction(other - named[best], worlds * tables[best][1].parts))


def choose_suit(hand: int, pack: int) -> Suit:
    """The suit to name by thumb: in which the fewest cards of others are below one's own."""
    dangers = []
    for suit in Suit:
        held, out = hand & SUIT_CARDS[suit], pack & ~hand & SUIT_CARDS[suit]
        cards = (card for card in range(52) if held >> card & 1)
        dangers.append((sum((out & (1 << card) - 1).bit_count() for card in cards), suit))
    return min(dangers)[1]
