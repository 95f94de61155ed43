"""Phones at a table, through the API: seat links, offline queues, second seats, and mistakes."""

from itertools import permutations
from typing import Any
from uuid import UUID, uuid4

import pytest

from engine.core.cards import Suit
from engine.record.irregularities import Event
from scoring.models import Game
from scoring.models.states import read_state
from tests.api.asking import Asking
from tests.api.desk import Answered, Desk, Night, taken
from tests.scoring.club import assert_recomputes

pytestmark = pytest.mark.django_db

HANDS: list[dict[str, Any]] = [
    {"bidder": "E", "bid": 6, "pain": "H", "taken": taken("3/2/4/4")},
    {"pain": "S", "taken": taken("5/0/5/3")},
    {"bidder": "S", "bid": 4, "pain": "D", "taken": taken("0/9/0/4")},
]


def phones(night: Night, *seats: str) -> list[Desk]:
    """A phone for each seat, let in by its link."""
    made = night.desk.post(f"games/{night.game['id']}/links", {"seats": list(seats)})
    assert made.status == 201, made
    return [Desk(authorization=f"Seat {token}") for token in made["tokens"].split("\n")]


def send(phone: Desk, night: Night, number: int, result: Any, hand: str | None = None) -> Answered:
    body = {"id": hand or str(uuid4()), "number": number, "result": result}
    return phone.post(f"games/{night.game['id']}/hands", body)


def check(night: Night) -> None:
    assert_recomputes(Game.objects.get(pk=night.game["id"]))


def test_one_seat_enters_and_another_confirms() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    entered = send(north, night, 1, HANDS[0])
    assert (entered.status, entered["certainty"]) == (201, "provisional")
    path = f"hands/{entered['id']}/confirmation"
    alone = north.post(path, {"version": 1})
    assert (alone.status, alone["where"]) == (422, {"key": "seat"})
    stale = east.post(path, {"version": 2})
    assert (stale.status, stale["ours"]) == (412, 1)
    confirmed = east.post(path, {"version": 1})
    assert (confirmed.status, confirmed["certainty"]) == (200, "confirmed")
    check(night)


def test_where_a_second_seat_is_required_the_books_wait_for_it() -> None:
    night = Night()
    night.club.confirming = "required"
    night.club.save()
    night.game = night.open(night.rules)
    north, east = phones(night, "N", "E")
    entered = send(north, night, 1, HANDS[0])
    assert (entered["state"], entered["in_books"]) == ("draft", False)
    assert entered["settlement"]["next"]["jackpot"] == 1
    second = send(north, night, 2, HANDS[1])
    assert (second["state"], night.look()["booked"]) == ("draft", 0)
    east.post(f"hands/{second['id']}/confirmation", {"version": 1})
    assert night.look()["booked"] == 0
    first = east.post(f"hands/{entered['id']}/confirmation", {"version": 1})
    assert (first["state"], first["in_books"], night.look()["booked"]) == ("accepted", True, 2)
    check(night)


def test_a_word_on_an_old_version_is_told_what_stands_now() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    entered = send(north, night, 1, HANDS[2])
    path = f"hands/{entered['id']}"
    other = {"bidder": "S", "bid": 4, "pain": "D", "taken": taken("1/8/0/4")}
    night.desk.post(f"{path}/versions", {"result": other, "why": "recount"}, version="1")
    stale = east.post(f"{path}/confirmation", {"version": 1})
    assert (stale.status, stale["ours"], stale["current"]["result"]) == (412, 2, other)
    assert stale["difference"] == {"version": {"yours": 1, "ours": 2}}


def test_a_text_that_the_game_completed_is_told_as_it_came() -> None:
    night = Night()
    text = '[Dealer "N"]\n'
    body = {"id": str(uuid4()), "number": 1, "text": text}
    entered = night.desk.post(f"games/{night.game['id']}/hands", body)
    assert entered.status == 201, entered
    (east,) = phones(night, "E")
    stale = east.post(f"hands/{entered['id']}/confirmation", {"version": 2})
    assert (stale.status, stale["current"]["text"]) == (412, text)
    fix = {"text": '[Dealer "E"]\n', "why": "no"}
    late = night.desk.post(f"hands/{entered['id']}/versions", fix, version="9")
    assert late["difference"] == {"text": {"yours": fix["text"], "ours": text}}


def test_the_hands_of_a_game_are_listed_by_their_numbers_with_second_records_beside() -> None:
    night = Night()
    ids = sorted((str(uuid4()) for _ in range(4)), reverse=True)
    north, east = phones(night, "N", "E")
    for number, (hand, result) in enumerate(zip(ids, HANDS, strict=False), start=1):
        send(north, night, number, result, hand)
    send(east, night, 2, {"pain": "S", "taken": taken("5/1/5/2")}, ids[3])
    listed: list[tuple[int, bool]] = []
    page: str | None = f"games/{night.game['id']}/hands?limit=1"
    while page:
        shown = night.desk.get(page)
        listed += [(one["number"], one["rival_of"] is not None) for one in shown["items"]]
        page = shown["next"] and shown["next"].removeprefix("/api/v1/")
    assert [number for number, _ in listed] == [1, 2, 2, 3]
    assert sorted(listed) == [(1, False), (2, False), (2, True), (3, False)]


def test_an_objection_waits_for_the_director() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    entered = send(north, night, 1, HANDS[0])
    refused = east.post(f"hands/{entered['id']}/objection", {"version": 1, "why": " "})
    assert refused.status == 422
    objected = east.post(f"hands/{entered['id']}/objection", {"version": 1, "why": "I took 3."})
    assert (objected["state"], objected["reason"]) == ("disputed", "I took 3.")
    assert night.look()["booked"] == 0
    offered = night.desk.get(f"hands/{entered['id']}/proposals")["proposals"]
    ruled = night.desk.post(
        f"hands/{entered['id']}/rulings",
        offered[0]["ruling"],
        version=str(objected["revision"]),
    )
    assert (ruled.status, ruled["hand"]["state"], night.look()["booked"]) == (201, "ruled", 1)
    check(night)


def test_the_director_asks_what_the_law_says_of_what_no_record_shows() -> None:
    night = Night()
    (north,) = phones(night, "N")
    entered = send(north, night, 1, HANDS[0])
    path = f"hands/{entered['id']}/proposals"
    assert night.desk.get(path)["proposals"] == []
    told = night.desk.get(f"{path}?code=revoke&offenders=n,E")["proposals"]
    assert told[0]["ruling"] == {
        "decision": "REVOKE_LAW",
        "code": "REVOKE",
        "offenders": ["N", "E"],
    }
    early = night.desk.get(f"{path}?code=P51&offenders=N&found=before_established")["proposals"]
    assert early[0]["ruling"]["decision"] == "CARD_CORRECTED"
    assert early[0]["settlement"]["next"] == entered["settlement"]["next"]
    warned = night.desk.get(f"{path}?code=INSPECT_TRICK&offenders=N")["proposals"]
    assert [one["ruling"]["decision"] for one in warned] == ["WARNING"]
    for query, key in (("code=NONE", "code"), ("code=REVOKE", "offenders")):
        refused = night.desk.get(f"{path}?{query}")
        assert (refused.status, refused["where"]["key"]) == (422, key), refused
    ruled = night.desk.post(
        f"hands/{entered['id']}/rulings",
        {"decision": "WARNING", "code": "PROCEDURE", "offenders": ["N"], "facts": "Slow."},
        version=str(entered["revision"]),
    )
    assert (ruled.status, ruled["ruling"]["ruling"]["code"]) == (201, "PROCEDURE")
    check(night)


def test_the_irregularities_are_listed_for_everybody() -> None:
    items = Asking().get("/api/v1/irregularities").json()["items"]
    assert [one["irregularity"] for one in items] == [event.name for event in Event]
    by_name = {one["irregularity"]: one for one in items}
    assert by_name["FORBIDDEN_CARD"]["codes"] == ["P52", "P53", "P54", "P55"]


def test_seats_that_share_the_link_of_a_table_share_no_keys() -> None:
    night = Night()
    (table,) = phones(night, "table")
    shown = table.headers["authorization"]
    north, east = (Desk(authorization=f"{shown} {seat}") for seat in "NE")
    key = str(uuid4())
    body = {"id": str(uuid4()), "number": 1, "result": HANDS[0]}
    path = f"games/{night.game['id']}/hands"
    entered = north.post(path, body, key=key)
    assert (entered.status, entered["certainty"]) == (201, "provisional")
    again = north.post(path, body, key=key)
    assert (again.data, again.headers["Idempotent-Replay"]) == (entered.data, "true")
    second = east.post(f"hands/{entered['id']}/confirmation", {"version": 1}, key=key)
    assert (second.status, second["certainty"]) == (200, "confirmed"), second
    check(night)


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))), ids=str)
def test_a_phone_that_was_offline_sends_its_queue_in_any_order_twice(order: tuple[int]) -> None:
    night = Night()
    (north,) = phones(night, "N")
    ids = {number: str(uuid4()) for number in (1, 2, 3)}
    for number in (*order, *reversed(order)):
        sent = send(north, night, number, HANDS[number - 1], ids[number])
        assert sent.status in (200, 201), sent
    assert night.chips() == "50/65/45/39 1"
    assert night.look()["booked"] == 3
    listed = night.desk.get(f"games/{night.game['id']}/hands")["items"]
    assert sorted(hand["number"] for hand in listed) == [1, 2, 3]
    check(night)


def test_two_records_of_one_hand_are_both_kept_until_the_director_chooses() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    first = send(north, night, 1, HANDS[0])
    second = send(east, night, 1, {**HANDS[0], "taken": taken("2/3/4/4")})
    assert (second.status, second["state"], second["rival_of"]) == (201, "disputed", first["id"])
    assert night.desk.get(f"hands/{first['id']}")["state"] == "disputed"
    assert night.look()["booked"] == 0
    choice = {"keep": False, "why": "counted"}
    stale = night.desk.post(f"hands/{second['id']}/choice", choice, version="1")
    assert stale.status == 412
    seen = night.desk.get(f"hands/{first['id']}")["revision"]
    chosen = night.desk.post(f"hands/{second['id']}/choice", choice, version=str(seen))
    assert (chosen.status, chosen["hand"]["state"]) == (200, "accepted")
    assert night.chips() == "48/41/46/46 19"
    history = night.desk.get(f"hands/{first['id']}/versions")
    assert [version["number"] for version in history["versions"]] == [1, 2]
    check(night)


def test_the_same_record_from_a_second_seat_confirms_the_first() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    first = send(north, night, 1, HANDS[0])
    second = send(east, night, 1, HANDS[0])
    assert (second.status, second["state"]) == (201, "void")
    assert night.desk.get(f"hands/{first['id']}")["certainty"] == "confirmed"
    check(night)


def test_a_record_in_another_form_that_says_the_same_confirms_too() -> None:
    night = Night()
    north, east = phones(night, "N", "E")
    first = send(north, night, 1, HANDS[0])
    text = night.desk.get(f"hands/{first['id']}/versions")["versions"][0]["text"]
    body = {"id": str(uuid4()), "number": 1, "text": text.replace("\n", "\r\n") + "; by East"}
    second = east.post(f"games/{night.game['id']}/hands", body)
    assert (second.status, second["state"]) == (201, "void")
    assert night.desk.get(f"hands/{first['id']}")["certainty"] == "confirmed"


def test_a_known_id_with_another_record_changes_nothing() -> None:
    night = Night()
    (north,) = phones(night, "N")
    first = send(north, night, 1, HANDS[0])
    other = send(north, night, 1, HANDS[1], first["id"])
    assert (other.status, other["code"]) == (409, "CONFLICT")
    assert set(other["difference"]) == {"yours", "ours"}
    assert night.look()["hands"] == 1


def test_the_same_request_twice_is_answered_twice_alike() -> None:
    night = Night()
    key = str(uuid4())
    body = {"id": str(uuid4()), "number": 1, "result": HANDS[0]}
    path = f"games/{night.game['id']}/hands"
    first, again = (night.desk.post(path, body, key=key) for _ in range(2))
    assert (first.status, first.data) == (again.status, again.data)
    assert again.headers["Idempotent-Replay"] == "true"
    other = night.desk.post(path, {**body, "number": 2}, key=key)
    assert (other.status, other["code"]) == (409, "KEY_REUSED")


def test_two_directors_correct_one_hand_and_the_second_sees_the_first() -> None:
    night = Night()
    entered = night.enter(HANDS[0])
    path = f"hands/{entered['id']}/versions"
    fix = {"result": {**HANDS[0], "bid": 5}, "why": "they bid five"}
    assert night.desk.post(path, fix).status == 428
    assert night.desk.post(path, fix, version="1").status == 200
    same = night.desk.post(path, {**fix, "why": "me too"}, version="1")
    assert (same.status, same["difference"]) == (412, {})
    seven = {**HANDS[0], "bid": 7}
    late = night.desk.post(path, {"result": seven, "why": "they bid seven"}, version="1")
    assert (late.status, late["yours"]) == (412, 1)
    assert late["ours"] == night.desk.get(f"hands/{entered['id']}")["revision"]
    assert late["difference"] == {"result": {"yours": seven, "ours": fix["result"]}}
    assert night.chips() == "47/43/46/46 18"
    check(night)


def test_a_correction_shows_what_it_does_to_later_hands_and_can_let_them_stand() -> None:
    night = Night()
    first = night.enter(HANDS[0])
    night.enter(HANDS[1])
    fix = {"result": {**HANDS[0], "taken": taken("5/2/0/6")}, "why": "south was clean"}
    preview = night.desk.post(f"hands/{first['id']}/correction-preview", fix, version="1")
    later = preview["consequences"][1]
    assert later["verdict"] == "conflict"
    assert later["premises"] == ["It was played for a jackpot that was not one."]
    assert night.chips() == "42/74/41/43 0"
    done = night.desk.post(
        f"hands/{first['id']}/versions", {**fix, "policy": "let_stand"}, version="1"
    )
    assert [one["verdict"] for one in done["consequences"]] == ["resettled", "resettled"]
    assert night.chips() == "40/74/45/41 0"
    undone = night.desk.post(
        f"hands/{first['id']}/undo",
        {"why": "they were not"},
        version=str(done["hand"]["revision"]),
    )
    assert undone.status == 200, undone
    assert night.chips() == "42/74/41/43 0"
    check(night)


def test_links_open_their_own_game_and_nothing_else() -> None:
    night, other = Night(), Night()
    (north,) = phones(night, "N")
    assert north.get(f"games/{night.game['id']}").status == 200
    for path in (f"games/{other.game['id']}", f"clubs/{night.club.pk}"):
        assert north.get(path).status in (401, 404), path
    assert send(north, other, 1, HANDS[0]).status == 404
    entered = send(north, night, 1, HANDS[0])
    ruled = north.post(f"hands/{entered['id']}/rulings", {"decision": "WARNING"}, version="1")
    assert ruled.status == 403


def test_a_revoked_link_says_so_and_a_made_up_one_is_nothing() -> None:
    night = Night()
    (north,) = phones(night, "N")
    links = night.desk.get(f"games/{night.game['id']}/links")["links"]
    revoked = night.desk.send("DELETE", f"games/{night.game['id']}/links/{links[0]['id']}")
    assert revoked["revoked_at"] is not None
    assert north.get(f"games/{night.game['id']}").status == 410
    stranger = Desk(authorization="Seat " + "x" * 32)
    assert stranger.get(f"games/{night.game['id']}").status == 404


def test_a_link_of_the_table_must_say_for_which_seat() -> None:
    night = Night()
    made = night.desk.post(f"games/{night.game['id']}/links", {"seats": ["table"]})
    token = made["tokens"]
    assert Desk(authorization=f"Seat {token}").get(f"games/{night.game['id']}").status == 422
    east = Desk(authorization=f"Seat {token} E")
    entered = send(east, night, 1, HANDS[0])
    assert entered.status == 201
    history = night.desk.get(f"hands/{entered['id']}/versions")["versions"]
    assert (history[0]["seat"], history[0]["source"]) == ("E", "table link")


BAD_HANDS: list[tuple[str, dict[str, Any], int, str]] = [
    ("nothing", {}, 422, "text"),
    ("two forms", {"text": "x", "result": {}}, 422, "result"),
    ("a seat that is none", {"result": {**HANDS[0], "bidder": "Q"}}, 422, "bidder"),
    ("a bid of 10^30", {"result": {**HANDS[0], "bid": 10**30}}, 400, ""),
    ("a number that is none", {"number": 0, "result": HANDS[0]}, 400, "number"),
    ("a hand far away", {"number": 5000, "result": HANDS[0]}, 422, "number"),
    ("70 KiB", {"text": "x" * 70_000}, 400, "text"),
    ("a key that nobody knows", {"result": HANDS[0], "pot": 3}, 400, "pot"),
    ("a field that nobody knows", {"result": {**HANDS[0], "pott": 3}}, 422, "pott"),
    ("an id that is none", {"id": "1", "result": HANDS[0]}, 400, "id"),
]


@pytest.mark.parametrize(
    ("body", "status", "key"), [one[1:] for one in BAD_HANDS], ids=[one[0] for one in BAD_HANDS]
)
def test_what_cannot_be_a_hand_is_refused_at_its_field(
    body: dict[str, Any], status: int, key: str
) -> None:
    night = Night()
    sent = {"id": str(uuid4()), "number": 1, **body}
    answered = night.desk.post(f"games/{night.game['id']}/hands", sent)
    assert answered.status == status, answered
    if key:
        assert answered["where"]["key"] == key, answered
    assert night.look()["hands"] == 0


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("result", {"taken": "\ud800"}),
        ("result", {"papers": {"\ud800": 1}}),
        ("result", {"\ud800": 1}),
        ("actions", {"calls": ["\udfff"]}),
        ("actions", {"\udfff": 1}),
    ],
    ids=["a value", "a seat", "a field", "in a list", "a field of the moves"],
)
def test_half_a_surrogate_is_refused_wherever_it_stands(form: str, value: dict[str, Any]) -> None:
    night = Night()
    body = {"id": str(uuid4()), "number": 1, form: value}
    refused = night.desk.post(f"games/{night.game['id']}/hands", body)
    assert (refused.status, refused["code"]) == (400, "ENCODING")
    assert refused["where"]["key"].startswith(f"{form}.")
    assert night.look()["hands"] == 0


def test_a_record_of_two_megabytes_is_too_long() -> None:
    night = Night()
    answered = night.desk.post(
        f"games/{night.game['id']}/hands",
        {"id": str(uuid4()), "number": 1, "text": "x" * 2_000_000},
    )
    assert (answered.status, answered["code"]) == (413, "TOO_LONG")


@pytest.mark.parametrize("text", ["we forgot", '[Event "x"]', "% PHN 1.0\n\n{ unclosed"])
def test_what_nobody_can_read_is_kept_and_waits_for_the_director(text: str) -> None:
    night = Night()
    sent = {"id": str(uuid4()), "number": 1, "text": text}
    answered = night.desk.post(f"games/{night.game['id']}/hands", sent)
    assert (answered.status, answered["state"]) == (201, "disputed")
    history = night.desk.get(f"hands/{sent['id']}/versions")["versions"]
    assert (history[0]["sent"] or history[0]["text"]) == text
    assert night.look()["booked"] == 0


BAD_RULINGS: list[tuple[str, dict[str, Any], str]] = [
    ("no chip", {"decision": "CHIP_ADJUST", "chips": {"N": 0, "E": 0}, "pot": 0}, "chips"),
    ("no number at all", {"decision": "CHIP_ADJUST", "facts": "counted"}, "chips"),
    ("no point", {"decision": "SCORE_ADJUST", "score": {"N": 0}}, "score"),
    ("not zero", {"decision": "CHIP_ADJUST", "chips": {"N": 3}}, "ruling"),
    (
        "below nothing",
        {"decision": "CHIP_ADJUST", "chips": {"N": -100, "E": 100}},
        "chips",
    ),
    ("captures", {"decision": "ASSIGNED_CAPTURES", "taken": {"N": 12}}, "ruling"),
    ("nobody revoked", {"decision": "REVOKE_LAW", "offenders": []}, "ruling"),
    ("no such seat", {"decision": "REVOKE_LAW", "offenders": ["X"]}, "offenders"),
    ("no such code", {"decision": "WARNING", "code": "Z99"}, "code"),
    ("no such ruling", {"supersedes": str(UUID(int=7))}, "supersedes"),
    ("nothing", {}, "supersedes"),
    ("an offender twice", {"decision": "REVOKE_LAW", "offenders": ["N", "N"]}, "offenders"),
    ("a queen that does not count", {"decision": "WARNING", "queen": "N"}, "queen"),
    ("a foot nobody has", {"decision": "WARNING", "then": {"feet": ["N"]}}, "then.feet"),
    ("a trick too many", {"decision": "WARNING", "trick": 14}, "trick"),
    ("no card", {"decision": "WARNING", "card": "ZZ"}, "card"),
]


@pytest.mark.parametrize(
    ("ruling", "key"), [one[1:] for one in BAD_RULINGS], ids=[one[0] for one in BAD_RULINGS]
)
def test_what_no_director_can_decide_changes_nothing(ruling: dict[str, Any], key: str) -> None:
    night = Night()
    entered = night.enter(HANDS[2])
    before = night.look()
    answered = night.desk.post(f"hands/{entered['id']}/rulings", ruling, version="1")
    assert (answered.status, answered["where"]["key"]) == (422, key), answered
    assert night.look() == before
    check(night)


def test_refusals_name_the_seats_as_the_table_does() -> None:
    night = Night()
    entered = night.enter(HANDS[2])
    moved = {"decision": "CHIP_ADJUST", "chips": {"W": -90, "N": 90}, "facts": "counted"}
    answered = night.desk.post(f"hands/{entered['id']}/rulings", moved, version="1")
    assert "leave seat W with" in answered["detail"]
    nobody = {"decision": "CHIP_ADJUST", "chips": {"Q": 1}}
    answered = night.desk.post(f"hands/{entered['id']}/ruling-preview", nobody)
    assert answered["detail"] == "'Q' is no seat of this table; the seats are N E S W."
    below = {"decision": "ASSIGNED_CAPTURES", "taken": {"N": 14, "E": -1}}
    answered = night.desk.post(f"hands/{entered['id']}/ruling-preview", below)
    assert (answered.status, "fewer than no" in answered["detail"]) == (422, True)


def test_a_game_without_a_pot_has_no_jackpot_to_rule_on() -> None:
    night = Night("sahara")
    entered = night.enter({"taken": taken("3/4/6/0"), "queen": "S"})
    ruling = {"decision": "RESULT_STANDS", "then": {"jackpot": 1, "namer": "N"}}
    answered = night.desk.post(f"hands/{entered['id']}/ruling-preview", ruling)
    assert (answered.status, answered["where"]) == (422, {"key": "then.jackpot"})


def test_the_suit_of_a_jackpot_can_be_ruled_where_it_stays_the_same() -> None:
    night = Night(jackpot_suit="same")
    entered = night.enter(HANDS[2])
    then = {"jackpot": 1, "namer": "N", "pain": "D"}
    ruling = {"decision": "RESULT_STANDS", "facts": "It was not won.", "then": then}
    answered = night.desk.post(f"hands/{entered['id']}/rulings", ruling, version="1")
    assert answered.status == 201, answered
    jackpot = read_state(Game.objects.get(pk=night.game["id"]).state)
    assert (jackpot.jackpot, jackpot.namer, jackpot.pain) == (1, 0, Suit.DIAMONDS)
    unknown = ruling | {"then": {"pain": "X"}}
    answered = night.desk.post(f"hands/{entered['id']}/ruling-preview", unknown)
    assert (answered.status, answered["where"]) == (400, {"key": "then.pain"})
    check(night)


def test_a_name_of_ten_thousand_characters_is_refused() -> None:
    night = Night()
    path, body = f"games/{night.game['id']}", {"name": "x" * 10_000}
    answered = night.desk.patch(path, body, version=str(night.game["version"]))
    assert (answered.status, answered["where"]) == (400, {"key": "name"})


def test_a_closed_game_is_corrected_and_its_closing_follows() -> None:
    night = Night(buy_in="1000", currency="EUR")
    first = night.enter(HANDS[2])
    version = str(night.look()["version"])
    closed = night.desk.post(
        f"games/{night.game['id']}/closing", {"reason": "last tram"}, version=version
    )
    assert closed.status == 200, closed
    assert sum(closed["outcome"]["amounts"].values()) + closed["outcome"]["fund"] == 4000
    refused = send(night.desk, night, 2, HANDS[2])
    assert (refused.status, refused["code"]) == (409, "GAME_OVER")
    fix = {"result": {**HANDS[2], "taken": taken("4/9/0/0")}, "why": "read across"}
    corrected = night.desk.post(f"hands/{first['id']}/versions", fix, version="1")
    assert (corrected.status, corrected["phase"]) == (200, "closed"), corrected
    look = night.look()
    assert (look["phase"], night.chips()) == ("closed", "46/41/54/58 1")
    books = night.desk.get(f"games/{night.game['id']}/books?limit=100")["items"]
    for unit in ("chips", "EUR"):
        rows = [row for row in books if row["unit"] == unit and row["payee"] != row["payer"]]
        assert rows, unit
