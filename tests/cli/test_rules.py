"""`manage.py rules`: sheets, presets and switches, for people and for programs."""

import json

import pytest

from engine.rules.presets import PRESETS
from engine.rules.switch_specs import SWITCHES
from tests.cli.calling import ask


@pytest.mark.parametrize("name", PRESETS)
def test_the_sheet_of_a_preset_answers_every_question_that_matters(name: str) -> None:
    plain = json.loads(ask("rules", name, "--json").out)
    text = " ".join(ask("rules", name).out.split())
    assert plain["digest"] == PRESETS[name].digest
    assert plain["switches"] == PRESETS[name].texts
    for line in plain["sheet"]:
        assert f"{line['question']} {line['answer']}" in text


def test_the_list_names_every_preset() -> None:
    assert [row["preset"] for row in json.loads(ask("rules", "--json").out)] == list(PRESETS)
    assert ask("rules").out == ask("rules", "--list").out


def test_the_switches_are_all_there_with_their_ids_and_values() -> None:
    rows = {row["switch"]: row for row in json.loads(ask("rules", "--switches", "--json").out)}
    assert list(rows) == list(SWITCHES)
    assert all(row["values"] and row["rules"] for row in rows.values())
    assert rows["insolvency"]["rules"] == ["A9.2", "Q22"]
    assert set(rows["end_pot"]["values"]) == {
        "equal_split",
        "pro_rata",
        "club_fund",
        "play_until_won",
    }


def test_the_tag_on_a_sheet_gives_the_same_rules_again() -> None:
    sheet = ask("rules", "sahara;limit=50;moon=shooter_choice").out
    tag = next(line for line in sheet.splitlines() if "[Rules " in line)
    again = tag.partition('[Rules "')[2].removesuffix('"]')
    assert ask("rules", again).out == sheet
