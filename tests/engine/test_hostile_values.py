"""Whatever stands in a tag or a cell, judging says what is wrong with it, and never raises."""

import json
from datetime import date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.verdicts.judge import judge
from engine.verdicts.report import report
from tests.engine.notation.texts import SAMPLES, written_values
from tests.examples import examples

TEXTS = [sample.decode() for sample in SAMPLES]
LONG = "9" * 5_000
HOSTILE = [
    *(LONG, f"-{LONG}", f"+{'0' * 5_000}1", "9" * 18, f"-{'9' * 18}", "999999999", "-1", "-0"),
    *("\u0663", "\u00b2", "\u2460", "1_0", "1e9", "NaN", "1/0", f"1/{LONG}", f"1.{LONG}"),
    *("2026.01.9999999999", f"2026.{LONG}.01", "0000.01.01", "9999.12.31", "2026.02.30"),
    *("9999.12.31.5", "-2026.01.01", "\u0662\u0660\u0662\u0666.01.01", "N 0", f"N {LONG}"),
    *("k9", f"k{LONG}", f"${LONG}", f"S4={LONG}=", f"^R{LONG}", f"sahara/{LONG}"),
    *(f"sahara/1;limit={LONG}", f"auction-bicycle/1;hands={LONG}"),
]


def judge_wholly(text: str) -> None:
    """Judge a text, and ask for all that can be asked."""
    verdict = judge(text, today=date(2026, 11, 26))
    json.dumps(report(verdict))
    verdict.to_rows()


@pytest.mark.property
@pytest.mark.parametrize("text", TEXTS, ids=range(1, len(TEXTS) + 1))
@pytest.mark.parametrize("number", ["2026.01.9999999999", LONG])
def test_every_tag_and_cell_can_hold_a_number_beyond_all_bounds(text: str, number: str) -> None:
    places = written_values(text)
    some = min(len(places), examples(len(places), 30))
    for start, end in Random(number).sample(places, some):
        judge_wholly(text[:start] + number + text[end:])


@given(st.data())
def test_several_hostile_values_in_two_hands_of_a_game_do_no_harm(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    text += "\n" + text.partition("\n")[2]
    for _ in range(data.draw(st.integers(1, 3))):
        start, end = data.draw(st.sampled_from(written_values(text)))
        text = text[:start] + data.draw(st.sampled_from(HOSTILE)) + text[end:]
    judge_wholly(text)
