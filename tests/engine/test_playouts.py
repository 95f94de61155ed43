"""All the ways in which a tiny hand can be played: counted twice, and frozen.

A pack of twelve cards (ten for five players) is dealt, and every legal playout is counted: by
stepping a `Hand` through them, and by a naive recursion over names of cards that shares nothing
with the engine. The numbers are written down, so that no change of the rules of play goes unseen.
"""

from collections.abc import Iterator

import pytest

from engine.core.cards import PACK, SUIT_OF_LETTER, CardSet, members, parse_cards, show
from engine.core.seats import Seat
from engine.live.hand import Hand, Phase, start
from engine.record.actions import Bid, Insure, NamePain, Play
from engine.rules.presets import PRESETS
from engine.rules.rules import Rules, change
from tests.engine.table import game, seeded, shuffled

SMALL = "C2C5C9D3D8DKH4HJHAS6SQSK"
SMALLER = "C2C5D3D8H4HJHAS6SQSK"
DEALS = 3


def tiny(preset: str) -> Rules:
    """The preset with a tiny pack, and nothing to do before the play but to bid and to name."""
    base = PRESETS[preset]
    rows = {
        players: show(CardSet(PACK & ~parse_cards(SMALLER if players == 5 else SMALL)))
        for players in range(3, 7)
    }
    strip = ",".join(f"{players}:{cards}" for players, cards in rows.items())
    off = {"passing": "none", "centre_auction": "off", "foot": "off"}
    return change(base, {"strip": strip, **off})


def hands(rules: Rules, players: int) -> Iterator[Hand]:
    """Some deals, ready for the first lead; where there is an auction, eldest names each suit."""
    for number in range(DEALS):
        dealt = shuffled(rules, players, seeded(f"tiny {players} {number}"), Seat(1))
        hand = start(rules, game(rules, players), dealt)
        while hand.phase is Phase.PAPERS:
            hand = hand.apply(Insure(hand.to_act[0], 0))
        while hand.phase is Phase.AUCTION:
            hand = hand.apply(Bid(hand.to_act[0], 1 if hand.turn == 1 else None))
        if hand.phase is Phase.NAMING:
            yield from (hand.apply(NamePain(Seat(1), suit)) for suit in SUIT_OF_LETTER.values())
        else:
            yield hand


def by_stepping(hand: Hand) -> tuple[int, int]:
    """How many playouts there are, and how many pain cards the first seat takes in all."""
    if hand.phase is not Phase.PLAY:
        return 1, hand.facts.taken[0]
    count = pain = 0
    assert hand.turn is not None
    for one in members(hand.legal_cards):
        more, taken = by_stepping(hand.apply(Play(hand.turn, one)))
        count, pain = count + more, pain + taken
    return count, pain


# The same, from the rules and without the engine.

ORDER = "23456789TJQKA"


class Naive:
    """A hand played with names of cards on lists, under the words of a rule sheet."""

    def __init__(self, house: dict[str, str], pain: str, pack: list[str]) -> None:
        self.house = house
        self.pain = pain
        clubs = sorted((one for one in pack if one[0] == "C"), key=lambda one: ORDER.index(one[1]))
        self.opening = clubs[0] if house["first_leader"] == "low_club" else None

    def costly(self, one: str) -> bool:
        return one[0] == self.pain or (self.house["queen"] == "on" and one == "SQ")

    def legal(self, held: list[str], trick: list[str], *, first: bool, broken: bool) -> list[str]:
        if trick:
            following = [one for one in held if one[0] == trick[0][0]]
            if following:
                return following
            ban = first and self.house["first_trick_penalty"] == "forbidden"
            return [one for one in held if not (ban and self.costly(one))] or held
        if first and self.opening in held:
            return [str(self.opening)]
        banned = []
        if self.house["pain_lead"] == "after_broken" and not broken:
            banned += [one for one in held if one[0] == self.pain]
        if first and self.house["first_trick_penalty"] == "forbidden":
            banned += [one for one in held if self.costly(one)]
        return [one for one in held if one not in banned] or held

    def breaks(self, one: str) -> bool:
        queen = self.house["broken_by"] == "heart_or_queen" and one == "SQ"
        return one[0] == self.pain or queen

    def count(
        self, held: list[list[str]], leader: int, trick: list[str], state: tuple[bool, bool, int]
    ) -> tuple[int, int]:
        """Playouts from here, and pain cards that the first seat takes in all of them."""
        first, broken, mine = state
        n = len(held)
        if not trick and not any(held):
            return 1, mine
        seat = (leader + len(trick)) % n
        count = pain = 0
        for one in self.legal(held[seat], trick, first=first, broken=broken):
            rest = [[card for card in cards if card != one] for cards in held]
            after = [*trick, one]
            now_broken = broken or self.breaks(one)
            if len(after) < n:
                more = self.count(rest, leader, after, (first, now_broken, mine))
            else:
                won = (leader + self.winner(after)) % n
                got = sum(card[0] == self.pain for card in after) if won == 0 else 0
                more = self.count(rest, won, [], (False, now_broken, mine + got))
            count, pain = count + more[0], pain + more[1]
        return count, pain

    def winner(self, trick: list[str]) -> int:
        following = [one for one in trick if one[0] == trick[0][0]]
        return trick.index(max(following, key=lambda one: ORDER.index(one[1])))


def by_name(hand: Hand) -> tuple[int, int]:
    """The same numbers from the naive recursion."""
    held = [[show(CardSet(1 << one)) for one in members(cards)] for cards in hand.holdings]
    assert hand.pain is not None
    pack = [one for cards in held for one in cards]
    naive = Naive(hand.rules.texts, hand.pain.letter, pack)
    holder = [seat for seat, cards in enumerate(held) if naive.opening in cards]
    leader = holder[0] if holder else 1
    return naive.count(held, leader, [], (True, False, 0))


FROZEN = {
    "bicycle-4": (2688, 426),
    "hoyle_hearts-3": (5924, 6260),
    "hoyle_hearts-4": (1720, 226),
    "hoyle_hearts-5": (68, 30),
    "hoyle_hearts-6": (48, 23),
    "hoyle_auction-3": (23696, 26514),
    "hoyle_auction-4": (6880, 1104),
    "hoyle_auction-5": (272, 100),
    "hoyle_auction-6": (192, 84),
    "insurance-4": (144, 185),
    "sahara-3": (392, 572),
    "sahara-4": (144, 185),
    "sahara-5": (9, 4),
    "auction_moon-4": (2688, 426),
    "standard-4": (144, 185),
    "howell-3": (5924, 6260),
    "howell-4": (1720, 226),
    "howell-5": (68, 30),
    "howell-6": (48, 23),
    "sweepstake-3": (5924, 6260),
    "sweepstake-4": (1720, 226),
    "sweepstake-5": (68, 30),
    "sweepstake-6": (48, 23),
}

LARGE = 2000
"""So many playouts at a table take a second or more."""
TABLES = [
    pytest.param(
        name,
        players,
        id=f"{name}-{players}",
        marks=pytest.mark.slow if FROZEN[f"{name}-{players}"][0] > LARGE else (),
    )
    for name, rules in PRESETS.items()
    for players in range(rules.players.least, rules.players.most + 1)
]


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_the_playouts_are_as_many_as_ever_and_as_a_naive_recursion_counts(
    preset: str, players: int
) -> None:
    counts = []
    for hand in hands(tiny(preset), players):
        counts.append(by_stepping(hand))
        assert counts[-1] == by_name(hand)
    assert tuple(map(sum, zip(*counts, strict=True))) == FROZEN[f"{preset}-{players}"]
