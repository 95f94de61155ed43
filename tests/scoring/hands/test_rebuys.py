"""Who buys chips again, as a table sends it: with a result, with moves, and asked back (DEC-9)."""

from typing import Any, Final

import pytest

from engine.core.chips import Rebuy, RebuyTime
from engine.core.seats import DEFAULT_SEATS, Seat
from engine.record.game_state import GameState, beginning
from engine.rules.presets import BICYCLE
from engine.rules.rules import change
from scoring.models import State
from scoring.settlement.replay import HandInput, JudgedHand, judge_entered
from scoring.submissions.writing import GameContext, UnclearError, from_actions, from_result
from scoring.submissions.writing.fields_from_record import said_result

RULES: Final = change(BICYCLE, {"insolvency": "rebuy", "starting_chips": "5"})
STATE: Final = beginning(RULES, 4)
TABLE: Final = GameContext(rules=RULES, seats=DEFAULT_SEATS[4], number=1, before=STATE)
RESULT: Final[dict[str, Any]] = {
    "bidder": "E", "bid": 1, "pain": "S", "taken": {"N": 6, "E": 4, "S": 3, "W": 0}
}  # fmt: skip
NORTH, EAST = Seat(0), Seat(1)


def sent(**more: Any) -> JudgedHand:
    record = from_result(TABLE, RESULT | more)
    return judge_entered(RULES, STATE, HandInput(number=1, record=record))


def after(played: JudgedHand) -> GameState:
    return played.after


def test_a_result_waits_for_the_decision_and_says_whose_it_is() -> None:
    played = sent()
    assert played.state is State.DISPUTED
    messages = [finding.diagnostic.message for finding in played.judged.findings]
    assert messages == [
        "N: cannot pay; say how many stacks are bought again, or none",
        "N: has no chips left; say how many stacks are bought again, or none",
        "E: has no chips left; say how many stacks are bought again, or none",
    ]


def test_a_result_with_the_decisions_is_settled_and_is_told_back_the_same() -> None:
    more = {"rebuys": {"N": 1}, "rebuys_after": {"E": 2}}
    played = sent(**more)
    assert played.is_sure
    assert after(played).chips[:2] == (4, 10)
    assert played.result is not None
    assert played.result.replay.record.rebuys == (
        Rebuy(NORTH, RebuyTime.SHORT, 1),
        Rebuy(EAST, RebuyTime.EMPTY, 2),
    )
    said = said_result(TABLE, played.result.replay)
    assert said | more == said
    assert from_result(TABLE, said).text == played.entered.record.text


def test_who_declines_is_out_of_the_game() -> None:
    played = sent(rebuys="N:0", rebuys_after="E:0")
    assert played.is_sure
    assert after(played).over == "bust"


def test_moves_carry_the_decisions_too() -> None:
    moves = {"calls": "1 P P P", "pain": "S", "play": "E:C2", "claim": "W", "rebuys": {"N": 1}}
    text = from_actions(TABLE, moves).text
    assert b'[RebuyTable "Seat;When;Stacks"]\nN short 1\n' in text


@pytest.mark.parametrize("stacks", [-1, "many", 1.5, None])
def test_stacks_are_whole_numbers(stacks: object) -> None:
    with pytest.raises(UnclearError) as refused:
        from_result(TABLE, RESULT | {"rebuys": {"N": stacks}})
    assert refused.value.field == "rebuys"
