"""Events with results only by the API: set up, results put down, read and corrected."""

from typing import Any
from uuid import uuid4

import pytest

from tests.api.asking import Asking, account_of, club_of, role_of, signed_in
from tests.scoring.club import make_players, make_rules
from tournaments.models import Club, Event, Player, RecordedResult

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return club_of(account_of("admin@club.example"))


@pytest.fixture
def director(club: Club) -> Asking:
    account = account_of("director@club.example")
    role_of(account, club, "director")
    return signed_in(account)


def make_event(club: Club, director: Asking, **fields: object) -> Any:
    body = {
        "name": "Last year",
        "starts_at": "2025-09-12T19:30:00Z",
        "rule_set": str(make_rules(club).pk),
        "is_results_only": True,
        **fields,
    }
    return director.post(f"/api/v1/clubs/{club.pk}/events", body).json()


def results(players: list[Player], *points: str) -> list[dict[str, object]]:
    return [
        {"player": str(player.pk), "points": one}
        for player, one in zip(players, points, strict=True)
    ]


def test_results_are_put_down_read_and_corrected(club: Club, director: Asking) -> None:
    players = make_players(club, 3)
    event = make_event(club, director)
    assert (event["is_results_only"], event["rounds"], event["sizes"]) == (True, 0, [])
    path = f"/api/v1/events/{event['id']}/results"
    body: dict[str, object] = {"results": results(players, "12", "3.5", "-1")}
    first = director.ask("PUT", path, body, If_Match='"1"')
    assert first.status_code == 200, first.content
    assert [(row["name"], row["points"]) for row in first.json()["results"]] == [
        ("Player 1", "12"), ("Player 2", "7/2"), ("Player 3", "-1"),
    ]  # fmt: skip
    shown = director.get(path)
    assert shown.json() == first.json()
    assert director.get(f"/api/v1/events/{event['id']}").json()["status"] == "finished"
    stale = director.ask("PUT", path, body, If_Match='"1"')
    assert stale.status_code == 412
    body = {"results": results(players[:2], "12", "4"), "why": "Read wrongly"}
    again = director.ask("PUT", path, body, If_Match=shown.headers["ETag"])
    assert [row["points"] for row in again.json()["results"]] == ["12", "4"]


def test_what_is_wrong_is_told_at_its_place(club: Club, director: Asking) -> None:
    players = make_players(club, 2)
    event = make_event(club, director)
    path = f"/api/v1/events/{event['id']}/results"
    for body, status, key in (
        ({"results": []}, 400, "results"),
        ({"results": [{"player": str(uuid4()), "points": "1"}]}, 422, "results.0.player"),
        ({"results": [*results(players, "1", "1e9")]}, 422, "results.1.points"),
        ({"results": [{"player": str(players[0].pk), "place": 0}]}, 400, "results.0.place"),
    ):
        answer = director.ask("PUT", path, body, If_Match='"1"')
        assert answer.status_code == status, answer.content
        assert key in answer.content.decode()
    assert not RecordedResult.objects.exists()
    assert Event.objects.get().version == 1
