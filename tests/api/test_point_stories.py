"""The chained examples of Insurance and Sahara Hearts (rules.md section 9), through the API."""

import pytest

from tests.api.desk import Night, taken

pytestmark = pytest.mark.django_db

PAPERS = {"N": "2", "E": "0", "S": "5", "W": "1"}


def insured(captures: str, queen: str, papers: dict[str, str] | None = None) -> dict[str, object]:
    """A hand without the centre auction."""
    return {"taken": taken(captures), "queen": queen, "papers": papers or PAPERS}


def test_d16_to_d18_a_foot_is_called_and_called_again() -> None:
    night = Night("insurance", centre_auction="off", foot="on")
    night.enter(insured("3/4/6/0", "S"))
    assert night.totals() == "5/4/14/1"
    night.enter(insured("5/8/0/0", "W"))
    assert (night.state()["dealer"], night.state()["passing"]) == ("S", "across")
    before = night.totals()
    footed = night.enter({"papers": PAPERS | {"E": "F"}})
    assert footed["state"] == "foot"
    following = night.state()
    assert night.totals() == before
    assert (following["feet_used"], following["dealer"], following["passing"]) == (
        ["E"],
        "W",
        "hold",
    )
    again = night.enter(insured("3/4/6/0", "S", PAPERS | {"E": "F3"}))
    assert again["state"] == "accepted"
    severities = {found["severity"] for found in again["settlement"]["diagnostics"]}
    assert severities == {"warning"}
    points = {row["seat"]: row["values"]["Points"] for row in again["settlement"]["scores"]}
    assert points["E"] == 4 + 3


def test_d17_two_call_at_once_and_both_have_used_it() -> None:
    night = Night("insurance", centre_auction="off", foot="on")
    footed = night.enter({"papers": PAPERS | {"N": "F", "W": "F"}})
    assert footed["state"] == "foot"
    assert night.state()["feet_used"] == ["N", "W"]
    assert night.look()["hands"] == 1


def test_e05_two_tie_for_the_lowest_at_the_limit() -> None:
    night = Night("sahara", ante="500", currency="EUR")
    hand = night.enter({"taken": taken("4/3/3/3"), "queen": "N"})
    ruling = {
        "decision": "SCORE_ADJUST",
        "score": {"N": 104 - 17, "E": 62 - 3, "S": 62 - 3, "W": 80 - 3},
        "facts": "set up",
    }
    answered = night.desk.post(f"hands/{hand['id']}/rulings", ruling, version="1")
    assert answered.status == 201, answered
    assert night.totals() == "104/62/62/80"
    over = night.state()
    assert (over["over"], over["places"]) == ("limit", {"N": 4, "E": 1, "S": 1, "W": 3})
