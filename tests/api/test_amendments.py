"""Amendments through the API: what waits, with its causes, and confirmed or declined (DEC-7)."""

import pytest

from tests.api.asking import Asking, account_of, check_problem, role_of, signed_in
from tests.scoring.club import DIRECTOR, at, make_club
from tests.tournaments.publishing.nights import Night, publish_all
from tournaments.events import events
from tournaments.events.adjustments import adjust_score
from tournaments.models import Person, RoleKind

pytestmark = pytest.mark.django_db

OFFICIAL_AT = 60 * 24 * 9


@pytest.fixture
def night() -> Night:
    """A night that is official, and an adjustment of it since."""
    night = Night(players=4, club=make_club(is_public=True))
    night.play(night.seat(1)[0], (13, 0, 0, 0), (5, 4, 4, 0))
    night.end(1)
    Person.objects.filter(player=night.players[0]).update(name="Nora Adams")
    event = night.event.pk
    events.finish_event(event_id=event, version=None, by=DIRECTOR, at=at(60))
    events.publish_officially(event_id=event, version=None, by=DIRECTOR, at=at(OFFICIAL_AT))
    adjust_score(
        event_id=night.event.pk,
        entry=night.entries[0].pk,
        amount="-50",
        reason="Nora Adams was late.",
        by=DIRECTOR,
        at=at(OFFICIAL_AT + 5),
    )
    publish_all(night.clock)
    return night


@pytest.fixture
def director(night: Night) -> Asking:
    account = account_of("director@club.example")
    role_of(account, night.club, RoleKind.DIRECTOR)
    return signed_in(account)


def path(night: Night, words: str = "amendment") -> str:
    return f"/api/v1/events/{night.event.pk}/{words}"


def test_what_would_move_and_why_is_shown(night: Night, director: Asking) -> None:
    found = director.get(path(night)).json()
    assert (found["status"]["state"], found["status"]["official"]) == ("official", 1)
    pending = found["pending"]
    assert pending["version"] == found["status"]["pending"] == 2
    assert [(one["what"], one["why"]) for one in pending["causes"]] == [
        ("score adjusted", "Nora Adams was late.")
    ]
    (moved,) = pending["changes"]
    assert moved["name"] == "Nora Adams"


def test_strangers_read_the_reason_without_names(night: Night) -> None:
    found = Asking().get(path(night)).json()
    assert [one["why"] for one in found["pending"]["causes"]] == ["Nora A. was late."]
    assert "Adams" not in str(found)


def test_confirmed_it_is_the_table_and_says_since_when_and_why(
    night: Night, director: Asking
) -> None:
    before = director.get(path(night, "standings")).json()
    assert before["version"] == 1
    body = {"version": 2, "reason": "Nora Adams came late."}
    done = director.post(path(night, "amendment/confirm"), body).json()
    status = done["status"]
    assert (status["state"], status["because"]) == ("amended", "Nora Adams came late.")
    assert (status["official"], status["before"], done["pending"]) == (3, 1, None)
    again = director.post(path(night, "amendment/confirm"), body).json()
    assert again["status"] == status
    now = director.get(path(night, "standings")).json()
    assert (now["version"], now["status"]) == (3, status)
    assert now["standings"]["rows"] != before["standings"]["rows"]
    assert (
        Asking().get(path(night, "standings")).json()["status"]["because"] == "Nora A. came late."
    )


def test_declined_the_table_stays(night: Night, director: Asking) -> None:
    check_problem(
        director.post(path(night, "amendment/decline"), {"version": 2, "reason": " "}), "VALUE"
    )
    body = {"version": 2, "reason": "Too late."}
    done = director.post(path(night, "amendment/decline"), body).json()
    assert (done["status"]["state"], done["pending"]) == ("official", None)
    assert done["status"]["declined"]["reason"] == "Too late."
    assert director.get(path(night, "standings")).json()["version"] == 1


def test_another_version_than_the_one_that_waits_is_refused(night: Night, director: Asking) -> None:
    adjust_score(
        event_id=night.event.pk,
        entry=night.entries[1].pk,
        amount="-50",
        reason="Late too.",
        by=DIRECTOR,
        at=at(OFFICIAL_AT + 6),
    )
    body = {"version": 2, "reason": "Late."}
    answer = director.post(path(night, "amendment/confirm"), body)
    check_problem(answer, "STALE")


def test_the_correction_period_is_set_and_ended_early(director: Asking, night: Night) -> None:
    event = director.get(f"/api/v1/events/{night.event.pk}").json()
    assert event["correction_hours"] == 24
    other = Night(players=4, club=night.club, correction_hours=2)
    other.play(other.seat(1)[0], (13, 0, 0, 0), (5, 4, 4, 0))
    other.end(1)
    of = f"/api/v1/events/{other.event.pk}"
    for words, body in (("finish", None), ("official", None)):
        version = director.get(of)["ETag"]
        answer = director.post(f"{of}/{words}", body, If_Match=version)
        assert answer.status_code == (200 if words == "finish" else 422), answer.content
    version = director.get(of)["ETag"]
    ended = director.post(f"{of}/end-corrections", {"why": "All signed."}, If_Match=version)
    assert ended.json()["corrections_ended_at"]
    answer = director.post(f"{of}/official", If_Match=ended["ETag"])
    assert answer.json()["status"] == "official"
