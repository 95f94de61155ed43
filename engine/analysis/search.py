"""The least cost that a seat can be sure of, all hands open and the other seats united against it.

A minimax search over the last tricks of a hand (rules.md K5, A6, D5). It works on plain numbers:
cards are bits, a seat's cost comes from its `CostTable`. It counts the positions it looks at
and stops when its budget is spent, so the same question has the same answer on every machine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from ..core.cards import BIT, CARDS, FOLLOWING, SUIT_CARDS, Card, CardSet, members
from ..replay.play import Restrictions
from .costs import CostTable

_INFINITE: Final = 1 << 30
_CODES_KEPT: Final = (1 << 16) - 4 * (1 << 13)
"""More codes of how suits lie are not kept for another deal."""
_Slot = tuple[int, int, bool]
"""The seat in turn, the suit that was led, and whether the seat follows."""


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
        others = [
            [mask for mask in after if not (mask ^ before) >> seat & 1]
            for before, after in enumerate(later)
        ]
        self._high_of_others = [max((extra[mask] for mask in after), default=0) for after in others]
        # Masks of which the same comes, whatever is taken from now on, are one.
        same: dict[tuple[int, ...], int] = {}
        self._alike = [
            same.setdefault(tuple(extra[mask | more] for more in masks[1:]), mask) for mask in masks
        ]
        self._odd = self._find_odd_cards()
        self._deal = (0,) * costs.players
        self._numbers: dict[tuple[int, ...], int] = {}
        self._codes: tuple[tuple[int, dict[int, int]], ...] = tuple((s, {}) for s in SUIT_CARDS)
        self._known: dict[int, tuple[int, int, int]] = {}
        self._runs: dict[int, tuple[int, ...]] = {}
        self._most: dict[int, tuple[int, int]] = {}
        self._killers: dict[_Slot, int] = {}
        # Places in the order of discards: dear cards on its own trick, cheap ones on another's.
        weights = self._weights
        self._dear = _rank(lambda card: (-weights[card], -(card % 13)))
        self._cheap = _rank(lambda card: (weights[card], -(card % 13)))
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
        self._follow_deal(moment.hands)
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

    def _follow_deal(self, hands: Sequence[int]) -> None:
        """Forget how suits lie where these hands are of another deal than those before.

        A code has 16 bits in `_lead`. The four suits of a deal need at most 4 * 2**13 codes, so
        codes and positions are forgotten, too, where fewer are left.
        """
        deal = tuple(one | held for one, held in zip(self._deal, hands, strict=True))
        if sum(map(int.bit_count, deal)) != reduce(or_, deal).bit_count():
            deal = tuple(hands)
            for _, codes in self._codes:
                codes.clear()
            if len(self._numbers) >= _CODES_KEPT:
                self._numbers.clear()
                self._known.clear()
        self._deal = deal

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
        key = (mask * self._players + leader) * 2 + broken
        for suit, codes in self._codes:
            out = live & suit
            if out:
                code = codes.get(out)
                key = key << 16 | (code or self._code_of(codes, out))
            else:
                key <<= 16
        known = self._known.get(key)
        if known is None:
            known = self._first_bounds(leader, mask, live, rest)
            self._known[key] = known
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
        cards = self._choices(legal, live, 0)
        places = list(range(len(cards)))
        if promising >= 0:
            places.remove(promising)
            places.insert(0, promising)
        value, best = _INFINITE if mine else -_INFINITE, -1
        for at in places:
            card = cards[at]
            hands[leader] = held ^ (1 << card)
            flags = self._flags[card]
            found = self._follow(
                follower, 1, FOLLOWING[card], card, leader, self._weights[card], flags, mask,
                broken | flags >> 1, live, bound,
            )  # fmt: skip
            if found < value if mine else found > value:
                value, best = found, at
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
        slot = (seat, led, follows != 0)
        cards = self._choices(follows or held, live, led if follows else 0)
        if len(cards) > 1:
            cards = self._ordered(cards, slot, place, top if follows else -1, winner)
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
            if found < value if mine else found > value:
                value = found
                if value < bound if mine else value >= bound:
                    if len(cards) > 1:
                        self._killers[slot] = card
                    break
        hands[seat] = held
        return value

    def _find_odd_cards(self) -> int:
        """The cards that are not as most of their suit are: the queen, where she alone costs."""
        odd = 0
        for suit in SUIT_CARDS:
            kinds: dict[tuple[int, ...], int] = {}
            for card in members(suit):
                sets = (self._unbroken, self._companions)
                kind = (self._weights[card], self._flags[card], *(one >> card & 1 for one in sets))
                kinds[kind] = kinds.get(kind, 0) | BIT[card]
            odd |= suit & ~max(kinds.values(), key=int.bit_count)
        return odd

    def _code_of(self, codes: dict[int, int], out: int) -> int:
        """Return the code of a distribution of a suit's cards that are out, above 0.

        It says which seat holds the lowest of them, the next, and so on, and which are the odd
        cards. Ranks are left out: suits that lie alike have the same code.
        """
        places = [card for card in CARDS if out >> card & 1]
        lie = tuple(
            sum(1 << at for at, card in enumerate(places) if held >> card & 1)
            for held in (*self._hands, self._odd)
        )
        codes[out] = code = self._numbers.setdefault(lie, len(self._numbers) + 1)
        return code

    def _first_bounds(self, leader: int, mask: int, live: int, rest: int) -> tuple[int, int, int]:
        """Bounds of a position before it is searched, and -1: no lead promises more than others."""
        mine, most = self._hands[self._seat], self._range(rest)[1]
        others = live & ~mine
        if leader == self._seat and _wins_all(mine, others):
            everything = sum(self._weights[card] for card in CARDS if rest >> card & 1)
            everything += self._extra[mask | 1 << self._seat]
            return everything, everything, -1
        most += self._high[mask]
        if leader != self._seat and _can_duck(mine, others):
            most = min(most, self._high_of_others[mask])
        return self._range(rest)[0] + self._low[mask], most, -1

    def _range(self, rest: int) -> tuple[int, int]:
        """The least and the most that the counting cards still out can cost the seat."""
        known = self._most.get(rest)
        if known is None:
            weights = [self._weights[card] for card in CARDS if rest >> card & 1]
            known = sum(min(w, 0) for w in weights), sum(max(w, 0) for w in weights)
            self._most[rest] = known
        return known

    def _choices(self, cards: int, live: int, suit: int) -> Sequence[int]:
        """One card of each run of equals: nobody else has a card between, and all cost the same.

        ``suit`` are all cards of their suit, or 0 where they may be of several.
        """
        if not cards & (cards - 1):
            return (cards.bit_length() - 1,)
        if suit:
            out = live & suit
            return self._runs.get(cards << 52 | out) or self._find_runs(cards, out)
        found: list[int] = []
        for one in SUIT_CARDS:
            held = cards & one
            if held:
                out = live & one
                found += self._runs.get(held << 52 | out) or self._find_runs(held, out)
        return found

    def _find_runs(self, held: int, out: int) -> tuple[int, ...]:
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
        self._runs[held << 52 | out] = known = tuple(found)
        return known

    def _ordered(
        self, cards: Sequence[int], slot: _Slot, place: int, top: int, winner: int
    ) -> Sequence[int]:
        """Cards in the order of how much they promise; it changes the work, never the answer.

        What was good enough the last time in this ``slot`` comes first.
        """
        seat, me = slot[0], self._seat
        if top < 0:  # a discard
            promise = self._dear if me in (seat, winner) else self._cheap
            order = sorted(cards, key=promise.__getitem__)
        else:
            below = [card for card in cards if card < top]
            above = [card for card in cards if card > top]
            if seat == me:
                below.reverse()
            elif winner == me:
                below.sort(key=self._weights.__getitem__, reverse=True)
            order = below + above
            if me not in (seat, winner) and (me - seat) % self._players >= self._players - place:
                # The seat has played and does not win: high cards are best got rid of now.
                order.reverse()
        killer = self._killers.get(slot, -1)
        if killer in cards:
            order.remove(killer)
            order.insert(0, killer)
        return order


def _rank(promise: Callable[[int], tuple[int, int]]) -> list[int]:
    """The place of each card among all by what it promises."""
    order = sorted(CARDS, key=promise)
    return [order.index(card) for card in CARDS]


def _wins_all(mine: int, others: int) -> bool:
    """Whether who leads with these cards wins all tricks, against all cards of the others."""
    return all(
        not mine & suit or others & suit < (mine & suit) & -(mine & suit) for suit in SUIT_CARDS
    )


def _can_duck(mine: int, others: int) -> bool:
    """Whether who does not lead can lose all tricks with these cards, whatever the others play.

    So it is where in every suit the lowest card is below the lowest of the others, the next below
    their next, and so on, as far as both go: then this is so after every trick again.
    """
    for suit in SUIT_CARDS:
        held, out = mine & suit, others & suit
        while held and out:
            low, least = held & -held, out & -out
            if low > least:
                return False
            held ^= low
            out ^= least
    return True
