"""Second records of a hand: only where somebody else says the same may anybody read so."""

from uuid import uuid4

import pytest

from scoring.models import Hand, Word
from tests.api.desk import Answered, Desk, Night, Plain, taken
from tests.api.test_table_phones import phones

pytestmark = pytest.mark.django_db

PLAYED: Plain = {"bidder": "E", "bid": 3, "pain": "H", "taken": taken("4/0/5/4")}
ENDINGS: dict[str, Plain] = {
    "played": PLAYED,
    "misdealt": {"ending": "redeal"},
    "not played": {"ending": "not played"},
}


def send(who: Desk, night: Night, result: Plain) -> Answered:
    hand = {"id": str(uuid4()), "number": 1, "result": result}
    answered = who.post(f"games/{night.game['id']}/hands", hand)
    assert answered.status == 201, answered
    return answered


def night_of(confirming: str) -> Night:
    night = Night()
    night.club.confirming = confirming
    night.club.save()
    night.game = night.open()
    return night


def confirmations() -> int:
    return Word.objects.filter(agrees=True).count()


@pytest.mark.parametrize("confirming", ["optional", "required", "off"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_nobody_said_the_same_of_a_hand_that_one_seat_entered(ending: str, confirming: str) -> None:
    night = night_of(confirming)
    (north,) = phones(night, "N")
    first = send(north, night, ENDINGS[ending])
    again = send(north, night, ENDINGS[ending])
    assert (first["agrees"], again["agrees"], confirmations()) == (False, False, 0)
    assert again["state"] == "void"
    assert "says the same" not in again["reason"]
    assert night.desk.get(f"hands/{first['id']}")["certainty"] == "provisional"


@pytest.mark.parametrize("confirming", ["optional", "required", "off"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_another_seat_says_the_same_of_any_ending(ending: str, confirming: str) -> None:
    night = night_of(confirming)
    north, east, south = phones(night, "N", "E", "S")
    first = send(north, night, ENDINGS[ending])
    second, third = (send(who, night, ENDINGS[ending]) for who in (east, south))
    assert (first["agrees"], second["agrees"], third["agrees"]) == (False, True, True)
    asked = confirming != "off"
    assert confirmations() == (2 if asked else 0)
    certainty = night.desk.get(f"hands/{first['id']}")["certainty"]
    assert certainty == ("confirmed" if asked else "provisional")


@pytest.mark.parametrize("keep", [True, False])
def test_a_record_that_the_director_decided_about_agrees_with_nothing(keep: bool) -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    first = send(north, night, PLAYED)
    second = send(east, night, {**PLAYED, "taken": taken("5/0/4/4")})
    assert (second["state"], second["agrees"]) == ("disputed", False)
    seen = str(night.desk.get(f"hands/{first['id']}")["revision"])
    choice = {"keep": keep, "why": "counted"}
    chosen = night.desk.post(f"hands/{second['id']}/choice", choice, version=seen)
    assert chosen.status == 200, chosen
    assert Hand.objects.get(pk=second["id"]).state == "void"
    assert night.desk.get(f"hands/{second['id']}")["agrees"] is False
