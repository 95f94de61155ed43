"""The examples of docs/use/sending-hands.md are hands that can be sent."""

import json
from pathlib import Path

from engine.core.seats import DEFAULT_SEATS
from engine.record.game_state import beginning
from engine.rules.presets import preset
from scoring.models import State
from scoring.settlement.replay import HandInput, judge_entered
from scoring.submissions.writing import GameContext, from_actions, from_result

PAGE = Path(__file__).parents[3] / "docs" / "use" / "sending-hands.md"
RULES = ("bicycle", "insurance", "insurance", "hoyle_hearts", "sahara", "bicycle")
STATES = [State.ACCEPTED, State.ACCEPTED, State.FOOT, State.ACCEPTED, State.ACCEPTED, State.DRAFT]


def test_every_example_is_what_the_page_says() -> None:
    blocks = [part.split("```")[0] for part in PAGE.read_text().split("```json\n")[1:]]
    states = []
    for name, block in zip(RULES, blocks, strict=True):
        rules, sent = preset(name), json.loads(block)
        before = beginning(rules, 4)
        table = GameContext(rules=rules, seats=DEFAULT_SEATS[4], number=1, before=before)
        record = (from_actions if "play" in sent else from_result)(table, sent)
        given = HandInput(number=1, record=record)
        played = judge_entered(rules, before, given)
        states.append(played.state)
    assert states == STATES
