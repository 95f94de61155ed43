"""Two records of one hand: beside each other, and settled by the table or by the director."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models.transfer import Transfer
from tests.api.desk import Answered, Desk, Night, taken
from tests.api.test_table_phones import check, phones, send
from tournaments.models import Result

pytestmark = pytest.mark.django_db

FIRST: dict[str, Any] = {"bidder": "E", "bid": 6, "pain": "H", "taken": taken("3/2/4/4")}
SECOND: dict[str, Any] = {**FIRST, "taken": taken("3/3/3/4")}


def differing(dispute: Answered) -> list[tuple[Any, ...]]:
    (comparison,) = dispute["comparisons"]
    items = [one for one in comparison["items"] if one["status"] == "differs"]
    return [(one["item"], one["seat"], one["first"], one["second"]) for one in items]


def test_two_records_stand_beside_each_other_with_what_differs() -> None:
    night = Night()
    north, east, south = phones(night, "N", "E", "S")
    first, second = send(north, night, 1, FIRST), send(east, night, 1, SECOND)
    for who in (north, east, night.desk):
        for hand in (first, second):
            found = who.get(f"hands/{hand['id']}/dispute")
            assert found.status == 200, found
            assert (found["hand"], found["state"]) == (first["id"], "disputed")
            assert differing(found) == [("taken", "E", 2, 3), ("taken", "S", 4, 3)]
    found = south.get(f"hands/{first['id']}/dispute")
    assert found["first"]["supported_by"] == ["N"]
    (other,) = found["others"]
    assert (other["hand"], other["seat"], other["supported_by"]) == (second["id"], "E", ["E"])
    assert other["result"] == {**SECOND, "taken": dict(zip("NESW", (3, 3, 3, 4), strict=True))}
    assert found["names"] == dict(zip("NESW", [f"Player {n}" for n in (1, 2, 3, 4)], strict=True))
    (comparison,) = found["comparisons"]
    assert comparison["question"]["text"] == (
        "Turn over the tricks of Player 2 and count hearts: 2 or 3?"
    )
    assert [one["said"] for one in found["statements"]] == ["sent", "sent"]
    check(night)


def test_a_hand_that_nobody_tells_otherwise_is_compared_with_nothing() -> None:
    night = Night()
    (north,) = phones(night, "N")
    hand = send(north, night, 1, FIRST)
    found = north.get(f"hands/{hand['id']}/dispute")
    assert (found["others"], found["comparisons"]) == ([], [])
    waiting = send(north, night, 3, FIRST)
    assert north.get(f"hands/{waiting['id']}/dispute")["first"]["result"] is None


def test_a_dispute_is_read_in_as_many_queries_however_many_records_it_has() -> None:
    night = Night()
    north, east, south = phones(night, "N", "E", "S")
    hand = send(north, night, 1, FIRST)["id"]
    send(east, night, 1, SECOND)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert north.get(f"hands/{hand}/dispute").status == 200
        counts.append(len(asked))
        send(south, night, 1, {**FIRST, "taken": taken("4/2/3/4")})
    assert counts[0] == counts[1]


def test_strangers_of_a_public_club_read_no_names() -> None:
    night = Night()
    (north,) = phones(night, "N")
    hand = send(north, night, 1, FIRST)["id"]
    night.club.is_public = True
    night.club.save()
    found = Desk().get(f"hands/{hand}/dispute")
    assert (found.status, found["names"]) == (200, {})


def agree(who: Desk, hand: Answered, choice: str, version: int = 1, **more: Any) -> Answered:
    said = {"version": version, "choice": choice, **more}
    return who.post(f"hands/{hand['id']}/agreement", said)


def look(night: Night, hand: Answered) -> Answered:
    return night.desk.get(f"hands/{hand['id']}")


def told_by_two(confirming: str = "optional") -> tuple[Night, list[Desk], Answered, Answered]:
    """A hand that north and east told differently; and the phones of all four."""
    night = Night()
    if confirming != "optional":
        night.club.confirming = confirming
        night.club.save()
        night.game = night.open(night.rules)
    table = phones(night, "N", "E", "S", "W")
    first, second = send(table[0], night, 1, FIRST), send(table[1], night, 1, SECOND)
    return night, table, first, second


def come_to(result: dict[str, Any]) -> str:
    """The chips after a hand that is told so at once."""
    night = Night()
    night.enter(result)
    return night.chips()


@pytest.mark.parametrize("confirming", ["optional", "required", "off"])
def test_whoever_told_the_first_record_says_that_the_second_is_right(confirming: str) -> None:
    night, (north, *_), first, second = told_by_two(confirming)
    agreed = agree(north, second, "second")
    assert (agreed.status, agreed["state"]) == (200, "accepted"), agreed
    assert (agreed["id"], agreed["version"], agreed["in_books"]) == (first["id"], 2, True)
    assert agreed["certainty"] == "confirmed"
    assert night.chips() == come_to(SECOND)
    assert look(night, second)["state"] == "void"
    versions = night.desk.get(f"hands/{first['id']}/versions")["versions"]
    assert [(one["seat"], one["source"]) for one in versions] == [
        ("N", "table link"),
        ("E", "table link"),
    ]
    check(night)


@pytest.mark.parametrize("confirming", ["optional", "required", "off"])
def test_whoever_told_the_second_record_says_that_the_first_is_right(confirming: str) -> None:
    night, (_, east, *_), _first, second = told_by_two(confirming)
    agreed = agree(east, second, "first")
    assert (agreed.status, agreed["state"], agreed["version"]) == (200, "accepted", 1), agreed
    assert agreed["certainty"] == "confirmed"
    assert night.chips() == come_to(FIRST)
    assert look(night, second)["state"] == "void"
    check(night)


def test_the_director_is_called_when_both_insist_and_no_more_when_they_agree() -> None:
    night, (north, east, *_), first, second = told_by_two()
    assert agree(north, second, "first")["director_called_at"] is None
    assert look(night, first)["state"] == "disputed"
    insisted = agree(east, second, "second", why="I counted them.")
    assert insisted["director_called_at"] is not None
    found = night.desk.get(f"hands/{first['id']}/dispute")
    said = [(one["seat"], one["said"], one["why"]) for one in found["statements"]]
    assert said[:2] == [("N", "sent", ""), ("E", "sent", "")]
    assert ("E", "objects", "I counted them.") in said
    check(night)
    agreed = agree(north, second, "second")
    assert (agreed["state"], agreed["director_called_at"]) == ("accepted", None)
    check(night)


def test_a_neutral_seat_settles_nothing() -> None:
    night, (_, _, south, _), first, second = told_by_two()
    for choice in ("second", "first", "second"):
        assert agree(south, second, choice)["state"] == "disputed"
    assert look(night, first)["state"] == "disputed"
    check(night)


def test_both_wrong_takes_both_back_and_the_hand_is_told_again() -> None:
    night, (north, east, south, _), first, second = told_by_two()
    before = Night().chips()
    assert agree(north, second, "neither")["state"] == "disputed"
    gone = agree(east, second, "neither")
    assert (gone.status, gone["state"]) == (200, "taken back"), gone
    assert (night.look()["hands"], night.chips(), night.state()["number"]) == (0, before, 1)
    assert look(night, second)["state"] == "taken back"
    check(night)
    again = send(south, night, 1, SECOND)
    assert (again.status, again["state"]) == (201, "accepted")
    assert night.chips() == come_to(SECOND)
    assert look(night, first)["rival_of"] == again["id"]
    check(night)
    assert send(north, night, 2, {"pain": "S", "taken": taken("5/0/5/3")}).status == 201
    check(night)


def test_the_table_calls_the_director_at_once() -> None:
    night, (north, *_), first, second = told_by_two()
    called = agree(north, second, "director")
    assert called["director_called_at"] is not None
    again = agree(north, first, "director")
    assert again["director_called_at"] == called["director_called_at"]
    choice = {"keep": False, "why": "I counted."}
    seen = str(look(night, first)["revision"])
    chosen = night.desk.post(f"hands/{second['id']}/choice", choice, version=seen)
    assert chosen["hand"]["director_called_at"] is None
    check(night)


def test_what_is_in_no_dispute_is_not_settled() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, FIRST)
    for choice in ("first", "second", "director"):
        assert agree(east, hand, choice).status == 422
    assert agree(night.desk, hand, "first").status == 422
    assert agree(east, hand, "second", version=2).status == 412


def test_an_objection_tells_only_what_was_different() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, FIRST)
    told = {"version": 1, "why": "I took three.", "result": {"taken": {"E": 3, "S": 3}}}
    objected = east.post(f"hands/{hand['id']}/objection", told)
    assert (objected.status, objected["rival_of"]) == (200, hand["id"]), objected
    found = north.get(f"hands/{hand['id']}/dispute")
    assert differing(found) == [("taken", "E", 2, 3), ("taken", "S", 4, 3)]
    assert [one["why"] for one in found["statements"]] == ["", "I took three."]
    assert agree(north, hand, "second")["state"] == "accepted"
    assert night.chips() == come_to(SECOND)
    check(night)


def test_an_objection_that_tells_the_same_is_none() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, FIRST)
    told = {"version": 1, "result": {"taken": {"E": 2}}}
    assert east.post(f"hands/{hand['id']}/objection", told).status == 422
    assert look(night, hand)["state"] == "accepted"


def test_who_objected_says_that_it_is_right_after_all() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, FIRST)
    east.post(f"hands/{hand['id']}/objection", {"version": 1, "why": "no"})
    assert look(night, hand)["state"] == "disputed"
    assert agree(east, hand, "first")["state"] == "accepted"
    check(night)


def test_who_told_a_hand_insists_and_the_director_is_called() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, FIRST)
    east.post(f"hands/{hand['id']}/objection", {"version": 1, "why": "no"})
    insisted = agree(north, hand, "first")
    assert (insisted["state"], insisted["certainty"]) == ("disputed", "provisional")
    assert insisted["director_called_at"] is not None
    check(night)


def take_back(who: Desk, hand: Answered, version: int = 1, **told: Any) -> Answered:
    return who.post(f"hands/{hand['id']}/take-back", {"version": version, **told})


def test_who_told_a_hand_tells_it_anew_until_somebody_agrees() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, FIRST)
    changed = take_back(north, hand, result=SECOND)
    assert (changed.status, changed["version"], changed["state"]) == (200, 2, "accepted")
    assert night.chips() == come_to(SECOND)
    check(night)
    east.post(f"hands/{hand['id']}/confirmation", {"version": 2})
    third = take_back(north, hand, version=2, result=FIRST)
    assert (third.status, third["rival_of"]) == (200, hand["id"])
    assert look(night, hand)["state"] == "disputed"
    assert agree(north, hand, "second", version=2)["state"] == "disputed"
    agreed = agree(east, hand, "second", version=2)
    assert (agreed["state"], agreed["certainty"]) == ("accepted", "confirmed")
    assert night.chips() == come_to(FIRST)
    check(night)


def test_a_hand_taken_back_for_good_leaves_the_game() -> None:
    night = Night()
    (north,) = phones(night, "N")
    before = night.chips()
    hand = send(north, night, 1, FIRST)
    gone = take_back(north, hand, why="wrong table")
    assert (gone.status, gone["state"], gone["settlement"]) == (200, "taken back", None)
    assert (night.look()["hands"], night.look()["counted"], night.chips()) == (0, 0, before)
    check(night)
    assert take_back(north, hand).status == 422
    assert north.post(f"hands/{hand['id']}/objection", {"version": 1, "why": "no"}).status == 422
    again = send(north, night, 1, FIRST, hand["id"])
    assert (again.status, again["state"]) == (200, "taken back")
    fresh = send(north, night, 1, FIRST)
    assert (fresh.status, fresh["state"], night.chips()) == (201, "accepted", come_to(FIRST))
    check(night)


def test_where_a_second_seat_is_required_a_mended_hand_waits_for_it_again() -> None:
    night = Night()
    night.club.confirming = "required"
    night.club.save()
    night.game = night.open(night.rules)
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, FIRST)
    changed = take_back(north, hand, result=SECOND)
    assert (changed["state"], changed["in_books"]) == ("draft", False)
    confirmed = east.post(f"hands/{hand['id']}/confirmation", {"version": 2})
    assert (confirmed["state"], confirmed["in_books"]) == ("accepted", True)
    check(night)


def test_only_who_told_a_hand_takes_it_back_and_never_a_ruled_one() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, FIRST)
    assert take_back(east, hand).status == 422
    assert take_back(night.desk, hand).status == 422
    ruling = {"decision": "RESULT_STANDS", "facts": "heard"}
    seen = str(look(night, hand)["revision"])
    night.desk.post(f"hands/{hand['id']}/rulings", ruling, version=seen)
    assert take_back(north, hand, result=SECOND).status == 422
    check(night)


def test_once_the_next_hand_is_begun_a_hand_is_taken_back_with_another_seat() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, FIRST)
    draft = {"number": 2, "change": 1, "answers": {"pain": "S"}}
    path = f"games/{night.game['id']}/drafts/4b1f6f0e-62a2-4a7e-9a39-0b4a3a3a1a01"
    assert east.send("PUT", path, draft).status in (200, 201)
    mended = take_back(north, hand, result=SECOND)
    assert mended["rival_of"] == hand["id"]
    assert agree(east, hand, "second")["state"] == "accepted"
    assert night.chips() == come_to(SECOND)
    check(night)


def test_a_confirmed_hand_is_taken_back_when_both_say_that_it_is_wrong() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, FIRST)
    east.post(f"hands/{hand['id']}/confirmation", {"version": 1})
    assert take_back(north, hand)["state"] == "disputed"
    gone = east.post(f"hands/{hand['id']}/objection", {"version": 1, "why": "It was a misdeal."})
    assert gone["state"] == "taken back", gone
    check(night)


def test_the_directors_ruling_comes_back_with_its_reason_and_its_effect() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, FIRST)
    east.post(f"hands/{hand['id']}/objection", {"version": 1, "why": "no"})
    assert north.get(f"hands/{hand['id']}/dispute")["decision"] is None
    ruling = {
        "decision": "CHIP_ADJUST",
        "chips": {"N": -2, "E": 2},
        "facts": "Counted.",
        "law": "8",
    }
    seen = str(look(night, hand)["revision"])
    assert night.desk.post(f"hands/{hand['id']}/rulings", ruling, version=seen).status == 201
    decision = north.get(f"hands/{hand['id']}/dispute")["decision"]
    assert (decision["words"], decision["why"]) == ("chips adjusted", "Counted.")
    moved = {
        seat: decision["held"][seat] - before for seat, before in decision["held_before"].items()
    }
    assert moved == {"N": -2, "E": 2, "S": 0, "W": 0}


@pytest.mark.parametrize("keep", [True, False])
def test_the_directors_choice_comes_back_with_its_reason_and_its_effect(keep: bool) -> None:
    night, (north, *_), first, second = told_by_two()
    seen = str(look(night, first)["revision"])
    choice = {"keep": keep, "why": "I counted."}
    night.desk.post(f"hands/{second['id']}/choice", choice, version=seen)
    decision = north.get(f"hands/{first['id']}/dispute")["decision"]
    assert decision["why"] == "I counted."
    assert (decision["held"] == decision["held_before"]) is keep
    check(night)


def test_an_objection_after_the_game_was_closed_calls_the_director_and_changes_nothing() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, FIRST)
    closing = {"reason": "It is late."}
    seen = str(night.look()["version"])
    path = f"games/{night.game['id']}/closing"
    assert night.desk.post(path, closing, version=seen).status == 200
    said = east.post(f"hands/{hand['id']}/objection", {"version": 1, "why": "I took three."})
    assert (said.status, said["state"]) == (200, "accepted"), said
    assert said["director_called_at"] is not None
    told = {"version": 1, "result": {"taken": {"E": 3, "S": 3}}}
    second = east.post(f"hands/{hand['id']}/objection", told)
    assert (second.status, second["state"]) == (200, "draft"), second
    assert (night.look()["phase"], look(night, hand)["state"]) == ("closed", "accepted")
    check(night)
    found = night.desk.get(f"hands/{hand['id']}/dispute")
    assert differing(found) == [("taken", "E", 2, 3), ("taken", "S", 4, 3)]
    seen = str(look(night, hand)["revision"])
    choice = {"keep": False, "why": "They agree."}
    chosen = night.desk.post(f"hands/{second['id']}/choice", choice, version=seen)
    assert (chosen.status, chosen["phase"]) == (200, "closed"), chosen
    assert look(night, hand)["director_called_at"] is None
    check(night)


def outcome(night: Night) -> tuple[Any, ...]:
    """What a game comes to: its chips, its books and what was reported to the standings."""
    game = night.game["id"]
    rows = Transfer.objects.filter(game=game, reverses=None, reversed_by=None)
    places = ("hand__number", "kind", "payer__seat", "payee__seat", "amount")
    booked = sorted(map(str, rows.values_list(*places)))
    results = Result.objects.filter(game=game).order_by("number", "seat")
    told = list(results.values_list("number", "seat", "score", "taken", "bid", "counts"))
    return night.chips(), night.state()["jackpot"], booked, told


SETTLED: list[dict[str, Any]] = [
    FIRST,
    SECOND,
    {**FIRST, "pain": "S"},
    {**FIRST, "bid": 1},
    {**FIRST, "taken": taken("0/0/0/13")},
    {**FIRST, "taken": taken("13/0/0/0"), "bidder": "N"},
    {"ending": "redeal"},
    {"ending": "not played"},
]


def outcome_alone(result: dict[str, Any]) -> tuple[Any, ...]:
    """What a game comes to by this record alone."""
    night = Night()
    (phone,) = phones(night, "N")
    send(phone, night, 1, result)
    return outcome(night)


@pytest.fixture(scope="module")
def outcomes(module_db: None) -> list[tuple[Any, ...]]:
    return [outcome_alone(result) for result in SETTLED]


@pytest.mark.parametrize("number", range(len(SETTLED)), ids=map(str, SETTLED))
@pytest.mark.parametrize("way", ["first", "second", "mended", "told again"])
def test_what_the_table_settles_is_what_that_record_alone_comes_to(
    outcomes: list[tuple[Any, ...]], number: int, way: str
) -> None:
    night, result = Night(), SETTLED[number]
    north, east = phones(night, "N", "E")
    wrong = {**FIRST, "taken": taken("1/1/1/10")}
    if way == "first":
        send(north, night, 1, result)
        settled = agree(east, send(east, night, 1, wrong), "first")
    elif way == "second":
        send(north, night, 1, wrong)
        settled = agree(north, send(east, night, 1, result), "second")
    elif way == "mended":
        settled = take_back(north, send(north, night, 1, wrong), result=result)
    else:
        take_back(north, send(north, night, 1, wrong))
        settled = send(north, night, 1, result)
    assert settled.status in (200, 201), settled
    assert outcome(night) == outcomes[number]
    check(night)


def test_one_key_takes_a_hand_back_once() -> None:
    night = Night()
    (north,) = phones(night, "N")
    hand = send(north, night, 1, FIRST)
    key = "9f0c9a3e-1a52-4f0f-8a3e-2f6b1f0f7a01"
    path = f"hands/{hand['id']}/take-back"
    first, again = (north.post(path, {"version": 1}, key=key) for _ in range(2))
    assert (first.status, again.status, first.data) == (200, 200, again.data)
    check(night)


def test_the_director_is_called_where_a_later_hand_was_played_for_what_would_be_gone() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, FIRST)
    send(north, night, 2, {"pain": "S", "taken": taken("5/0/5/3")})
    told = {"version": 1, "result": {"taken": {"E": 0, "S": 6}}}
    second = east.post(f"hands/{hand['id']}/objection", told)
    agreed = agree(north, second, "second")
    assert (agreed["state"], agreed["version"]) == ("disputed", 1), agreed
    assert agreed["director_called_at"] is not None
    check(night)


def test_an_objection_to_what_the_desk_has_entered_calls_the_director() -> None:
    night = Night()
    (east,) = phones(night, "E")
    hand = night.enter(FIRST)
    objected = east.post(f"hands/{hand['id']}/objection", {"version": 1, "why": "no"})
    assert (objected["state"], objected["director_called_at"] is None) == ("disputed", False)
    check(night)
