"""Bars over the API: for directors, and the reason for nobody else."""

from typing import Any

import pytest

from tests.api.desk import Desk, Night, give_role, make_account
from tests.tournaments.night import make_event
from tournaments.models import Event, PlayerBar

pytestmark = pytest.mark.django_db

REASON = "Threw the cards at Eve"


@pytest.fixture
def night() -> Night:
    night = Night()
    night.club.is_public = True
    night.club.save()
    return night


@pytest.fixture
def event(night: Night) -> Event:
    return make_event(night.club)


def path_of(night: Night) -> str:
    return f"clubs/{night.club.pk}/players/{night.players[0].pk}/bars"


def test_a_director_bars_a_player_and_lifts_the_bar(night: Night, event: Event) -> None:
    path = path_of(night)
    made = night.desk.post(path, {"reason": REASON, "until": "2099-12-31"})
    assert made.status == 201, made
    assert made.headers["Location"] == f"/api/v1/{path}/{made['id']}"
    assert (made["player"], made["until"]) == (str(night.players[0].pk), "2099-12-31")
    assert (made["reason"], made["lifted_at"], made["lifted_by"]) == (REASON, None, None)
    assert night.desk.get(path)["items"] == [made.data]

    entry = {"player": str(night.players[0].pk)}
    refused = night.desk.post(f"events/{event.pk}/entries", entry)
    assert (refused.status, refused["code"]) == (422, "UNPROCESSABLE")
    assert refused["detail"] == '"Player 1" is barred from this club until 2099-12-31.'
    assert refused["where"]["key"] == "player"

    lifted = night.desk.send("DELETE", f"{path}/{made['id']}")
    assert lifted.status == 200
    assert lifted["lifted_at"]
    assert lifted["lifted_by"]
    assert night.desk.post(f"events/{event.pk}/entries", entry).status == 201
    assert night.desk.get(path)["items"] == [lifted.data]


def test_the_refusal_is_told_in_the_readers_language(night: Night, event: Event) -> None:
    night.desk.post(path_of(night), {"reason": REASON})
    german = {"Accept-Language": "de"}
    entry = {"player": str(night.players[0].pk)}
    refused = night.desk.post(f"events/{event.pk}/entries", entry, **german)
    assert refused["detail"] == (
        '"Player 1" ist in diesem Club gesperrt, bis die Sperre aufgehoben wird.'
    )


@pytest.mark.parametrize(
    ("body", "status", "key"),
    [
        ({}, 400, "reason"),
        ({"reason": ""}, 400, "reason"),
        ({"reason": "x" * 301}, 400, "reason"),
        ({"reason": " "}, 400, "reason"),
        ({"reason": REASON, "until": "31.12.2099"}, 400, "until"),
        ({"reason": REASON, "since": "2099-02-01", "until": "2099-01-31"}, 422, "until"),
        ({"reason": REASON, "why": "x"}, 400, "why"),
    ],
)
def test_a_body_that_cannot_be_is_refused(
    night: Night, body: dict[str, Any], status: int, key: str
) -> None:
    refused = night.desk.post(path_of(night), body)
    assert refused.status == status, refused
    assert refused["where"]["key"] == key
    assert not PlayerBar.objects.exists()


def test_a_second_bar_of_the_same_days_is_a_conflict(night: Night) -> None:
    assert night.desk.post(path_of(night), {"reason": REASON}).status == 201
    assert night.desk.post(path_of(night), {"reason": "again"}).status == 409


def test_nobody_but_directors_learns_the_reason(night: Night, event: Event) -> None:
    night.desk.post(f"events/{event.pk}/entries", {"player": str(night.players[1].pk)})
    made = night.desk.post(path_of(night), {"reason": REASON})
    links = night.desk.post(f"games/{night.game['id']}/links", {"seats": ["N"]})
    member = make_account("member")
    give_role(member, night.club, "player")
    club, player = f"clubs/{night.club.pk}", night.players[0].pk
    game = night.game["id"]
    paths = (
        *(club, f"{club}/players", f"{club}/players/{player}", path_of(night)),
        *(f"{club}/players/{player}/statistics", f"{club}/feed", f"{club}/audit"),
        *(f"events/{event.pk}", f"events/{event.pk}/entries", f"games/{game}"),
    )
    askers = (Desk(), Desk(member), Desk(authorization=f"Seat {links['tokens']}"))
    for desk in askers:
        for path in paths:
            answer = desk.client.get(f"/api/v1/{path}", headers=desk.headers)
            assert REASON not in answer.content.decode(), path
            assert made["id"] not in answer.content.decode(), path
        assert desk.get(path_of(night)).status in (401, 403)


def test_members_do_not_bar_each_other(night: Night) -> None:
    member = make_account("member")
    give_role(member, night.club, "player")
    made = night.desk.post(path_of(night), {"reason": REASON})
    assert Desk(member).post(path_of(night), {"reason": REASON}).status == 403
    assert Desk(member).send("DELETE", f"{path_of(night)}/{made['id']}").status == 403
    assert PlayerBar.objects.get().lifted_at is None


def test_a_bar_of_another_player_is_not_there(night: Night) -> None:
    made = night.desk.post(path_of(night), {"reason": REASON})
    other = f"clubs/{night.club.pk}/players/{night.players[1].pk}/bars/{made['id']}"
    assert night.desk.send("DELETE", other).status == 404
