"""Drafts: what one phone has told of a hand is kept for the others of its table, secrets not."""

import json
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from engine.core.cards import NAMES, members
from scoring.games.links import make_links
from scoring.hands import drafts
from scoring.models import Game, Hand, HandDraft
from scoring.settlement.plan import GameOverError
from tests.api.desk import Answered, Desk, Night, taken
from tests.api.test_table_phones import phones
from tests.scoring.club import DIRECTOR, state_of
from tests.tournaments.events.test_boards import prepared
from tests.tournaments.night import start
from tournaments.core.deals import read_deal
from tournaments.models import AuditEntry, Board

pytestmark = pytest.mark.django_db

TOLD: dict[str, Any] = {"bid E": "pass", "bid S": 4, "cards": True, "leader": "S", "card 0": "C2"}
OTHERS: dict[str, Any] = {"feet": ["N", "SE"], "tricks": False, "centre": ["S2", "S3", "S4", "S5"]}


def keep(phone: Desk, night: Night, draft: UUID, change: int, **more: Any) -> Answered:
    body = {"number": 1, "change": change, "answers": TOLD} | more
    return phone.send("PUT", f"games/{night.game['id']}/drafts/{draft}", body)


def listed(phone: Desk, night: Night) -> list[dict[str, Any]]:
    found = phone.get(f"games/{night.game['id']}/drafts")
    assert found.status == 200, found
    rows: list[dict[str, Any]] = found["drafts"]
    return rows


@pytest.fixture
def night() -> Night:
    return Night()


def test_what_one_phone_told_is_offered_to_the_others(night: Night) -> None:
    north, east = phones(night, "N", "E")
    draft = uuid4()
    assert keep(north, night, draft, 3).status == 200
    (found,) = listed(east, night)
    assert (found["id"], found["seat"], found["change"]) == (str(draft), "N", 3)
    assert list(found["answers"].items()) == list(TOLD.items())
    assert keep(east, night, uuid4(), 1, continues=str(draft), seen=3, answers=OTHERS).status == 200
    _, other = listed(north, night)
    assert (other["seat"], other["continues"], other["seen"]) == ("E", str(draft), 3)
    assert other["answers"] == OTHERS


def test_a_late_copy_changes_nothing_and_the_same_again_neither(night: Night) -> None:
    (north,) = phones(night, "N")
    draft = uuid4()
    keep(north, night, draft, 5)
    kept = HandDraft.objects.get()
    late = keep(north, night, draft, 4, answers={"bid E": 2})
    assert (late.status, late["change"], late["answers"]) == (200, 5, TOLD)
    assert keep(north, night, draft, 5).status == 200
    assert HandDraft.objects.get().kept_at == kept.kept_at
    assert keep(north, night, draft, 6, answers={})["answers"] == {}


def test_two_windows_of_one_phone_are_told_apart(night: Night) -> None:
    (north,) = phones(night, "N")
    draft = uuid4()
    keep(north, night, draft, 5)
    other = keep(north, night, draft, 5, answers={"bid E": 2})
    assert (other.status, other["code"]) == (409, "CONFLICT")
    assert listed(north, night)[0]["answers"] == TOLD


def test_nobody_writes_to_the_draft_of_another_phone(night: Night) -> None:
    north, east = phones(night, "N", "E")
    draft = uuid4()
    keep(north, night, draft, 1)
    assert keep(east, night, draft, 2, answers={}).status == 403
    assert listed(east, night)[0]["answers"] == TOLD
    (stranger,) = phones(Night(), "N")
    assert stranger.get(f"games/{night.game['id']}/drafts").status == 404
    assert keep(stranger, night, draft, 2).status == 404


def test_a_draft_of_another_game_or_hand_is_another(night: Night) -> None:
    (north,) = phones(night, "N")
    draft = uuid4()
    keep(north, night, draft, 1)
    assert keep(north, night, draft, 2, number=2).status == 422
    night.game = night.open()
    (there,) = phones(night, "N")
    assert keep(there, night, draft, 2).status == 422


@pytest.mark.parametrize("secret", ["paper E", "pass N", "pass", "paper"])
def test_what_others_may_not_know_yet_is_refused(night: Night, secret: str) -> None:
    (north,) = phones(night, "N")
    refused = keep(north, night, uuid4(), 1, answers={"bid E": 2, secret: 5})
    assert (refused.status, refused["where"]) == (422, {"key": f"answers.{secret}"})
    assert not HandDraft.objects.exists()


NONSENSE: dict[str, Any] = {
    "long question": {"x" * 200: 1},
    "no question": {"<b>": 1},
    "object": {"bid E": {"a": 1}},
    "null": {"bid E": None},
    "half": {"bid E": 0.5},
    "long word": {"bid E": "x" * 21},
    "endless": {"bid E": 10**17},
    "control": {"bid E": "\0"},
    "nested": {"feet": [["N"]]},
    "many words": {"feet": ["N"] * 13},
    "many": {f"card {number}": "C2" for number in range(121)},
}


@pytest.mark.parametrize("name", NONSENSE)
def test_what_is_no_answer_is_refused(night: Night, name: str) -> None:
    (north,) = phones(night, "N")
    assert keep(north, night, uuid4(), 1, answers=NONSENSE[name]).status == 422
    assert keep(north, night, uuid4(), 1, number=5000).status == 422
    assert not HandDraft.objects.exists()


def test_it_is_told_no_longer_once_the_hand_is_on_record(night: Night) -> None:
    (north,) = phones(night, "N")
    keep(north, night, uuid4(), 1)
    keep(north, night, uuid4(), 1, number=2)
    early = {"id": str(uuid4()), "number": 2, "result": {"ending": "not played"}}
    assert north.post(f"games/{night.game['id']}/hands", early).status == 201
    assert [one["number"] for one in listed(north, night)] == [1]
    night.enter({"bidder": "E", "bid": 6, "pain": "H", "taken": taken("3/2/4/4")})
    assert listed(north, night) == []
    assert HandDraft.objects.count() == Hand.objects.count() == 2


def test_the_draft_of_a_hand_that_was_taken_back_is_told_no_longer(night: Night) -> None:
    (north,) = phones(night, "N")
    game = f"games/{night.game['id']}"
    sent = []
    for number in (1, 2):
        draft = uuid4()
        keep(north, night, draft, 1, number=number)
        result = {"bidder": "E", "bid": 6, "pain": "H", "taken": taken("3/2/4/4")}
        told = {"id": str(draft), "number": number, "result": result}
        sent.append(north.post(f"{game}/hands", told))
    for hand in reversed(sent):
        answered = north.post(f"hands/{hand['id']}/take-back", {"version": 1})
        assert (answered.status, answered["state"]) == (200, "taken back"), answered
        assert listed(north, night) == []


def test_room_is_made_for_new_ones(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "DRAFTS_MAX", 2)
    (north,) = phones(night, "N")
    first, second, third = uuid4(), uuid4(), uuid4()
    assert keep(north, night, first, 1).status == 200
    assert keep(north, night, second, 1, number=2).status == 200
    assert keep(north, night, third, 1, number=2).status == 422
    night.enter({"bidder": "E", "bid": 6, "pain": "H", "taken": taken("3/2/4/4")})
    assert keep(north, night, third, 1, number=2).status == 200
    assert set(HandDraft.objects.values_list("pk", flat=True)) == {second, third}


def test_a_closed_game_takes_none(night: Night) -> None:
    game = Game.objects.get(pk=night.game["id"])
    game.phase = "closed"
    game.save()
    state = drafts.DraftState(id=uuid4(), number=1, change=1, answers={})
    with pytest.raises(GameOverError):
        drafts.save_draft(game_id=game.pk, state=state, by=DIRECTOR, at=game.opened_at)


def test_drafts_are_forgotten_after_two_months(night: Night) -> None:
    (north,) = phones(night, "N")
    keep(north, night, uuid4(), 1)
    at = HandDraft.objects.get().kept_at
    assert drafts.delete_old_drafts(at=at + drafts.DRAFT_LIFETIME) == 0
    assert drafts.delete_old_drafts(at=at + drafts.DRAFT_LIFETIME + timedelta(seconds=1)) == 1
    assert not HandDraft.objects.exists()


def test_the_deal_of_a_board_is_shown_to_who_tells_the_hand_and_everybody_sees_that() -> None:
    event = prepared()
    game, _other = start(event, 1)
    north, east = (
        Desk(authorization=f"Seat {one.token}")
        for one in make_links(game_id=game.pk, seats=[0, 1], by=DIRECTOR, at=timezone.now())
    )
    draft, path = uuid4(), f"games/{game.pk}/drafts"
    assert north.post(f"{path}/{draft}/deal").status == 404
    body = {"number": 1, "change": 1, "answers": {"cards": True}}
    assert north.send("PUT", f"{path}/{draft}", body)["sees_deal"] is False
    assert east.post(f"{path}/{draft}/deal").status == 422
    assert not AuditEntry.objects.filter(what="deal shown").exists()
    shown = north.post(f"{path}/{draft}/deal")
    assert shown.status == 200, shown
    board = Board.objects.get(event=event, number=1)
    held = read_deal(board.deal, state_of(game).dealer)
    names = [[NAMES[card] for card in members(cards)] for cards in held]
    assert list(shown["deal"].values()) == names
    assert north.post(f"{path}/{draft}/deal").data == shown.data
    assert east.get(path)["drafts"][0]["sees_deal"] is True
    entry = AuditEntry.objects.get(what="deal shown")
    assert json.loads(entry.details)["seat"] == 0


def test_only_the_next_hand_with_a_prepared_deal_has_one(night: Night) -> None:
    (north,) = phones(night, "N")
    for number in (1, 2):
        draft = uuid4()
        keep(north, night, draft, 1, number=number)
        assert north.post(f"games/{night.game['id']}/drafts/{draft}/deal").status == 422
    assert not HandDraft.objects.filter(sees_deal=True).exists()
