"""What people wrote, and their names: for members and the table, never for the public."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.desk import Answered, Desk, Night, give_role, make_account

pytestmark = pytest.mark.django_db

SECRET = "Adams-Secret"
RECORD = f"""% PHN 1.0
[Event "Party of {SECRET}"]
[Site "At {SECRET}'s"]
[Table "{SECRET}"]
[Date "{SECRET}"]
[Odd "{SECRET}"]
[Variant "auction-bicycle"]
[Seats "N E S W"]
[North "Nora {SECRET}"]
[East "Eve {SECRET}"]
[South "Sam {SECRET}"]
[West "Wim {SECRET}"]
[Dealer "N"]
[Detail "score"]
[Declarer "E"]
[PainSuit "H"]
[ScoreTable "Seat;Pain;Bid"]
N 3 0
E 2 6
S 4 0
W 4 0
; {SECRET} was late {{{SECRET}}}
"""


@pytest.fixture
def night() -> Night:
    night = Night()
    night.club.is_public = True
    night.club.save()
    return night


def phone(night: Night, seat: str) -> Desk:
    made = night.desk.post(f"games/{night.game['id']}/links", {"seats": [seat]})
    return Desk(authorization=f"Seat {made['tokens']}")


@pytest.fixture
def hand(night: Night) -> Answered:
    """A hand with names on it, an objection, a correction and two rulings, in people's words."""
    body = {"id": str(uuid4()), "number": 1, "text": RECORD}
    entered = phone(night, "N").post(f"games/{night.game['id']}/hands", body)
    assert entered.status == 201, entered
    objection = {"version": 1, "why": f"{SECRET} took three."}
    path = f"hands/{entered['id']}"
    facts = {"facts": SECRET, "law": SECRET, "told_to": [SECRET], "called_by": "E"}
    ruling = {"decision": "CHIP_ADJUST", "chips": {"N": -1, "E": 1}, **facts}
    ruled = night.desk.post(f"{path}/rulings", ruling, version="1")
    assert ruled.status == 201, ruled
    sent = {"text": RECORD.replace("late", "early"), "why": f"{SECRET} says so."}
    revision = str(ruled["hand"]["revision"])
    corrected = night.desk.post(f"{path}/versions", sent, version=revision)
    assert corrected.status == 200, corrected
    objected = phone(night, "E").post(f"{path}/objection", objection | {"version": 2})
    assert (objected.status, objected["state"]) == (200, "disputed"), objected
    assert objected["reason"] == objection["why"]
    return objected


def pages(night: Night, hand: Answered) -> list[str]:
    one, game = f"hands/{hand['id']}", f"games/{night.game['id']}"
    own = [one, f"{one}/record", f"{one}/versions", f"{one}/rulings"]
    return [*own, f"{game}/hands", game, f"{game}/books"]


def a_member(night: Night, kind: str) -> Desk:
    account = make_account(f"{kind}-of-{night.club.pk}")
    give_role(account, night.club, kind)
    return Desk(account)


def read(desk: Desk, paths: list[str]) -> list[Any]:
    answers = [desk.get(path) for path in paths]
    assert [answer.status for answer in answers] == [200] * len(paths), answers
    return [answer.data for answer in answers]


def test_the_public_reads_no_names_and_nobody_s_words(night: Night, hand: Answered) -> None:
    other = Desk(authorization=phone_of_another_game(night))
    for desk in (Desk(), Desk(make_account("stranger")), other):
        found = read(desk, pages(night, hand))
        assert SECRET not in str(found)
        shown, record, history, rulings, listed, *_ = found
        assert (shown["state"], shown["reason"]) == ("disputed", None)
        assert listed["items"][0]["reason"] is None
        assert (record["players"], record["event"]) == ({}, None)
        assert [one["text"] for one in history["versions"]] == [None, None]
        assert [one["why"] for one in history["versions"] + history["words"]] == [None] * 3
        (ruling,) = rulings["rulings"]
        assert (ruling["facts"], ruling["law"], ruling["told_to"]) == (None, None, None)
        assert ruling["called_by"] == "E"
        assert ruling["ruling"]["chips"]["N"] == -1


def phone_of_another_game(night: Night) -> str:
    game = night.open()
    made = night.desk.post(f"games/{game['id']}/links", {"seats": ["N"]})
    return f"Seat {made['tokens']}"


def test_members_and_the_table_read_everything(night: Night, hand: Answered) -> None:
    members = [a_member(night, kind) for kind in ("player", "treasurer", "admin")]
    for desk in (night.desk, *members, phone(night, "S")):
        shown, record, history, rulings, listed, *_ = read(desk, pages(night, hand))
        assert shown["reason"] == listed["items"][0]["reason"] == f"{SECRET} took three."
        assert record["players"]["N"] == f"Nora {SECRET}"
        assert record["title"].endswith(SECRET)
        assert SECRET in history["versions"][0]["text"]
        assert history["words"][0]["why"] == f"{SECRET} took three."
        assert rulings["rulings"][0]["told_to"] == [SECRET]
        assert rulings["rulings"][0]["facts"] == rulings["rulings"][0]["law"] == SECRET


def test_the_director_lists_what_waits_for_him(night: Night, hand: Answered) -> None:
    game, club = f"games/{night.game['id']}/hands", f"clubs/{night.club.pk}/hands"
    for path in (game, club):
        found = night.desk.get(f"{path}?state=disputed")
        listed = [(one["id"], one["is_objection"]) for one in found["items"]]
        assert listed == [(hand["id"], True)]
        with CaptureQueriesContext(connection) as seen:
            night.desk.get(f"{path}?state=disputed")
        words = [one["sql"] for one in seen if "scoring_word" in one["sql"]]
        assert len(words) == 1, "the list asks for the objections of all its hands at once"
        assert night.desk.get(f"{path}?state=accepted")["items"] == []
        assert night.desk.get(f"{path}?state=strange").status == 400
    assert night.desk.get(club)["items"][0]["game"] == night.game["id"]
    assert a_member(night, "player").get(club).status == 403
