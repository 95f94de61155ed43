"""The code of the door, and the end of a night in one step, through the API."""

from typing import Any

import pytest

from tests.api.asking import Asking, account_of, check_problem, role_of, signed_in
from tests.tournaments.night import draw, make_night, play_round, start
from tournaments.events.door import find_door
from tournaments.models import Event, RoleKind

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    found = make_night(4, rounds=1)
    draw(found)
    return found


@pytest.fixture
def desk(event: Event) -> Asking:
    account = account_of("director@club.example")
    role_of(account, event.club, RoleKind.DIRECTOR)
    return signed_in(account)


def test_a_code_is_made_shown_replaced_and_ended(event: Event, desk: Asking) -> None:
    path = f"/api/v1/events/{event.pk}/door"
    assert desk.get(path).json() == {"door": None}
    made = desk.post(path)
    assert made.status_code == 201
    shown = made.json()["door"]
    assert shown["address"].endswith(f"/in/{shown['code']}/")
    assert desk.get(path).json()["door"] == shown
    assert find_door(shown["code"]).event == event
    assert desk.post(path).json()["door"]["code"] != shown["code"]
    assert desk.delete(path).json() == {"door": None}
    assert desk.get(path).json() == {"door": None}


def test_an_event_that_is_over_has_no_door(event: Event, desk: Asking) -> None:
    play_round(event, 1)
    end(event, desk, why="All have agreed.")
    check_problem(desk.post(f"/api/v1/events/{event.pk}/door"), "UNPROCESSABLE")


def end(event: Event, desk: Asking, **body: str) -> Any:
    event.refresh_from_db()
    path = f"/api/v1/events/{event.pk}"
    return desk.post(f"{path}/end", body, If_Match=f'"{event.version}"')


def test_a_night_ends_in_one_step_with_the_reason_why_nothing_is_corrected_any_more(
    event: Event, desk: Asking
) -> None:
    play_round(event, 1)
    before = desk.get(f"/api/v1/events/{event.pk}").json()
    assert before["corrections_until"] is None
    check_problem(end(event, desk), "UNPROCESSABLE")
    found = end(event, desk, why="All have agreed.").json()
    assert found["status"] == "official"
    assert found["corrections_until"] == found["corrections_ended_at"]


def test_a_night_with_a_table_that_still_plays_does_not_end(event: Event, desk: Asking) -> None:
    start(event, 1)
    check_problem(end(event, desk, why="It is late."), "UNPROCESSABLE")
    event.refresh_from_db()
    assert event.status == "running"


def test_nobody_ends_a_night_that_changed_meanwhile(event: Event, desk: Asking) -> None:
    play_round(event, 1)
    path = f"/api/v1/events/{event.pk}/end"
    check_problem(desk.post(path, {"why": "Late."}, If_Match='"1"'), "STALE")
    check_problem(desk.post(path, {"why": "Late."}), "PRECONDITION_REQUIRED")
