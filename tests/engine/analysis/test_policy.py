"""The playing policy: legal, blind to what its seat cannot know, and strong enough."""

from fractions import Fraction
from itertools import islice
from random import Random
from statistics import mean

import pytest

from engine.analysis.costs import cost_table
from engine.analysis.openings import Naming, choose_pass, value_naming
from engine.analysis.policy import choose_by_sampling, choose_by_thumb, cost_of_seat, value_cards
from engine.analysis.worlds import Position, sample_worlds
from engine.core.cards import (
    CARDS,
    PACK,
    SUIT_CARDS,
    CardSet,
    Suit,
    card,
    members,
    parse_cards,
    show,
)
from engine.record.facts import Facts
from engine.record.game_state import beginning
from engine.replay.play import restrictions
from engine.rules.presets import PRESETS
from tests.engine.analysis.bots import (
    TABLES,
    chance,
    first_lead,
    gains,
    play_on,
    position_of,
    sampler,
    thumb,
)
from tests.engine.table import seeded

STANDARD = PRESETS["standard"]
HEARTS = restrictions(STANDARD, Suit.HEARTS, 4)
COSTS = cost_table(STANDARD, beginning(STANDARD, 4), Facts(pain=Suit.HEARTS))


def late(hands: str, trick: str = "", taken: str = "- - - -") -> Position:
    """A late position of standard Hearts in which North is in turn, and hearts are broken.

    Hands and cards taken are by seat; what lies nowhere was played in tricks that cost nothing.
    """
    table = [int(card(name)) for name in trick.split()]
    held = [int(parse_cards(cards)) for cards in hands.split()]
    found = Position.begin(HEARTS, PACK, held, -len(table) % 4)
    found.trick, found.is_broken = table, True
    found.taken = [int(parse_cards(cards)) for cards in taken.split()]
    found.seen = PACK & ~sum(held)
    return found


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_bots_play_every_system_by_the_rules_of_the_table(name: str, players: int) -> None:
    dice = seeded(f"{name} {players}")
    bots = [thumb, sampler(2), chance, sampler(3, 0.5), thumb, sampler(2)][:players]
    for number in range(2):
        opened = first_lead(PRESETS[name], players, dice, number)
        table = cost_table(PRESETS[name], opened.before, opened.facts)
        taken = play_on(opened, bots, dice).taken
        costs = tuple(cost_of_seat(table, seat)(taken) for seat in range(players))
        assert costs == table.costs(taken)


@pytest.mark.parametrize("name", ["standard", "bicycle", "insurance"])
def test_a_choice_does_not_depend_on_cards_that_the_seat_cannot_see(name: str) -> None:
    dice = seeded(name)
    opened = first_lead(PRESETS[name], 4, dice)
    table = cost_table(PRESETS[name], opened.before, opened.facts)
    shown, hidden = position_of(opened), position_of(opened)
    while any(shown.hands):
        seat, seed = shown.turn, dice.random()
        hidden.hands = [own if other == seat else 0 for other, own in enumerate(shown.hands)]
        cost = cost_of_seat(table, seat)
        chosen = choose_by_sampling(shown, cost, Random(seed).random, 4)
        assert choose_by_sampling(hidden, cost, Random(seed).random, 4) == chosen
        assert choose_by_thumb(hidden) == choose_by_thumb(shown)
        shown.play(chosen)
        hidden.play(chosen)


@pytest.mark.parametrize(("name", "players"), [("standard", 4), ("insurance", 4), ("sahara", 5)])
def test_a_world_agrees_with_everything_that_its_seat_knows(name: str, players: int) -> None:
    dice = seeded(name)
    for _ in range(3):
        current = position_of(first_lead(PRESETS[name], players, dice))
        while any(current.hands):
            seat = current.turn
            for world in islice(sample_worlds(current, dice.random), 3):
                assert world[seat] == current.hands[seat]
                assert sum(world) == current.pack & ~current.seen
                for other, held in enumerate(world):
                    assert held.bit_count() == current.hands[other].bit_count()
                    if other != seat:
                        assert not held & current.voids[other]
                    assert not current.known[seat][other] & ~current.seen & ~held
            current.play(dice.choice(list(members(CardSet(current.legal)))))


def test_the_one_world_that_shown_voids_leave_is_found() -> None:
    current = late("C2D2 C3C4 D3H3 D4H4")
    suits = {suit: int(SUIT_CARDS[suit]) for suit in Suit}
    current.voids[1] = suits[Suit.DIAMONDS] | suits[Suit.HEARTS] | suits[Suit.SPADES]
    current.voids[2] = current.voids[3] = suits[Suit.CLUBS] | suits[Suit.SPADES]
    seen = {tuple(world) for world in islice(sample_worlds(current, Random(1).random), 200)}
    assert {world[1] for world in seen} == {int(parse_cards("C3C4"))}
    assert len(seen) == 6


def test_cards_are_moved_on_where_voids_leave_hardly_any_deal() -> None:
    """Each suit is open to two of the others, who have room for exactly what is left."""
    current = late("C2D2H2 C3C4D3 D4D5H3 H4H5C5")
    suits = {suit: int(SUIT_CARDS[suit]) for suit in Suit}
    current.voids[1:] = [
        suits[Suit.HEARTS] | suits[Suit.SPADES],
        suits[Suit.CLUBS] | suits[Suit.SPADES],
        suits[Suit.DIAMONDS] | suits[Suit.SPADES],
    ]
    for world in islice(sample_worlds(current, Random(2).random), 300):
        assert [held.bit_count() for held in world] == [3, 3, 3, 3]
        assert sum(world) == sum(current.hands)
        assert not any(held & void for held, void in zip(world, current.voids, strict=True))


def test_between_cards_that_touch_there_is_no_choice() -> None:
    current = late("H2H3H5SQSK HAC9D3D4S2 C3C4C5D5S3 C6C7C8D6D7", taken="- H4 - -")
    shown = [show(CardSet(cards)) for cards in current.choices]
    assert shown == ["H532", "SQ", "SK"]


def test_a_card_of_the_trick_still_separates_two_others() -> None:
    current = late("H7H9C3 C4D5D6 D2D3D4 D7D8", "H8")
    assert [show(CardSet(cards)) for cards in current.choices] == ["H7", "H9"]


@pytest.mark.parametrize(
    "hand", ["SA3 HKQ2 DKJ95 C9743", "SQJ2 H32 DAK95 CK743", "SAK HT862 DKJ5 C973"]
)
def test_low_hearts_are_not_passed_on(hand: str) -> None:
    passed = choose_pass(HEARTS, int(parse_cards(hand)), 3)
    assert passed.bit_count() == 3
    assert not passed & int(parse_cards("H2345"))


def test_the_queen_and_what_takes_her_are_passed_on_while_few_spades_guard_them() -> None:
    bare = choose_pass(HEARTS, int(parse_cards("SAQ3 H432 D9876 C543")), 3)
    assert bare & int(parse_cards("SAQ")) == int(parse_cards("SAQ"))
    guarded = choose_pass(HEARTS, int(parse_cards("SAQ5432 HAK2 D98 C54")), 3)
    assert not guarded & SUIT_CARDS[Suit.SPADES]


def test_last_in_hand_the_queen_is_left_to_another() -> None:
    current = late("CK2 D5 D7 D9", "CJ SQ C3", "- H65432 - HAKQJT987")
    assert CARDS[choose_by_thumb(current)] == card("C2")
    cost = cost_of_seat(COSTS, 0)
    assert CARDS[choose_by_sampling(current, cost, Random(1).random)] == card("C2")


def test_a_moon_is_stopped_by_whoever_can_take_a_heart() -> None:
    """East has taken all that counts but three hearts, and leads one of them; North is last."""
    current = late("HJ7 CA D3 D5", "H9 C3 C4", "- SQHAKQT865432 - -")
    cost = cost_of_seat(COSTS, 0)
    assert CARDS[choose_by_sampling(current, cost, Random(1).random)] == card("HJ")


def test_the_rule_of_thumb_beats_three_who_play_at_random() -> None:
    assert mean(gains(STANDARD, 4, thumb, chance, 50)) >= 4.5


@pytest.mark.slow
def test_sampling_beats_three_who_play_by_thumb() -> None:
    assert mean(gains(STANDARD, 4, sampler(30), thumb, 100)) >= 1.0


def test_a_suit_is_named_of_which_one_holds_only_low_cards() -> None:
    rules = PRESETS["bicycle"]
    tables = [
        (
            restrictions(rules, suit, 4),
            cost_table(rules, beginning(rules, 4), Facts(pain=suit)),
        )
        for suit in Suit
    ]
    hands = [
        int(parse_cards(cards))
        for cards in ("SAKJ9 HAQT8 DAKQJ C2", "ST87 HKJ9 DT98 CAK93", "SQ65 H765 D765 CQJT8", "")
    ]
    hands[3] = (1 << 52) - 1 & ~sum(hands)
    naming = value_naming(tables, hands, 0, None, Random(1).random)
    assert naming.suit is Suit.CLUBS
    assert naming.gain > 0


def test_a_bid_is_part_of_what_naming_is_worth_and_the_last_bids_no_more_than_needed() -> None:
    naming = Naming(Suit.CLUBS, Fraction(6))
    assert naming.choose_bid(1, Fraction(7, 10), is_last=False) == 5
    assert naming.choose_bid(3, Fraction(7, 10), is_last=True) == 3
    assert naming.choose_bid(6, Fraction(7, 10), is_last=True) == 0
    assert Naming(Suit.CLUBS, Fraction(-2)).choose_bid(1, Fraction(1), is_last=True) == 0


def test_all_choices_are_tried_in_the_same_worlds() -> None:
    opened = first_lead(STANDARD, 4, seeded("common"))
    current, cost = position_of(opened), cost_of_seat(COSTS, 0)
    while len(current.choices) < 2:
        current.play(choose_by_thumb(current))
    values = value_cards(current, cost, 7, Random(3).random)
    assert {len(costs) for costs in values.values()} == {7}
    assert values == value_cards(current, cost, 7, Random(3).random)
