"""Who sits where and when: nobody in two seats at once, and a mistake is put right."""

from typing import Any
from uuid import uuid4

import pytest

from scoring.models import Game
from tests.api.desk import Answered, Night, taken
from tests.scoring.club import make_players
from tournaments.models import AuditEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """A game of which four hands were played."""
    night = Night("hoyle_hearts")
    for _ in range(4):
        night.enter({"taken": taken("3/2/4/4")})
    return night


def seat(night: Night, name: str, player: Any, first: int, why: str = "") -> Answered:
    body = {"seat": name, "player": str(player.pk), "first": first} | ({"why": why} if why else {})
    return night.desk.post(f"games/{night.game['id']}/seats", body)


def sat(night: Night, name: str) -> list[tuple[Any, int, int | None, bool]]:
    return [
        (one["player"], one["first"], one["last"], one["is_entrant"])
        for one in night.look()["sittings"]
        if one["seat"] == name
    ]


def test_nobody_plays_one_hand_in_two_seats(night: Night) -> None:
    north = night.players[0]
    (sub,) = make_players(night.club, 1)
    assert seat(night, "N", sub, 5).status == 200
    refused = seat(night, "E", north, 3, "He did.")
    assert (refused.status, refused["where"]) == (422, {"key": "player"})
    assert seat(night, "E", north, 5).status == 200
    again = seat(night, "S", north, 5)
    assert (again.status, again["where"]) == (422, {"key": "player"})


def test_nobody_sits_down_after_the_next_hand(night: Night) -> None:
    (sub,) = make_players(night.club, 1)
    refused = seat(night, "N", sub, 6)
    assert (refused.status, refused["where"]) == (422, {"key": "first"})
    assert len(sat(night, "N")) == 1


def test_a_mistake_is_put_right_with_a_reason(night: Night) -> None:
    north, (sub, other) = night.players[0], make_players(night.club, 2)
    assert seat(night, "N", sub, 5).status == 200
    nameless = seat(night, "N", other, 3)
    assert (nameless.status, nameless["where"]) == (422, {"key": "why"})
    assert seat(night, "N", other, 3, "It was the other one, from hand 3.").status == 200
    entrant, late = str(north.pk), str(other.pk)
    assert sat(night, "N") == [(entrant, 1, 2, True), (late, 3, None, False)]
    entry = AuditEntry.objects.filter(chain=night.game["id"], what="seat taken").latest("id")
    assert entry.why == "It was the other one, from hand 3."
    assert seat(night, "N", north, 3, "He never left.").status == 200
    assert sat(night, "N") == [(entrant, 1, 2, True), (entrant, 3, None, True)]
    before = seat(night, "N", sub, 1, "Before all that.")
    assert (before.status, before["where"]) == (422, {"key": "first"})


def test_a_substitute_came_earlier_than_was_said(night: Night) -> None:
    (sub,) = make_players(night.club, 1)
    seat(night, "W", sub, 5)
    assert seat(night, "W", sub, 4, "From hand 4.").status == 200
    assert [one[1:3] for one in sat(night, "W")] == [(1, 3), (4, None)]


def opening(night: Night, id_: str, **other: Any) -> dict[str, Any]:
    players = [str(player.pk) for player in night.players]
    rules = {"rule_set": str(night.rules.pk), "players": players, "dealer": 0}
    return {"id": id_, "name": "Table 2", **rules, **other}


def test_a_game_that_is_opened_twice_is_one(night: Night) -> None:
    path, id_ = f"clubs/{night.club.pk}/games", str(uuid4())
    first, second = (night.desk.post(path, opening(night, id_)) for _ in range(2))
    assert (first.status, first.data) == (second.status, second.data)
    assert Game.objects.filter(club=night.club).count() == 2


def test_an_id_that_another_game_has_is_a_conflict(night: Night, caplog: Any) -> None:
    path, id_ = f"clubs/{night.club.pk}/games", str(uuid4())
    assert night.desk.post(path, opening(night, id_)).status == 201
    other = night.desk.post(path, opening(night, id_, name="Table 3"))
    assert (other.status, other["code"]) == (409, "CONFLICT")
    elsewhere = Night("hoyle_hearts")
    taken_there = elsewhere.desk.post(f"clubs/{elsewhere.club.pk}/games", opening(elsewhere, id_))
    assert (taken_there.status, taken_there["code"]) == (409, "CONFLICT")
    assert "Traceback" not in caplog.text


def merge(night: Night, one: Any, into: Any) -> Answered:
    path = f"clubs/{night.club.pk}/players/{one.pk}/merge"
    return night.desk.post(path, {"into": str(into.pk)}, version=str(one.version))


def test_two_who_sat_at_one_table_are_not_one(night: Night) -> None:
    refused = merge(night, night.players[0], night.players[1])
    assert (refused.status, refused["where"]) == (422, {"key": "into"})
    assert night.look()["players"][0]["player"] == str(night.players[0].pk)


def test_who_took_over_a_seat_may_be_who_sat_elsewhere_before(night: Night) -> None:
    (sub, other) = make_players(night.club, 2)
    assert seat(night, "N", sub, 5).status == 200
    refused = merge(night, sub, night.players[1])
    assert refused.status == 422
    assert seat(night, "E", other, 5).status == 200
    assert merge(night, sub, night.players[1]).status == 200
