"""A playing policy: one rule of thumb for every card, and choices by sampling on top of it.

Bots of the rules lab play by it, and losses are measured with it. It plays every system at every
table, knows nothing that its seat may not know, and depends on its arguments and dice alone. Cards
and seats are numbers, sets of cards bit masks; a cost comes from outside, as a function of cards.

It tries for nothing that takes a plan (a moon, signals), except as far as the samples show it.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from ..core.cards import CARDS, FOLLOWING, QUEEN, QUEEN_SET, SUIT_CARDS, CardSet, Suit
from ..replay.play import Restrictions, legal_follows
from .costs import CostTable
from .worlds import Dice, Position, sample_worlds

Cost = Callable[[Sequence[int]], int]
"""The cost of a hand to one seat, from the cards that each seat has taken."""
Value = TypeVar("Value")

RANDOM_CARDS: Final = 0.05
"""The share of random cards with which a world is played out."""
WORLDS: Final = 30
"""In how many worlds a card is tried where nothing else is said."""
_ABOVE_QUEEN: Final = SUIT_CARDS[Suit.SPADES] & ~((2 << QUEEN) - 1)
BELOW_QUEEN: Final = SUIT_CARDS[Suit.SPADES] & ((1 << QUEEN) - 1)
GUARDS: Final = 4
"""With so many spades below the queen, the high spades are safe enough to keep."""


def choose_card(
    limits: Restrictions, hand: int, legal: int, out: int, best: int, *, is_last: bool
) -> int:
    """The rule of thumb: a card of a seat, from what it may know; among equals the lowest.

    ``out`` are the cards that it has not seen, ``best`` the card that wins the trick so far (-1
    on lead), ``is_last`` says that its card is the last one of the trick.
    """
    if best < 0:
        return _choose_lead(limits, hand, legal, out)
    follows = legal & FOLLOWING[best]
    if not follows:
        return _choose_discard(limits, hand, legal, out)
    return _choose_follow(limits, follows, best, is_last=is_last)


def _choose_follow(limits: Restrictions, follows: int, best: int, *, is_last: bool) -> int:
    """The highest card that stays below the best; else the last seat's highest, another's lowest.

    The queen is kept where another card can be played.
    """
    below = follows & (1 << best) - 1
    if below:
        return below.bit_length() - 1
    follows = follows & ~(limits.penalty & QUEEN_SET) or follows
    return follows.bit_length() - 1 if is_last else (follows & -follows).bit_length() - 1


def _choose_lead(limits: Restrictions, hand: int, legal: int, out: int) -> int:
    """The lowest card of the suit in which others are likeliest to have to go above it."""
    pain = limits.pain
    queen = (limits.penalty & ~pain) & (out | hand)
    chosen, least = -1, 1 << 20
    for suit in SUIT_CARDS:
        held = legal & suit
        if not held:
            continue
        low, unseen = held & -held, out & suit
        if unseen:
            lower = (unseen & (low - 1)).bit_count()
            danger = 9 * lower - 3 * unseen.bit_count() + 2 * held.bit_count()
        else:
            danger = 60 + 2 * held.bit_count()
        if pain & suit:
            danger += 6
        elif queen & suit and low >= queen:
            danger += 90
        if danger < least:
            chosen, least = low, danger
    return chosen.bit_length() - 1


def _choose_discard(limits: Restrictions, hand: int, legal: int, out: int) -> int:
    """A card to be rid of: the queen, what may take her, what costs, what may win tricks."""
    queen = limits.penalty & ~limits.pain
    if legal & queen:
        return QUEEN
    above = legal & _ABOVE_QUEEN
    if queen & out and above and (hand & BELOW_QUEEN).bit_count() < GUARDS:
        return above.bit_length() - 1
    costly, lowest = legal & limits.pain, out & limits.pain
    lowest &= -lowest
    if lowest and costly > lowest:
        return costly.bit_length() - 1
    chosen, most = -1, -1000
    for suit in SUIT_CARDS:
        held = legal & suit
        if held:
            high = held.bit_length() - 1
            danger = 4 * (out & suit & (1 << high) - 1).bit_count() - 3 * (hand & suit).bit_count()
            if danger > most:
                chosen, most = high, danger
    return chosen


def choose_by_thumb(position: Position) -> int:
    """The card of the seat in turn by the rule of thumb."""
    hand, is_last = position.hands[position.turn], len(position.trick) == position.players - 1
    out = position.pack & ~position.seen & ~hand
    legal = position.legal
    return choose_card(position.limits, hand, legal, out, position.best, is_last=is_last)


def play_out(  # noqa: C901, PLR0912 - the inner loop: calls would take longer than what they do
    position: Position,
    hands: list[int],
    card: int,
    dice: Dice,
    random_cards: float = RANDOM_CARDS,
) -> list[int]:
    """Return the cards that each seat takes when a card is played and all go on by thumb.

    ``hands`` are those of one world, with that card; they change. Stops when nobody holds a
    card that costs.
    """
    limits, players = position.limits, position.players
    penalty, unbroken, companions = limits.penalty, limits.unbroken_lead, limits.companions
    leader, taken, is_broken = position.leader, position.taken[:], position.is_broken
    is_first, seat, place = position.is_first_trick, position.turn, len(position.trick)
    live, best = sum(hands), position.best
    before = live | sum(1 << played for played in position.trick)
    winner = leader if best < 0 else (leader + position.trick.index(best)) % players
    while True:
        bit = 1 << card
        hands[seat] ^= bit
        live ^= bit
        if best < 0 or (card > best and FOLLOWING[best] & bit):
            best, winner = card, seat
        place += 1
        if place < players:
            seat = seat + 1 if seat + 1 < players else 0
        else:
            cards = before ^ live
            taken[winner] |= cards
            if not live & penalty:
                return taken
            is_broken = is_broken or bool(cards & limits.breakers)
            leader = seat = winner
            is_first, before, best, place = False, live, -1, 0
            if live.bit_count() == players:
                # Nobody has a choice in the last trick.
                best = (live & FOLLOWING[hands[seat].bit_length() - 1]).bit_length() - 1
                taken[next(s for s, held in enumerate(hands) if held >> best & 1)] |= live
                return taken
        hand = hands[seat]
        follows = 0
        if best >= 0:
            follows = hand & FOLLOWING[best]
            legal = follows or hand
            if is_first:
                legal = legal_follows(CardSet(hand), CARDS[best], limits, first=True)
        else:
            legal = hand if is_broken else hand & ~unbroken
            if not legal & ~companions:
                legal = hand
        if not legal & (legal - 1):
            card = legal.bit_length() - 1
        elif dice() < random_cards:
            for _ in range(int(dice() * legal.bit_count())):
                legal &= legal - 1
            card = (legal & -legal).bit_length() - 1
        elif follows:
            card = _choose_follow(limits, follows, best, is_last=place == players - 1)
        elif best < 0:
            card = _choose_lead(limits, hand, legal, live & ~hand)
        else:
            card = _choose_discard(limits, hand, legal, live & ~hand)


def value_cards(
    position: Position,
    value: Callable[[Sequence[int]], Value],
    worlds: int,
    dice: Dice,
    random_cards: float = RANDOM_CARDS,
) -> dict[int, list[Value]]:
    """The value of each choice of the seat in turn in so many worlds, which all choices share.

    ``value`` is that of a hand, such as its `Cost`, from the cards that each seat has taken. The
    keys are `Position.choices`.
    """
    choices = position.choices
    values: dict[int, list[Value]] = {cards: [] for cards in choices}
    for _, world in zip(range(worlds), sample_worlds(position, dice), strict=False):
        for cards in choices:
            card = (cards & -cards).bit_length() - 1
            values[cards].append(value(play_out(position, world[:], card, dice, random_cards)))
    return values


def choose_by_sampling(position: Position, cost: Cost, dice: Dice, worlds: int = WORLDS) -> int:
    """The card of the seat in turn that costs least in the mean of some worlds; else the lowest."""
    choices = position.choices
    costs = value_cards(position, cost, worlds, dice) if len(choices) > 1 else {}
    best = min(choices, key=lambda cards: sum(costs.get(cards, ())))
    return (best & -best).bit_length() - 1


def cost_of_seat(table: CostTable, seat: int) -> Cost:
    """The costs of one seat, as a function that is quicker than `CostTable.costs`."""
    weights, extra = table.weights[seat], [costs[seat] for costs in table.extra]
    kinds = [(kind, sum(1 << c for c, w in enumerate(weights) if w == kind)) for kind in {*weights}]
    kinds, counting = [(weight, cards) for weight, cards in kinds if weight], table.counting

    def cost(taken: Sequence[int]) -> int:
        mask, own = 0, taken[seat]
        for other, cards in enumerate(taken):
            if cards & counting:
                mask |= 1 << other
        total = extra[mask]
        for weight, cards in kinds:
            total += weight * (own & cards).bit_count()
        return total

    return cost
