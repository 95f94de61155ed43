"""Second thoughts of directors and seats: rulings taken back, corrections on corrections."""

from typing import Any
from uuid import uuid4

import pytest

from scoring.models import Game
from tests.api.desk import Answered, Night
from tests.api.test_table_phones import HANDS, check, phones, send

pytestmark = pytest.mark.django_db

STANDS: dict[str, Any] = {"decision": "RESULT_STANDS", "facts": "heard both"}


def rule(night: Night, hand: str, ruling: dict[str, Any]) -> Answered:
    """Rule on a hand as it stands now."""
    revision = night.desk.get(f"hands/{hand}")["revision"]
    return night.desk.post(f"hands/{hand}/rulings", ruling, version=str(revision))


def test_an_objection_is_open_again_when_its_ruling_is_taken_back() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, HANDS[0])["id"]
    east.post(f"hands/{hand}/objection", {"version": 1, "why": "no"})
    ruled = rule(night, hand, STANDS)
    assert ruled["hand"]["state"] == "ruled"
    check(night)
    back = rule(night, hand, {"supersedes": ruled["ruling"]["id"]})
    assert (back["hand"]["state"], back["hand"]["in_books"]) == ("disputed", False)
    check(night)


def test_what_a_ruling_had_replaced_holds_again_when_it_is_taken_back() -> None:
    night = Night()
    hand = night.enter(HANDS[0])["id"]
    begun = night.chips()

    def moved(amount: int, supersedes: str | None = None) -> Answered:
        move = {"decision": "CHIP_ADJUST", "chips": {"N": -amount, "S": amount}, "law": f"{amount}"}
        return rule(night, hand, move | ({"supersedes": supersedes} if supersedes else {}))

    def taken_back(ruling: Answered) -> Answered:
        found = rule(night, hand, {"supersedes": ruling["ruling"]["id"], "facts": "no"})
        assert found.status == 201, found
        check(night)
        return found

    first = moved(1)
    one = night.chips()
    second = moved(2, first["ruling"]["id"])
    two = night.chips()
    third = moved(3, second["ruling"]["id"])
    assert len({begun, one, two, night.chips()}) == 4
    back = taken_back(third)
    assert (back["ruling"]["restores"], back["ruling"]["law"], night.chips()) == (2, "2", two)
    assert back["ruling"]["ruling"]["chips"] == {"N": -2, "E": 0, "S": 2, "W": 0}
    again = taken_back(back)
    assert (again["ruling"]["restores"], again["ruling"]["facts"]) == (1, "no")
    assert (again["ruling"]["law"], night.chips()) == ("1", one)
    other = moved(4, again["ruling"]["id"])
    last = taken_back(other)
    assert (last["ruling"]["restores"], night.chips()) == (1, one)
    nothing = taken_back(last)
    assert (nothing["ruling"]["restores"], nothing["ruling"]["ruling"]) == (None, None)
    assert night.chips() == begun
    assert rule(night, hand, {"supersedes": nothing["ruling"]["id"]}).status == 422


def test_what_was_said_of_another_record_comes_back_without_effect() -> None:
    night = Night()
    hand = night.enter({**HANDS[0], "taken": {"N": 3, "E": 2, "S": 4, "W": 3}})["id"]
    stands = rule(night, hand, {"decision": "VOID_NO_REPLAY"})
    second = rule(night, hand, {**STANDS, "supersedes": stands["ruling"]["id"]})
    third = rule(
        night,
        hand,
        {"decision": "VOID_NO_REPLAY", "supersedes": second["ruling"]["id"]},
    )
    wrong = {"result": {**HANDS[0], "taken": {"N": 9, "E": 9, "S": 4, "W": 3}}, "why": "a slip"}
    seen = str(night.desk.get(f"hands/{hand}")["revision"])
    assert night.desk.post(f"hands/{hand}/versions", wrong, version=seen).status == 200
    back = rule(night, hand, {"supersedes": third["ruling"]["id"]})
    assert (back["ruling"]["restores"], back["hand"]["state"]) == (2, "disputed")
    check(night)


def test_what_let_play_stand_after_an_older_change_does_not_come_back() -> None:
    night = Night()
    first = night.enter(HANDS[0])["id"]
    night.enter(HANDS[1])
    fixes = (
        ({"N": 5, "E": 2, "S": 0, "W": 6}, "let_stand"),
        ({"N": 1, "E": 6, "S": 3, "W": 3}, "resettle"),
    )

    def fix(captures: dict[str, int], policy: str) -> None:
        sent = {"result": {**HANDS[0], "taken": captures}, "why": "again", "policy": policy}
        seen = str(night.desk.get(f"hands/{first}")["revision"])
        assert night.desk.post(f"hands/{first}/versions", sent, version=seen).status == 200

    fix(*fixes[0])
    (policy,) = night.desk.get(f"hands/{first}/rulings")["rulings"]
    assert policy["lets_stand"]
    own = rule(night, first, {"decision": "WARNING", "supersedes": policy["id"]})
    assert own.status == 201, own
    fix(*fixes[1])
    back = rule(night, first, {"supersedes": own["ruling"]["id"]})
    assert (back["ruling"]["restores"], back["ruling"]["ruling"]) == (None, None)
    check(night)


def test_a_warning_leaves_an_objection_open() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, HANDS[0])["id"]
    east.post(f"hands/{hand}/objection", {"version": 1, "why": "no"})
    assert rule(night, hand, {"decision": "WARNING"})["hand"]["state"] == "disputed"
    check(night)


def test_letting_play_stand_leaves_objections_to_later_hands_open() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hands = [send(north, night, number, HANDS[number - 1])["id"] for number in (1, 2, 3)]
    east.post(f"hands/{hands[1]}/objection", {"version": 1, "why": "no"})
    fix = {
        "result": {**HANDS[0], "taken": {"N": 5, "E": 2, "S": 0, "W": 6}},
        "why": "south was clean",
        "policy": "let_stand",
    }
    assert night.desk.post(f"hands/{hands[0]}/versions", fix, version="1").status == 200
    assert night.desk.get(f"hands/{hands[1]}")["state"] == "disputed"
    check(night)


def test_that_a_result_stands_is_said_of_one_record_only() -> None:
    night = Night()
    night.club.confirming = "required"
    night.club.save()
    night.game = night.open(night.rules)
    (north,) = phones(night, "N")
    hand = send(north, night, 1, {**HANDS[0], "taken": {"N": 3, "E": 2, "S": 4, "W": 3}})["id"]
    assert night.desk.get(f"hands/{hand}")["state"] == "disputed"
    rule(night, hand, {**STANDS, "decision": "VOID_NO_REPLAY"})
    stands = rule(night, hand, STANDS)
    assert stands.status == 201
    wrong = {"result": {**HANDS[0], "taken": {"N": 9, "E": 9, "S": 4, "W": 3}}, "why": "a slip"}
    seen = str(night.desk.get(f"hands/{hand}")["revision"])
    assert night.desk.post(f"hands/{hand}/versions", wrong, version=seen).status == 200
    rule(night, hand, {"decision": "WARNING"})
    check(night)


def test_one_tag_lets_one_director_rule_once() -> None:
    night = Night()
    hand = night.enter(HANDS[2])["id"]
    move = {"decision": "CHIP_ADJUST", "chips": {"N": -5, "S": 5}}
    tag = night.desk.get(f"hands/{hand}").headers["ETag"].strip('"')
    first, second = (night.desk.post(f"hands/{hand}/rulings", move, version=tag) for _ in range(2))
    assert (first.status, second.status) == (201, 412)
    check(night)


def test_no_ruling_takes_more_from_the_pot_than_is_in_it() -> None:
    night = Night()
    hand = night.enter(HANDS[2])["id"]
    refused = rule(night, hand, {"decision": "CHIP_ADJUST", "chips": {"N": 100}, "pot": -100})
    assert (refused.status, refused["where"]["key"]) == (422, "pot")
    assert night.enter(HANDS[2]).status == 201


@pytest.mark.parametrize("order", [(1, 2, 3, 4), (4, 3, 2, 1), (2, 4, 1, 3)], ids=str)
def test_a_queue_that_goes_beyond_the_end_of_the_game_comes_to_the_same(
    order: tuple[int, ...],
) -> None:
    night = Night(length="hands:2")
    (north,) = phones(night, "N")
    for number in order:
        result = HANDS[1] if number == 2 else HANDS[0]
        body = {"id": str(uuid4()), "number": number, "result": result}
        answered = north.post(f"games/{night.game['id']}/hands", body)
        assert answered.status in (201, 409), answered
    look = night.look()
    assert (look["hands"], look["booked"], look["phase"]) == (2, 2, "over")
    assert night.chips() == "42/74/41/43 0"
    check(night)
    assert Game.objects.get(pk=night.game["id"]).phase == "over"


def test_where_nobody_confirms_a_second_record_confirms_nothing() -> None:
    night = Night()
    night.club.confirming = "off"
    night.club.save()
    night.game = night.open(night.rules)
    north, east = phones(night, "N", "E")
    first = send(north, night, 1, HANDS[0])
    assert send(east, night, 1, HANDS[0])["state"] == "void"
    assert night.desk.get(f"hands/{first['id']}")["certainty"] == "provisional"


def test_undoing_goes_back_step_by_step_and_brings_back_what_stood() -> None:
    night = Night()
    first = night.enter(HANDS[0])["id"]
    night.enter(HANDS[1])
    begun = night.chips()
    fixes = [
        ({"N": 5, "E": 2, "S": 0, "W": 6}, "let_stand"),
        ({"N": 1, "E": 6, "S": 3, "W": 3}, "resettle"),
    ]
    chips = [begun]
    for captures, policy in fixes:
        fix = {"result": {**HANDS[0], "taken": captures}, "why": "again", "policy": policy}
        seen = str(night.desk.get(f"hands/{first}")["revision"])
        assert night.desk.post(f"hands/{first}/versions", fix, version=seen).status == 200
        chips.append(night.chips())
        check(night)
    for back in reversed(chips[:-1]):
        seen = str(night.desk.get(f"hands/{first}")["revision"])
        undone = night.desk.post(f"hands/{first}/undo", {"why": "no"}, version=seen)
        assert undone.status == 200, undone
        assert night.chips() == back
        check(night)
    seen = str(night.desk.get(f"hands/{first}")["revision"])
    assert night.desk.post(f"hands/{first}/undo", {"why": "no"}, version=seen).status == 422
