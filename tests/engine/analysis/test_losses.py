"""Losses by decisions: exact where all is known, blind to labels, and of regular cards only."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from math import hypot
from random import Random
from statistics import mean, stdev

import pytest

from engine.analysis.losses import Estimate, SeatLosses, compare_choices, find_losses, walk_play
from engine.analysis.policy import choose_by_thumb, cost_of_seat, value_cards
from engine.core.cards import CARDS, SUIT_CARDS, Card, CardSet, Suit
from engine.core.seats import Seat
from engine.live.hand import Hand, start
from engine.record.actions import Deal, Play
from engine.record.game_state import beginning
from engine.record.record import Claim, Ending, HandRecord
from engine.replay.replay import Replay, replay
from engine.rules.presets import PRESETS
from tests.engine.analysis.bots import TABLES, chance, first_lead, play_on, sampler, thumb
from tests.engine.analysis.test_policy import COSTS, late
from tests.engine.table import record_of, seeded


def some_record(name: str, seed: str = "") -> HandRecord:
    """A hand that two bots and two who play at random played."""
    dice = seeded(f"{name} {seed}")
    return record_of(play_on(first_lead(PRESETS[name], 4, dice), [thumb, chance] * 2, dice))


def all_losses(hand: Replay, half: int = 10) -> list[SeatLosses]:
    return [find_losses(hand, Seat(seat), half=half) for seat in range(hand.before.players)]


def test_where_a_seat_knows_all_cards_its_loss_is_the_difference_of_two_playouts() -> None:
    """North is last with C2 and CK; the others have one card each, and one deal is possible."""
    current = late("CK2 D5 H7 S9", "CJ SQ C3", "- H65432 - HAKQJT98")
    for seat, suit in ((1, Suit.DIAMONDS), (2, Suit.HEARTS), (3, Suit.SPADES)):
        current.voids[seat] = sum(SUIT_CARDS) & ~SUIT_CARDS[suit]
    best, worse = compare_choices(current, COSTS, 5, Random(1).random)
    assert [best.cards, worse.cards] == [1 << CARDS[0], 1 << CARDS[11]]
    assert best.excess == Estimate(Fraction(0), 0)
    assert worse.excess == Estimate(Fraction(14), 0)  # the queen, and a heart after her
    assert (best.deals, best.queens, best.clean, best.taken) == (10, 0, 10, 0)
    assert (worse.queens, worse.clean, worse.taken) == (10, 0, 20)


def test_without_chance_a_known_deal_is_worth_what_the_rule_of_thumb_makes_of_it() -> None:
    current = late("S2CK2 C345 H432 D345", taken="- SQ - HAKQJT98765")
    for seat, suit in ((1, Suit.CLUBS), (2, Suit.HEARTS), (3, Suit.DIAMONDS)):
        current.voids[seat] = sum(SUIT_CARDS) & ~SUIT_CARDS[suit]
    cost = cost_of_seat(COSTS, 0)
    values = value_cards(current, cost, 4, Random(1).random, random_cards=0)
    for cards, sample in values.items():
        played = deepcopy(current)
        played.play(cards.bit_length() - 1)
        while any(played.hands):
            played.play(choose_by_thumb(played))
        assert set(sample) == {cost(played.taken)}


def moved(hand: Hand, cards: Sequence[Card]) -> Replay:
    """A hand with everybody one seat further on, and other cards for its cards."""
    place = {card: cards.index(card) for card in CARDS}
    before = beginning(hand.rules, 4, Seat((hand.before.dealer + 1) % 4))
    holdings = [sum(1 << place[card] for card in CARDS if held >> card & 1) for held in hand.dealt]
    dealt = Deal(tuple(map(CardSet, holdings[-1:] + holdings[:-1])))
    other = start(hand.rules, before, dealt)
    for trick in hand.tricks:
        for card in trick.cards:
            assert other.turn is not None
            other = other.apply(Play(other.turn, CARDS[place[card]]))
    return replay(record_of(other), hand.rules, before)


def test_other_seats_and_suits_change_nothing_but_noise() -> None:
    dice, rules = seeded("labels"), PRESETS["hoyle_hearts"]
    hand = play_on(first_lead(rules, 4, dice), [chance] * 4, dice)
    diamonds_for_clubs = [*CARDS[13:26], *CARDS[:13], *CARDS[26:]]
    first = all_losses(replay(record_of(hand), rules, hand.before), 60)
    second = all_losses(moved(hand, diamonds_for_clubs), 60)
    for one, other in zip(first, second[1:] + second[:1], strict=True):
        assert [loss.place for loss in one.cards] == [loss.place for loss in other.cards]
        noise = hypot(one.total.error, other.total.error)
        assert abs(one.total.mean - other.total.mean) <= 3 * noise
    assert sum(loss.total.mean for loss in first) > 3


def test_the_loss_of_a_hand_is_the_sum_over_its_cards_with_a_choice() -> None:
    hand = replay(some_record("standard"))
    for losses in all_losses(hand):
        assert losses.judged == 52
        assert losses.total.mean == sum(loss.loss.mean for loss in losses.cards)
        assert len(losses.cards) < 13
        for loss in losses.cards:
            assert len(loss.choices) > 1
            best = loss.choices[0]
            assert best.excess.mean == 0
            assert loss.loss.mean == loss.chosen.cost.mean - best.cost.mean


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_losses_are_found_in_every_system_and_the_same_ones_again(name: str, players: int) -> None:
    dice = seeded(f"{name} {players}")
    hand = play_on(first_lead(PRESETS[name], players, dice), [chance] * players, dice)
    judged = replay(record_of(hand), hand.rules, hand.before)
    losses = all_losses(judged, 2)
    assert losses == all_losses(judged, 2)
    assert all(seat.judged == players * len(hand.tricks) for seat in losses)
    assert any(seat.cards for seat in losses)


def test_cards_after_the_first_irregular_one_are_not_judged() -> None:
    record = some_record("hoyle_hearts")
    assert record.play is not None
    columns = list(record.play)
    for at in range(8, 44, 4):  # two cards of the first column change places
        play = [*columns]
        play[at], play[at + 4] = play[at + 4], play[at]
        hand = replay(replace(record, play=tuple(play)))
        if hand.good < 52:
            break
    else:
        pytest.fail("no exchange of two cards was irregular")
    losses = find_losses(hand, Seat(0), half=2)
    assert losses.judged == hand.good < 52
    assert all(loss.place < hand.good for loss in losses.cards)


def test_a_claim_ends_what_is_judged() -> None:
    record = some_record("hoyle_hearts")
    assert record.play is not None
    claimed = replace(
        record, play=record.play[:36], claim=Claim(Seat(1), 9), ending=Ending.CLAIM, scores=None
    )
    assert find_losses(replay(claimed), Seat(0), half=2).judged == 36


def test_a_hand_without_all_cards_has_no_losses() -> None:
    record = some_record("hoyle_hearts")
    with pytest.raises(ValueError, match="not all cards"):
        find_losses(replay(replace(record, play=None, deal=None, columns=None)), Seat(0))


def test_a_seat_knows_which_cards_it_passed_on_and_where_centre_cards_went() -> None:
    record = some_record("insurance")
    hand = replay(record)
    assert hand.held is not None
    position, _ = next(walk_play(hand))
    for passed in record.exchange or ():
        assert passed.cards & position.known[passed.seat][passed.to] == passed.cards
    for known in position.known:
        assert sum(held & record.centre for held in known) == record.centre


@pytest.mark.slow
@pytest.mark.parametrize("name", ["standard", "bicycle"])
def test_losses_tell_apart_who_plays_every_fifth_card_at_random(name: str) -> None:
    losses = {0.0: list[float](), 0.2: list[float]()}
    dice = seeded("effect")
    for number in range(100):
        shares = [0.0, 0.2, 0.0, 0.2] if number % 2 else [0.2, 0.0, 0.2, 0.0]
        opened = first_lead(PRESETS[name], 4, dice, number)
        hand = play_on(opened, [sampler(8, share) for share in shares], dice)
        judged = replay(record_of(hand), hand.rules, hand.before)
        for share, found in zip(shares, all_losses(judged, 25), strict=True):
            losses[share].append(float(found.total.mean))
    good, bad = losses[0.0], losses[0.2]
    # The aim is 0.3; among 200 hands chance moves the difference by 0.1. 500 are a benchmark.
    assert (mean(bad) - mean(good)) / stdev(good + bad) >= 0.2
