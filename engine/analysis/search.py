"""The least cost that a seat can be sure of, all hands open and the other seats united against it.

A minimax search over the last tricks of a hand (rules.md K5, A6, D5). It works on plain numbers:
cards are bits, a seat's cost comes from its `CostTable`. It counts the positions it looks at
and stops when its budget is spent, so the same question has the same answer on every machine.
"""

from dataclasses import dataclass
from typing import Final

from ..core.cards import BIT, CARDS, FOLLOWING, SUIT_CARDS, Card, CardSet
from ..replay.play import Restrictions
from .costs import CostTable

_INFINITE: Final = 1 << 30


class BudgetSpentError(Exception):
    """The search has looked at as many positions as it may."""


@dataclass(slots=True)
class Budget:
    """The number of positions that searches may still look at, together."""

    nodes: int


@dataclass(frozen=True, slots=True)
class Moment:
    """A position between two plays after the first trick.

    ``hands`` are the cards held now, ``trick`` those on the table in order of play, led by
    ``leader``. Bit s of ``mask`` is set where seat s has taken a counting card.
    """

    hands: tuple[CardSet, ...]
    leader: int
    mask: int
    broken: bool
    trick: tuple[Card, ...] = ()

    @property
    def turn(self) -> int:
        """The seat that plays next."""
        return (self.leader + len(self.trick)) % len(self.hands)


class Guarantee:
    """Searches for one seat; what it learns about a position serves all that follow.

    A cost counts what the seat takes from a position on, and what the whole hand adds to that.
    """

    def __init__(self, costs: CostTable, limits: Restrictions, seat: int, budget: Budget) -> None:
        self._seat = seat
        self._budget = budget
        self._players = costs.players
        self._counting = costs.counting
        self._weights = costs.weights[seat]
        self._unbroken, self._companions = limits.unbroken_lead, limits.companions
        counting, breakers = costs.counting, limits.breakers
        self._flags = tuple(
            (1 if BIT[card] & counting else 0) | (2 if BIT[card] & breakers else 0)
            for card in CARDS
        )
        masks = range(1 << costs.players)
        extra = [costs.extra[mask][seat] for mask in masks]
        self._extra = extra
        # What the masks that can come of a mask still add, at least and at most.
        later = [sorted({mask | more for more in masks} - {0}) for mask in masks]
        self._low = [min(extra[mask] for mask in after) for after in later]
        self._high = [max(extra[mask] for mask in after) for after in later]
        # Masks of which the same comes, whatever is taken from now on, are one.
        same: dict[tuple[int, ...], int] = {}
        self._alike = [
            same.setdefault(tuple(extra[mask | more] for more in masks[1:]), mask) for mask in masks
        ]
        self._known: dict[tuple[int, ...], tuple[int, int, int]] = {}
        self._runs: tuple[dict[int, tuple[int, ...]], ...] = ({}, {}, {}, {})
        self._most: dict[int, tuple[int, int]] = {}
        self._hands: list[int] = []

    def find(self, moment: Moment, *, least: int = -_INFINITE, most: int = _INFINITE) -> int:
        """Return the least cost that the seat can be sure of, known to be in a range.

        Raises BudgetSpentError.
        """
        value = least if least > -_INFINITE else most if most < _INFINITE else 0
        while least < most:
            bound = value + 1 if value == least else value
            value = self._search(moment, bound)
            if value < bound:
                most = value
            else:
                least = value
        return most

    def is_at_most(self, moment: Moment, bound: int) -> bool:
        """Whether the seat can be sure of a cost of ``bound`` or less. Raises BudgetSpentError."""
        return self._search(moment, bound + 1) <= bound

    def _search(self, moment: Moment, bound: int) -> int:
        """A value below ``bound`` if the cost is below it, and one that is not if it is not."""
        self._hands = list(moment.hands)
        trick = moment.trick
        if not trick:
            return self._lead(moment.leader, moment.mask, moment.broken, bound)
        live = 0
        for held in (*moment.hands, *(BIT[card] for card in trick)):
            live |= held
        led, top, place = FOLLOWING[trick[0]], trick[0], 0
        pile = flags = 0
        for number, card in enumerate(trick):
            if BIT[card] & led and card > top:
                top, place = card, number
            pile += self._weights[card]
            flags |= self._flags[card]
        winner = (moment.leader + place) % self._players
        broken = moment.broken | flags >> 1
        return self._follow(
            moment.turn, len(trick), led, top, winner, pile, flags, moment.mask, broken, live, bound
        )

    def _lead(self, leader: int, mask: int, broken: int, bound: int) -> int:
        """The value at the beginning of a trick, against ``bound``, without a search if it can."""
        hands = self._hands
        live = 0
        for held in hands:
            live |= held
        rest = live & self._counting
        if not rest:
            return self._extra[mask]
        held = hands[leader]
        if not held & (held - 1):
            return self._last_trick(leader, mask, live)
        mask = self._alike[mask]
        key = (*hands, (mask * self._players + leader) * 2 + broken)
        known = self._known.get(key)
        if known is None:
            least, most = self._range(rest)
            known = least + self._low[mask], most + self._high[mask], -1
        least, most, promising = known
        if least >= bound:
            return least
        if most < bound:
            return most
        value, best = self._best_lead(leader, mask, broken, live, bound, promising)
        if value < bound:
            self._known[key] = (least, min(most, value), best)
        else:
            self._known[key] = (max(least, value), most, best)
        return value

    def _best_lead(
        self, leader: int, mask: int, broken: int, live: int, bound: int, promising: int
    ) -> tuple[int, int]:
        """The value of the best lead, or of the first that is good enough, and its card."""
        if not self._budget.nodes:
            raise BudgetSpentError
        self._budget.nodes -= 1
        hands, mine, follower = self._hands, leader == self._seat, (leader + 1) % self._players
        held = hands[leader]
        legal = held
        if not broken and held & ~self._unbroken & ~self._companions:
            legal = held & ~self._unbroken
        cards = self._distinct(legal, live)
        if promising >= 0:
            cards.remove(promising)
            cards.insert(0, promising)
        value, best = _INFINITE if mine else -_INFINITE, -1
        for card in cards:
            hands[leader] = held ^ (1 << card)
            flags = self._flags[card]
            found = self._follow(
                follower, 1, FOLLOWING[card], card, leader, self._weights[card], flags, mask,
                broken | flags >> 1, live, bound,
            )  # fmt: skip
            if found < value if mine else found > value:
                value, best = found, card
                if value < bound if mine else value >= bound:
                    break
        hands[leader] = held
        return value, best

    def _last_trick(self, leader: int, mask: int, live: int) -> int:
        """The cost of the last trick, in which nobody has a choice."""
        hands = self._hands
        top = 1 << (live & FOLLOWING[hands[leader].bit_length() - 1]).bit_length() - 1
        winner = hands.index(top)
        cost = self._extra[mask | 1 << winner]
        if winner == self._seat:
            for held in hands:
                cost += self._weights[held.bit_length() - 1]
        return cost

    def _follow(  # noqa: PLR0913, PLR0917 - the trick, spread out: this is the inner loop
        self,
        seat: int,
        place: int,
        led: int,
        top: int,
        winner: int,
        pile: int,
        flags: int,
        mask: int,
        broken: int,
        live: int,
        bound: int,
    ) -> int:
        """The value inside a trick, where ``seat`` plays its card number ``place``."""
        if not self._budget.nodes:
            raise BudgetSpentError
        self._budget.nodes -= 1
        hands, players, me = self._hands, self._players, self._seat
        held = hands[seat]
        follows = held & led
        if held & (held - 1):
            cards = self._distinct(follows or held, live)
            if len(cards) > 1:
                cards = self._ordered(cards, seat, place, top if follows else -1, winner)
        else:
            cards = [held.bit_length() - 1]
        mine, last = seat == me, place + 1 == players
        weights, all_flags, follower = self._weights, self._flags, (seat + 1) % players
        value = _INFINITE if mine else -_INFINITE
        for card in cards:
            hands[seat] = held ^ (1 << card)
            now = flags | all_flags[card]
            total = pile + weights[card]
            beats = follows and card > top
            taker = seat if beats else winner
            if last:
                cost = total if taker == me else 0
                taken = mask | 1 << taker if now & 1 else mask
                found = cost + self._lead(taker, taken, broken | now >> 1, bound - cost)
            else:
                found = self._follow(
                    follower, place + 1, led, card if beats else top, taker, total, now, mask,
                    broken | now >> 1, live, bound,
                )  # fmt: skip
            if mine:
                if found < value:
                    value = found
                    if value < bound:
                        break
            elif found > value:
                value = found
                if value >= bound:
                    break
        hands[seat] = held
        return value

    def _range(self, rest: int) -> tuple[int, int]:
        """The least and the most that the counting cards still out can cost the seat."""
        known = self._most.get(rest)
        if known is None:
            weights = [self._weights[card] for card in CARDS if rest >> card & 1]
            known = sum(min(w, 0) for w in weights), sum(max(w, 0) for w in weights)
            self._most[rest] = known
        return known

    def _distinct(self, cards: int, live: int) -> list[int]:
        """One card of each run of equals: nobody else has a card between, and all cost the same."""
        found: list[int] = []
        for suit, runs in enumerate(self._runs):
            held = cards & SUIT_CARDS[suit]
            if held:
                out = live & SUIT_CARDS[suit]
                known = runs.get(held << 52 | out)
                if known is None:
                    known = runs[held << 52 | out] = self._one_of_each(held, out)
                found.extend(known)
        return found

    def _one_of_each(self, held: int, out: int) -> tuple[int, ...]:
        """The lowest card of each run of equals in one suit."""
        found: list[int] = []
        previous: tuple[int, int] | None = None
        for card in CARDS:
            if not out >> card & 1:
                continue
            kind = (self._weights[card], self._flags[card])
            if not held >> card & 1:
                previous = None
            elif kind != previous:
                found.append(card)
                previous = kind
        return tuple(found)

    def _ordered(self, cards: list[int], seat: int, place: int, top: int, winner: int) -> list[int]:
        """Cards in the order of how much they promise; it changes the work, never the answer."""
        weights, me = self._weights, self._seat
        if top < 0:  # a discard
            if me in (seat, winner):
                return sorted(cards, key=lambda card: (-weights[card], -(card % 13)))
            return sorted(cards, key=lambda card: (weights[card], -(card % 13)))
        below = [card for card in cards if card < top]
        above = [card for card in cards if card > top]
        if seat == me:
            below.reverse()
        elif winner == me:
            below.sort(key=lambda card: -weights[card])
        elif (me - seat) % self._players >= self._players - place:
            # The seat has played and does not win: high cards are best got rid of now.
            return cards[::-1]
        return below + above
