"""A hand can be thrown in, or stay unplayed, in every phase: as moves, and as a result (DEC-2)."""

from typing import Any, Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.core.seats import DEFAULT_SEATS
from engine.live.hand import Phase
from engine.record.game_state import GameState
from engine.rules.presets import PRESETS
from engine.rules.rules import Rules, change
from scoring.models import State
from scoring.settlement.replay import HandInput, judge_entered
from scoring.submissions.reading import SubmittedRecord
from scoring.submissions.writing import GameContext, from_actions, from_result
from scoring.submissions.writing.fields_from_record import said_moves, said_result
from tests.engine.table import playout, seeded
from tests.engine.test_endings import HOUSES, moved_on, some_hand, some_state
from tests.scoring.forms import as_actions, as_result

ENDINGS: Final = ("redeal", "abandoned", "not played", "unfinished")


def table_of(rules: Rules, before: GameState) -> GameContext:
    seats = DEFAULT_SEATS[before.players]
    return GameContext(rules=rules, seats=seats, number=1, before=before)


def judged(table: GameContext, record: SubmittedRecord) -> Any:
    """What a service makes of it: the hand, in the state that the game was in."""
    assert table.before is not None
    given = HandInput(number=1, record=record)
    return judge_entered(table.rules, table.before, given)


@given(seed=st.integers(0, 10**9))
@pytest.mark.parametrize("ending", ENDINGS)
def test_moves_of_a_hand_that_stopped_leave_the_right_state(seed: int, ending: str) -> None:
    dice = seeded(seed)
    rules = dice.choice(HOUSES)
    hand = some_hand(rules, some_state(rules, dice), dice)
    assume(ending != "unfinished" or hand.phase is not Phase.DONE)
    table = table_of(rules, hand.before)
    sent = as_actions(hand) | {"ending": ending} if hand.dealt else {"ending": ending}
    played = judged(table, from_actions(table, sent))
    assert not played.judged.findings, played.entered.record.text.decode()
    goes_on = ending == "abandoned" or (ending == "not played" and hand.dealt)
    if ending != "not played" or hand.dealt:
        assert played.after == (moved_on(hand.before) if goes_on else hand.before)
    said = said_moves(table, played.result.replay)
    assert said is None or judged(table, from_actions(table, said)).after == played.after


@given(seed=st.integers(0, 10**9))
@pytest.mark.parametrize("ending", ENDINGS[:3])
def test_a_result_that_says_only_how_a_hand_ended(seed: int, ending: str) -> None:
    dice = seeded(seed)
    rules = dice.choice(HOUSES)
    table = table_of(rules, some_state(rules, dice))
    assert table.before is not None
    played = judged(table, from_result(table, {"ending": ending}))
    assert not played.judged.findings, played.entered.record.text.decode()
    assert played.state is (State.NOT_PLAYED if ending == "not played" else State.VOID)
    assert played.after.dealer == (moved_on if ending == "abandoned" else same)(table.before).dealer
    said = said_result(table, played.result.replay)
    assert said == {"ending": ending}


def same(state: GameState) -> GameState:
    return state


@given(seed=st.integers(0, 10**9))
def test_results_that_nobody_bid_for_read_back(seed: int) -> None:
    dice = seeded(seed)
    all_pass = dice.choice(("play_hearts", "eldest_pays_min"))
    rules = change(PRESETS["bicycle"], {"all_pass": all_pass, "min_bid": "3"})
    state = some_state(rules, dice)
    for _ in range(3):
        hand = playout(rules, state, dice)
        sent = as_result(hand)
        if all(call == -1 for call in hand.calls):
            sent.pop("bidder", None)
            sent.pop("bid", None)
        table = table_of(rules, state)
        played = judged(table, from_result(table, sent))
        assert not played.judged.findings, played.entered.record.text.decode()
        assert played.after.chips == hand.settle().after.chips
        state = hand.settle().after
        if state.over is not None:
            break
