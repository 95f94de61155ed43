"""What a table sends becomes a record that settles as the hand was played."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.carried import Carried
from engine.hand import Hand
from engine.presets import PRESETS, preset
from engine.rules import Rules, change
from engine.seats import DEFAULT_SEATS
from scoring.folding import Entered, Played, judge_entered
from scoring.models import State
from scoring.writing import Table, from_result
from tests.engine.table import playouts, seeded
from tests.scoring.forms import as_result, by_name

HOUSES = {
    **{name: (name, {}) for name in PRESETS},
    "choice": ("standard", {"moon": "shooter_choice"}),
    "self": ("insurance", {"moon": "subtract_from_self", "bid_points_on_moon": "waive"}),
    "hearts": ("hoyle_auction", {"all_pass": "play_hearts"}),
    "eldest": ("bicycle", {"all_pass": "eldest_pays_min"}),
    "debt": ("bicycle", {"insolvency": "debt", "starting_chips": "9"}),
}
TABLES = [
    (name, players)
    for name, (base, _) in HOUSES.items()
    for players in range(preset(base).players.least, preset(base).players.most + 1)
]


def house(name: str) -> Rules:
    base, overrides = HOUSES[name]
    return change(preset(base), overrides)


def table_of(hand: Hand, number: int = 1) -> Table:
    return Table(
        rules=hand.rules, seats=DEFAULT_SEATS[hand.players], number=number, before=hand.before
    )


def judged(hand: Hand, text: bytes, before: Carried | None = None) -> Played:
    return judge_entered(hand.rules, before or hand.before, Entered(number=1, text=text))


def hands(name: str, players: int) -> Iterator[Hand]:
    dice = seeded(f"{name} {players}")
    for _ in range(4):
        yield from playouts(house(name), players, dice, 10)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_result_settles_as_the_hand_was_played(name: str, players: int) -> None:
    for hand in hands(name, players):
        settled = hand.settle().after
        text = from_result(table_of(hand), as_result(hand))
        played = judged(hand, text)
        assert played.state is not State.DISPUTED, (played.reason, text.decode())
        assert replace(played.after, tricks=settled.tricks) == settled, text.decode()
        named = judged(hand, from_result(table_of(hand), by_name(hand)))
        assert named.state is played.state, named.reason
        assert named.after == settled


def test_a_hand_that_came_too_early_can_say_who_dealt() -> None:
    table = Table(rules=preset("bicycle"), seats=DEFAULT_SEATS[4], number=5)
    result = {"dealer": "W", "bidder": "N", "bid": 2, "pain": "H", "taken": {"N": 13}}
    assert b'[Dealer "W"]' in from_result(table, result)
