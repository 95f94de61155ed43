"""Simulations: `legal_actions` leads from every deal to a settled hand, whatever is played."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import PRESETS, Phase, start
from engine.core.seats import Seat
from engine.record.actions import Action
from engine.record.game_state import beginning
from engine.rules.rules import change
from tests.engine.table import seeded, shuffled, some_action

TABLES = [
    pytest.param(name, players, id=f"{name}-{players}")
    for name, rules in PRESETS.items()
    for players in range(rules.players.least, rules.players.most + 1)
]


@pytest.mark.parametrize(("name", "players"), TABLES)
@pytest.mark.parametrize("which", ["first", "any", "last"])
def test_a_loop_over_legal_actions_plays_every_preset(name: str, players: int, which: str) -> None:
    rules, dice = PRESETS[name], seeded(f"{name} {players} {which}")
    choose: dict[str, Callable[[tuple[Action, ...]], Action]] = {
        "first": lambda listed: listed[0],
        "any": dice.choice,
        "last": lambda listed: listed[-1],
    }
    state = beginning(rules, players)
    for _ in range(5):
        hand = start(rules, state, shuffled(rules, players, dice, Seat(0)))
        while hand.turn is not None:
            hand = hand.apply(choose[which](hand.legal_actions))
        state = hand.settle().after


@given(st.integers(0, 10**6), st.sampled_from([table.values for table in TABLES]))
def test_whatever_somebody_may_do_is_listed_once_and_nothing_else_is(
    seed: int, table: tuple[str, int]
) -> None:
    name, players = table
    dice = seeded(seed)
    house = {"foot": dice.choice(["on", "off"])} if name == "insurance" else {}
    rules = change(PRESETS[name], house)
    hand = start(rules, beginning(rules, players), shuffled(rules, players, dice, Seat(0)))
    while hand.phase is not Phase.DONE:
        listed, done = hand.legal_actions, some_action(hand, dice)
        assert done in listed
        assert len(set(listed)) == len(listed)
        for action in dice.sample(listed, min(len(listed), 5)):
            hand.apply(action)
        hand = hand.apply(done)
    assert hand.legal_actions == ()


def test_before_the_deal_nothing_is_listed() -> None:
    rules = PRESETS["insurance"]
    assert start(rules, beginning(rules, 4)).legal_actions == ()
