"""A hand in the middle of the play as whole numbers, and the deals that a seat cannot exclude."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from ..core.cards import CARDS, FOLLOWING, SUIT_CARDS, CardSet
from ..replay.play import Restrictions, legal_follows, legal_leads

Dice = Callable[[], float]
"""Random numbers from 0 up to 1, such as `random.Random(seed).random`."""


@dataclass(slots=True)
class Position:
    """A hand between two cards. Seats are places at the table; lists are by seat.

    Cards are numbers and sets of cards bit masks, as everywhere; ``pack`` are all cards in play,
    ``seen`` those played so far, ``taken`` those won. ``voids`` are the suits that a seat has shown
    not to have, as all cards of them. ``known[seat][other]`` are cards of which ``seat`` knows
    that ``other`` held them at the first lead, because it passed them on or all saw them go there.
    """

    limits: Restrictions
    pack: int
    hands: list[int]
    leader: int
    known: Sequence[Sequence[int]]
    trick: list[int]
    taken: list[int]
    voids: list[int]
    seen: int = 0
    is_broken: bool = False

    @classmethod
    def begin(
        cls,
        limits: Restrictions,
        pack: int,
        hands: Sequence[int],
        leader: int,
        known: Sequence[Sequence[int]] = (),
    ) -> Self:
        """The position before the first lead; hands that nobody knows are 0."""
        players = len(hands)
        known = known or ((0,) * players,) * players
        return cls(limits, pack, list(hands), leader, known, [], [0] * players, [0] * players)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.hands)

    @property
    def turn(self) -> int:
        """The seat in turn."""
        return (self.leader + len(self.trick)) % len(self.hands)

    @property
    def is_first_trick(self) -> bool:
        """Whether the first trick is not complete."""
        return self.seen.bit_count() < len(self.hands)

    @property
    def best(self) -> int:
        """The card that wins the trick so far; -1 before the lead."""
        return max((c for c in self.trick if FOLLOWING[self.trick[0]] >> c & 1), default=-1)

    @property
    def legal(self) -> int:
        """The legal cards of the seat in turn."""
        hand, first = CardSet(self.hands[self.turn]), self.is_first_trick
        if self.trick:
            return legal_follows(hand, CARDS[self.trick[0]], self.limits, first=first)
        return legal_leads(hand, self.limits, first=first, broken=self.is_broken)

    @property
    def choices(self) -> list[int]:
        """The legal cards of the seat in turn, as sets of cards between which it has no choice.

        Two cards are equals when no card that others may hold or have in this trick is between
        them; a card that costs as no other of its suit has no equals.
        """
        legal, hand = self.legal, self.hands[self.turn]
        live = self.pack & ~self.seen | sum(1 << card for card in self.trick)
        single = self.limits.penalty & ~self.limits.pain
        runs: list[int] = []
        for suit in SUIT_CARDS:
            run, cards = 0, live & suit
            while cards:
                bit = cards & -cards
                cards ^= bit
                if not hand & bit or single & (bit | run):
                    runs.append(run)
                    run = 0
                run |= bit & hand
            runs.append(run)
        return [run & legal for run in runs if run & legal]

    def play(self, card: int) -> None:
        """Play a card of the seat in turn; the last one of a trick gives it to its winner."""
        seat, bit = self.turn, 1 << card
        if self.trick and not FOLLOWING[self.trick[0]] & bit:
            self.voids[seat] |= FOLLOWING[self.trick[0]]
        self.hands[seat] &= ~bit
        self.seen |= bit
        self.trick.append(card)
        if len(self.trick) == len(self.hands):
            self.leader = (self.leader + self.trick.index(self.best)) % len(self.hands)
            cards = sum(1 << played for played in self.trick)
            self.taken[self.leader] |= cards
            self.is_broken = self.is_broken or bool(cards & self.limits.breakers)
            self.trick = []


def sample_worlds(position: Position, dice: Dice) -> Iterator[list[int]]:
    """Endless hands of all seats that agree with what the seat in turn knows.

    Each is a deal of the cards that it has not seen: to the others, as many as they hold, none of
    a suit that they have shown not to have. Cards that few can hold are dealt first. The hands of
    the others in ``position`` are not looked at.
    """
    players, seat = len(position.hands), position.turn
    own, seats = position.hands[seat], range(len(position.hands))
    start = [cards & ~position.seen for cards in position.known[seat]]
    start[seat] = own
    played = {(position.leader + place) % players for place in range(len(position.trick))}
    rooms = [own.bit_count() - (s in played) - start[s].bit_count() for s in seats]
    rooms[seat] = 0
    unseen = position.pack & ~position.seen & ~sum(start)
    everybody = [s for s in seats if rooms[s]]
    bound: list[tuple[list[int], list[int]]] = []
    free: list[int] = []
    for suit in SUIT_CARDS:
        cards = [1 << card for card in range(52) if unseen & suit & 1 << card]
        holders = [s for s in everybody if not position.voids[s] & suit]
        if len(holders) == len(everybody):
            free += cards
        elif cards:
            bound.append((holders, cards))
    bound.sort(key=lambda group: len(group[0]))
    while True:
        hands, room = start[:], rooms[:]
        for holders, cards in bound:
            for bit in cards:
                at, to = int(dice() * sum([room[s] for s in holders])), -1
                for s in holders:
                    at -= room[s]
                    if at < 0:
                        to = s
                        break
                else:
                    to = _make_room(position.voids, start, hands, room, holders, set())
                hands[to] |= bit
                room[to] -= 1
        order, place = sorted(free, key=lambda _: dice()), 0
        for s in everybody:
            hands[s] |= sum(order[place : place + room[s]])
            place += room[s]
        yield hands


def _make_room(
    voids: list[int],
    fixed: list[int],
    hands: list[int],
    room: list[int],
    holders: Sequence[int],
    tried: set[int],
) -> int:
    """Return one of some full holders that has room after cards were moved on; -1 if none can."""
    for seat in holders:
        if room[seat]:
            return seat
    for seat in holders:
        if seat in tried:
            continue
        tried.add(seat)
        for suit in SUIT_CARDS:
            movable = hands[seat] & suit & ~fixed[seat]
            others = [s for s, void in enumerate(voids) if s not in tried and not void & suit]
            to = _make_room(voids, fixed, hands, room, others, tried) if movable else -1
            if to >= 0:
                bit = movable & -movable
                hands[seat] ^= bit
                hands[to] |= bit
                room[seat] += 1
                room[to] -= 1
                return seat
    return -1
