"""A pass that is written, and the play that shows where its cards went (rules.md D2)."""

from dataclasses import replace

import pytest

from engine.core.cards import CardSet, members
from engine.core.faults import Code
from engine.record.record import HandRecord, PassedCards
from engine.replay.replay import replay
from engine.rules.presets import PRESETS
from engine.rules.switches import Passing
from tests.engine.table import playouts, record_of, seeded

RULES = PRESETS["insurance"]


def passing_hands(seed: str) -> list[HandRecord]:
    """Hands played at random in which cards were passed; what was dealt is not written."""
    assert RULES.passing is Passing.CYCLE
    records = [record_of(hand) for hand in playouts(RULES, 4, seeded(seed), hands=8)]
    return [replace(one, deal=None) for one in records if one.exchange and one.play]


def swapped(passes: tuple[PassedCards, ...]) -> tuple[PassedCards, ...]:
    """The passes with the lowest cards of the first two seats written the wrong way round."""
    one, other, *rest = passes
    mine, theirs = (1 << next(iter(members(each.cards))) for each in (one, other))
    return (
        replace(one, cards=CardSet(one.cards ^ mine ^ theirs)),
        replace(other, cards=CardSet(other.cards ^ mine ^ theirs)),
        *rest,
    )


@pytest.mark.parametrize("seed", ["first", "second", "third"])
def test_a_right_pass_agrees_with_the_play_that_follows(seed: str) -> None:
    hands = passing_hands(seed)
    assert hands
    for hand in hands:
        assert Code.WRONG_PASS not in {fault.code for fault in replay(hand, RULES).faults}


@pytest.mark.parametrize("tricks", [13, 6])
@pytest.mark.parametrize("seed", ["first", "second", "third"])
def test_a_card_that_another_seat_played_was_not_passed_to_this_one(seed: str, tricks: int) -> None:
    for hand in passing_hands(seed):
        assert hand.exchange is not None
        assert hand.play is not None
        part = hand.play[: 4 * tricks]
        wrong = replace(hand, exchange=swapped(hand.exchange), play=part)
        moved = {
            (row, card)
            for row, passed in enumerate(wrong.exchange or ())
            for card in members(CardSet(passed.cards & ~hand.exchange[row].cards))
            if card in part
        }
        faults = replay(wrong, RULES).faults
        found = [fault for fault in faults if fault.code is Code.WRONG_PASS]
        assert [fault.index for fault in found] == sorted(row for row, _ in moved)
        assert all("is written to pass" in fault.message for fault in found)
