"""The clock of a round through the API, and what the phones at its tables learn of it."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from scoring.games.links import token_of
from scoring.models import SeatLink
from tests.api.asking import Asking, account_of, role_of, signed_in
from tests.tournaments.night import draw, make_night, start
from tournaments.models import Event, RoleKind

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    found = make_night(4, round_minutes=35, break_minutes=10)
    draw(found)
    return found


def asking(event: Event, role: RoleKind) -> Asking:
    account = account_of(f"{role}@club.example")
    role_of(account, event.club, role)
    return signed_in(account)


@pytest.fixture
def desk(event: Event) -> Asking:
    return asking(event, RoleKind.DIRECTOR)


@pytest.fixture
def act(event: Event, desk: Asking) -> Callable[..., Any]:
    def send(what: str, body: dict[str, Any] | None = None) -> Any:
        answer = desk.post(f"/api/v1/events/{event.pk}/clock/{what}", body or {})
        assert answer.status_code == 200, answer.content
        return answer.json()["clock"]

    return send


def test_a_clock_is_paused_given_time_and_taken_away(
    event: Event, desk: Asking, act: Callable[..., Any]
) -> None:
    path = f"/api/v1/events/{event.pk}/clock"
    assert desk.get(path).json() == {"clock": None}
    begun = act("start", {"minutes": 5})
    assert (begun["break"], begun["paused"], begun["left"], begun["seconds"]) == (
        True,
        False,
        None,
        300,
    )
    ends_at, now = (datetime.fromisoformat(begun[name]) for name in ("ends_at", "at"))
    assert (ends_at - now.replace(microsecond=0)).total_seconds() == 300
    paused = act("pause")
    assert (paused["ends_at"], paused["paused"]) == (None, True)
    assert 290 <= paused["left"] <= 300
    assert act("add", {"minutes": 2})["left"] == paused["left"] + 120
    assert act("resume")["seconds"] == 420
    assert act("stop") is None
    assert desk.get(path).json() == {"clock": None}


@pytest.mark.parametrize(
    ("what", "body", "code"),
    [
        ("pause", {}, "clock"),
        ("add", {"minutes": 1}, "clock"),
        ("start", {"minutes": 0}, "minutes"),
        ("start", {"minutes": 601}, "minutes"),
        ("start", {"minutes": "5"}, "minutes"),
    ],
)
def test_what_cannot_be_done_names_the_field(
    event: Event, desk: Asking, what: str, body: dict[str, Any], code: str
) -> None:
    answer = desk.post(f"/api/v1/events/{event.pk}/clock/{what}", body)
    assert answer.status_code in (400, 409, 422), answer.content
    assert code in answer.content.decode()


def test_who_may_not_run_a_night_may_read_its_clock(event: Event) -> None:
    player = asking(event, RoleKind.PLAYER)
    assert player.get(f"/api/v1/events/{event.pk}/clock").status_code == 200
    assert player.post(f"/api/v1/events/{event.pk}/clock/start", {}).status_code == 403


def test_phones_learn_of_the_clock_when_it_changes_and_only_then(
    event: Event, act: Callable[..., Any], client: Client
) -> None:
    (game,) = start(event, 1)
    token = token_of(SeatLink.objects.get(game=game))
    headers = {"authorization": f"Seat {token}"}
    seated = client.get("/t/seating", headers=headers).json()["clock"]
    assert (seated["paused"], seated["break"], seated["seconds"]) == (False, False, 2100)
    news = client.get("/t/news", headers=headers)
    assert news.json()["clock"] | {"at": None} == seated | {"at": None}
    waiting = headers | {"if-none-match": news["ETag"]}
    assert client.get("/t/news", headers=waiting).status_code == 304
    act("pause")
    changed = client.get("/t/news", headers=waiting)
    assert changed.json()["clock"]["paused"]
    assert changed.json()["game"] == news.json()["game"]
    act("stop")
    waiting = headers | {"if-none-match": changed["ETag"]}
    assert client.get("/t/news", headers=waiting).json()["clock"] is None
