"""An oracle that nobody here wrote: the Hearts of OpenSpiel plays along, card by card.

OpenSpiel's options and the switches that say the same:

    pass_cards                     passing
    no_pts_on_first_trick          first_trick_penalty
    must_break_hearts              pain_lead
    qs_breaks_hearts               broken_by
    can_lead_hearts_instead_of_qs  hearts_plus_queen

Always off are ``can_lead_any_club`` (here the lowest club opens), ``jd_bonus`` and
``avoid_all_tricks_bonus``, of which rules.md knows nothing. Half of the deals are stacked by
suit, because the exceptions for hands of nothing but penalty cards hardly ever come up
otherwise.
"""

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any

import pyspiel  # type: ignore[import-not-found]
import pytest

from engine.core.cards import Card, CardSet, card_set, members
from engine.core.seats import Seat
from engine.live.hand import Hand, Phase, start
from engine.record.actions import Deal, Pass, Play
from engine.rules.presets import STANDARD
from engine.rules.rules import Rules, change
from tests.engine.table import game, seeded
from tests.examples import examples

GAMES = examples(400, 20)

SWITCH_OF_OPTION = {
    "pass_cards": ("passing", "cycle", "none"),
    "no_pts_on_first_trick": ("first_trick_penalty", "forbidden", "allowed"),
    "must_break_hearts": ("pain_lead", "after_broken", "free"),
    "qs_breaks_hearts": ("broken_by", "heart_or_queen", "heart"),
    "can_lead_hearts_instead_of_qs": ("hearts_plus_queen", "may_lead_heart", "must_queen"),
}
OPTIONS = [
    dict(zip(SWITCH_OF_OPTION, values, strict=True))
    for values in product((True, False), repeat=len(SWITCH_OF_OPTION))
]
PASS_OF_DEAL = {0: 1, 1: 3, 2: 2, 3: 0}
"""OpenSpiel's passing direction (seats to the left) by the deals of our game so far."""


def rules_of(options: Mapping[str, bool]) -> Rules:
    """Our rules for OpenSpiel's options."""
    return change(
        STANDARD,
        {
            switch: on if options[option] else off
            for option, (switch, on, off) in SWITCH_OF_OPTION.items()
        },
    )


def theirs(ours: int) -> int:
    """OpenSpiel's number of a card: rank times four plus suit, clubs first."""
    suit, rank = divmod(ours, 13)
    return rank * 4 + suit


OURS = {theirs(one): Card(one) for one in range(52)}


def an_order(dice: Random) -> list[int]:
    """A pack in the order in which it is dealt, sometimes stacked so that suits stay together."""
    if dice.random() < 0.5:
        return dice.sample(range(52), 52)
    spread = dice.choice([2, 6, 13])
    hearts_and_queen = [*range(26, 39), 49]
    weight = {one: one % 13 + dice.uniform(0, spread) for one in range(52)}
    by_suit = sorted(range(52), key=lambda one: (one // 13) * 13 + dice.uniform(-spread, spread))
    if dice.random() < 0.5:
        by_suit.sort(key=lambda one: one in hearts_and_queen and weight[one] > spread / 2)
    hands = [by_suit[place : place + 13] for place in range(0, 52, 13)]
    dice.shuffle(hands)
    return [hands[place % 4][place // 4] for place in range(52)]


class Table:
    """One deal at two tables: OpenSpiel's and ours, which must agree at every step."""

    def __init__(self, spiel: Any, rules: Rules, deals: int, order: list[int]) -> None:
        self.state = spiel.new_initial_state()
        self.state.apply_action(PASS_OF_DEAL[deals] if rules.passing == "cycle" else 0)
        for one in order:
            self.state.apply_action(theirs(one))
        holdings = tuple(card_set(map(Card, order[seat::4])) for seat in range(4))
        before = game(rules, 4, deals=deals, dealer=Seat(3))
        self.hand: Hand = start(rules, before, Deal(holdings))

    def legal(self) -> CardSet:
        """What OpenSpiel allows now."""
        return card_set(OURS[action] for action in self.state.legal_actions())

    def exchange(self, dice: Random) -> None:
        """Everybody passes the same three cards at both tables; OpenSpiel asks North first."""
        if self.hand.phase is not Phase.EXCHANGE:
            return
        for seat in map(Seat, range(4)):
            three = dice.sample(list(members(self.hand.holdings[seat])), 3)
            self.hand = self.hand.apply(Pass(seat, card_set(three)))
            for one in three:
                self.state.apply_action(theirs(one))

    def play(self, dice: Random) -> None:
        """Every card of the hand, any of those that are legal."""
        while not self.state.is_terminal():
            seat = self.hand.turn
            assert seat is not None
            assert seat == self.state.current_player()
            assert self.hand.legal_cards == self.legal()
            one = dice.choice(list(members(self.hand.legal_cards)))
            self.hand = self.hand.apply(Play(seat, one))
            self.state.apply_action(theirs(one))

    def points(self) -> tuple[int, ...]:
        """The points at OpenSpiel's table; its returns are what is missing to 26."""
        return tuple(26 - int(value) for value in self.state.returns())


def name(options: Mapping[str, bool]) -> str:
    return "+".join(option for option, on in options.items() if on) or "none"


@pytest.mark.property
@pytest.mark.parametrize("options", OPTIONS, ids=name)
def test_the_same_cards_are_legal_and_the_same_points_scored(options: dict[str, bool]) -> None:
    rules = rules_of(options)
    spiel = pyspiel.load_game("hearts", options)
    for number in range(GAMES):
        dice = seeded(f"{name(options)} {number}")
        table = Table(spiel, rules, number % 4, an_order(dice))
        table.exchange(dice)
        table.play(dice)
        assert table.hand.phase is Phase.DONE
        assert table.hand.settle().after.totals == table.points()


def test_the_deals_are_wild_enough_to_bring_up_the_rare_hands() -> None:
    """Moons, discards of nothing but penalty cards, and leads of nothing but hearts and queen."""
    rules = rules_of(OPTIONS[0])
    moons = forced = 0
    for number in range(100):
        dice = seeded(number)
        table = Table(pyspiel.load_game("hearts", OPTIONS[0]), rules, number % 4, an_order(dice))
        table.exchange(dice)
        while table.hand.phase is Phase.PLAY:
            turn = table.hand.turn
            assert turn is not None
            held = table.hand.holdings[turn]
            costly = held & ~table.hand.limits.penalty == 0
            early = not table.hand.tricks if table.hand.trick else not table.hand.broken
            forced += costly and early
            one = dice.choice(list(members(table.hand.legal_cards)))
            table.hand = table.hand.apply(Play(turn, one))
        moons += 0 in table.hand.settle().after.totals and 26 in table.hand.settle().after.totals
    assert moons >= 3
    assert forced >= 5
