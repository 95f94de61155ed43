"""House rules: a preset and what differs, in versions that never change."""

from typing import Any

import pytest

from engine.rules.presets import PRESETS
from engine.rules.switch_specs import SWITCHES
from tests.api.asking import Asking, account_of, check_problem, club_of, signed_in
from tournaments.models import Club, RuleSet

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return club_of(account_of("nora@club.example"))


@pytest.fixture
def asking(club: Club) -> Asking:
    return signed_in(club.roles.get().account)


@pytest.fixture
def path(club: Club) -> str:
    return f"/api/v1/clubs/{club.pk}/rule-sets"


def make(asking: Asking, path: str, **more: Any) -> dict[str, Any]:
    answer = asking.post(path, {"name": "Thursday", "preset": "bicycle", **more})
    assert answer.status_code == 201, answer.content
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_makes_house_rules(asking: Asking, path: str, preset: str) -> None:
    found = make(asking, path, preset=preset)
    assert (found["version"], found["overrides"]) == (1, {})
    assert found["digest"] == PRESETS[preset].digest


def test_overrides_are_kept_as_the_engine_writes_them(asking: Asking, path: str) -> None:
    found = make(asking, path, overrides={"min-bid": " 2 ", "odd_chip": "stays"})
    assert found["overrides"] == {"min_bid": "2"}


@pytest.mark.parametrize(
    ("overrides", "key"),
    [
        ({"min_bids": "2"}, "overrides.min_bids"),
        ({"min_bid": "many"}, "overrides.min_bid"),
        ({"min_bid": "1_0"}, "overrides.min_bid"),
        ({"settlement": "average"}, None),
    ],
)
def test_an_unknown_switch_or_value_is_named(
    asking: Asking, path: str, overrides: dict[str, str], key: str | None
) -> None:
    answer = asking.post(path, {"name": "A", "preset": "sahara", "overrides": overrides})
    found = check_problem(answer, "UNPROCESSABLE")
    assert found["where"]["key"].startswith("overrides.")
    assert key is None or found["where"]["key"] == key
    assert not RuleSet.objects.exists()


def test_a_misspelt_switch_and_preset_are_told_the_right_ones(asking: Asking, path: str) -> None:
    values = {"name": "A", "preset": "bicycle", "overrides": {"min_bids": "2"}}
    assert "min_bid?" in check_problem(asking.post(path, values), "UNPROCESSABLE")["detail"]
    found = check_problem(asking.post(path, {"name": "A", "preset": "bycicle"}), "UNPROCESSABLE")
    assert found["where"] == {"key": "preset"}
    assert "bicycle" in found["detail"]


@pytest.mark.parametrize(
    "overrides", [[], {"min_bid": 2}, {"min_bid": None}, {"a" * 61: "1"}, {"x\0": "1"}]
)
def test_overrides_are_words(asking: Asking, path: str, overrides: Any) -> None:
    answer = asking.post(path, {"name": "A", "preset": "bicycle", "overrides": overrides})
    assert answer.status_code == 400
    assert answer.json()["where"]["key"].startswith("overrides")


def test_a_change_makes_the_next_version_and_retires_the_one_before(
    asking: Asking, path: str
) -> None:
    first = make(asking, path, keeps_jackpot=True)
    answer = asking.patch(f"{path}/{first['id']}", {"overrides": {"min_bid": "3"}}, If_Match='"1"')
    second = answer.json()
    assert (answer.status_code, second["version"], second["keeps_jackpot"]) == (201, 2, True)
    assert answer["Location"] == f"{path}/{second['id']}"
    before = asking.get(f"{path}/{first['id']}").json()
    assert before["overrides"] == {}
    assert before["retired_at"]
    active = asking.get(f"{path}?retired=false").json()["items"]
    assert [one["id"] for one in active] == [second["id"]]


def test_a_change_of_an_old_version_is_told_the_new_one(asking: Asking, path: str) -> None:
    first = make(asking, path)
    change = {"overrides": {"min_bid": "3"}}
    second = asking.patch(f"{path}/{first['id']}", change, If_Match='"1"').json()
    late = {"overrides": {"min_bid": "4"}}
    found = check_problem(asking.patch(f"{path}/{first['id']}", late, If_Match='"1"'), "STALE")
    assert found["difference"] == {
        "overrides": {"yours": {"min_bid": "4"}, "ours": {"min_bid": "3"}}
    }
    assert found["current"]["id"] == second["id"]
    assert found["ours"] == 2


def test_a_name_is_taken_once(asking: Asking, path: str) -> None:
    make(asking, path)
    answer = asking.post(path, {"name": "Thursday", "preset": "sahara"})
    assert check_problem(answer, "CONFLICT")["where"] == {"key": "name"}


def test_rules_are_retired_once(asking: Asking, path: str) -> None:
    row = make(asking, path)
    first = asking.delete(f"{path}/{row['id']}").json()
    assert first["retired_at"]
    assert asking.delete(f"{path}/{row['id']}").json() == first


def test_rules_of_another_club_are_not_there(asking: Asking, path: str) -> None:
    other = club_of(account_of("victor@club.example"))
    theirs = make(signed_in(other.roles.get().account), f"/api/v1/clubs/{other.pk}/rule-sets")
    address = f"{path}/{theirs['id']}"
    check_problem(asking.get(address), "NOT_FOUND")
    check_problem(asking.get(f"{address}/sheet"), "NOT_FOUND")
    check_problem(asking.patch(address, {}, If_Match='"1"'), "NOT_FOUND")
    check_problem(asking.delete(address), "NOT_FOUND")


def test_the_sheet_says_every_rule_in_words(asking: Asking, path: str) -> None:
    row = make(asking, path, overrides={"min_bid": "2"})
    found = asking.get(f"{path}/{row['id']}/sheet").json()
    assert found["switches"]["min_bid"] == "2"
    assert found["title"].startswith("Thursday: ")
    for line in found["lines"]:
        assert line["question"] in found["text"]
        assert line["answer"] in found["text"]


def test_presets_and_switches_are_listed_for_everybody() -> None:
    presets = Asking().get("/api/v1/presets").json()["items"]
    assert [one["preset"] for one in presets] == list(PRESETS)
    switches = Asking().get("/api/v1/switches").json()["items"]
    assert [one["switch"] for one in switches] == list(SWITCHES)
