"""What webhooks are told of events: rounds, the end of a night, standings that were published."""

import json
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import transaction

from scoring.games import nights
from scoring.games.nights import Adjournment
from scoring.jobs import tasks
from scoring.models import Delivery
from scoring.webhooks import subscriptions
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.night import draw, make_night, play_round, start
from tournaments import publishing
from tournaments.core.errors import RefusedError
from tournaments.events import events, schedule
from tournaments.events.adjustments import adjust_score
from tournaments.events.amendments import AmendmentChoice
from tournaments.models import Club, Entry, Event, Published, Snapshot

pytestmark = pytest.mark.django_db
URL = "https://hooks.club.example/painsuit"


def listen(club: Club, *events: str) -> None:
    subscriptions.add_webhook(club_id=club.pk, url=URL, events=events, by=DIRECTOR, at=at())


def told() -> list[Any]:
    return [json.loads(row.body) for row in Delivery.objects.order_by("id")]


def kinds() -> list[str]:
    return [one["type"] for one in told()]


def test_rounds_and_the_end_of_a_night_are_told_in_order() -> None:
    event = make_night(4, rounds=1)
    names = ("round.started", "round.closed")
    listen(event.club, *names, "event.finished", "event.official", "event.reopened")
    draw(event)
    play_round(event, 1)
    nights.finish_night(event_id=event.pk, version=None, by=DIRECTOR, at=at(9))
    nights.make_night_official(event_id=event.pk, version=None, by=DIRECTOR, at=at(5000))
    nights.reopen_night(event_id=event.pk, why="A slip.", version=None, by=DIRECTOR, at=at(5001))
    assert kinds() == [*names, "event.finished", "event.official", "event.reopened"]
    first, *_, last = [one["data"] for one in told()]
    assert first["round"] == {"number": 1, "stage": "playing"}
    event.refresh_from_db()
    assert last["event"] == {
        "id": str(event.pk), "version": event.version, "status": "running",
    }  # fmt: skip
    versions = [one["data"]["event"]["version"] for one in told()]
    assert versions == sorted(set(versions))


def test_that_a_night_takes_place_on_another_day_or_not_at_all_is_told() -> None:
    event = make_night(4)
    names = ("event.cancelled", "event.reinstated", "event.moved", "event.removed")
    listen(event.club, *names)
    who: dict[str, Any] = {"event_id": event.pk, "version": None, "by": DIRECTOR, "at": at(1)}
    schedule.cancel_event(why="Too few.", **who)
    schedule.reinstate_event(**who)
    schedule.move_event(starts_at=event.starts_at + timedelta(days=7), why="A holiday.", **who)
    schedule.remove_event(**who)
    assert kinds() == list(names)
    statuses = [one["data"]["event"]["status"] for one in told()]
    assert statuses == ["cancelled", "planned", "planned", "planned"]


def test_that_a_table_is_finished_another_day_or_plays_on_is_told() -> None:
    event = make_night(4, rounds=1)
    names = ("table.adjourned", "table.resumed")
    listen(event.club, *names)
    draw(event)
    (game,) = start(event, 1)
    assert game.table_id is not None
    wanted = Adjournment(why="A train.", finish_on=date(2099, 12, 4))
    nights.adjourn_table(table_id=game.table_id, wanted=wanted, by=DIRECTOR, at=at(2))
    nights.play_on(table_id=game.table_id, by=DIRECTOR, at=at(3))
    assert kinds() == list(names)
    first, last = [one["data"] for one in told()]
    assert first["round"] == {"number": 1, "stage": "playing"}
    assert first["table"] == {"number": 1, "finish_on": "2099-12-04"}
    assert last["table"] == {"number": 1, "finish_on": None}
    assert last["event"]["version"] > first["event"]["version"]


def test_what_is_refused_is_not_told() -> None:
    event = make_night(4, rounds=1)
    listen(event.club, "round.started", "round.closed", "event.official")
    draw(event)
    start(event, 1)
    with pytest.raises(RefusedError):
        nights.end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(2))
    with pytest.raises(RefusedError):
        nights.make_night_official(event_id=event.pk, version=None, by=DIRECTOR, at=at(5))
    assert kinds() == ["round.started"]


def publish() -> None:
    for _ in range(3):
        tasks.run(kind="standings", name="")


def test_every_new_version_of_standings_is_told_once() -> None:
    event = make_night(4, rounds=1)
    draw(event)
    listen(event.club, "standings.published")
    play_round(event, 1)
    publish()
    issues = [one["data"]["standings"] for one in told()]
    kept = Snapshot.objects.select_related("published").order_by("computed_at", "pk")
    assert {(one["of"], one["id"], one["version"], one["digest"]) for one in issues} == {
        (row.published.scope, str(row.published.subject), row.version, row.digest) for row in kept
    }
    assert {one["of"] for one in issues} == {"event", "ratings"}
    count = len(issues)
    publish()
    assert len(told()) == count


def test_standings_and_the_message_of_them_are_there_together() -> None:
    event = make_night(4, rounds=1)
    draw(event)
    listen(event.club, "standings.published")
    play_round(event, 1)

    def fail(_: publishing.Issue, __: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), transaction.atomic():
        publishing.publish(scope="event", subject=event.pk, clock=lambda: at(9), tell=fail)
    assert not Snapshot.objects.exists()
    assert not Published.objects.filter(version__gt=0)
    publish()
    assert kinds()


def test_another_club_hears_nothing_of_a_night() -> None:
    event = make_night(4, rounds=1)
    other = Club.objects.create(name="Delft Hearts", created_at=at())
    listen(other, "round.started", "standings.published")
    draw(event)
    play_round(event, 1)
    publish()
    assert Event.objects.count() == 1
    assert told() == []


def test_an_amendment_is_told_when_it_waits_and_when_it_is_confirmed() -> None:
    event = make_night(4, rounds=1)
    draw(event)
    play_round(event, 1)
    nights.finish_night(event_id=event.pk, version=None, by=DIRECTOR, at=at(9))
    nights.make_night_official(event_id=event.pk, version=None, by=DIRECTOR, at=at(5000))
    listen(event.club, "standings.amendment", "standings.amended")
    entry = Entry.objects.filter(event=event).first()
    assert entry is not None
    adjust_score(
        event_id=event.pk, entry=entry.pk, amount="-2", reason="Late.", by=DIRECTOR, at=at(5001)
    )
    publish()
    assert kinds() == ["standings.amendment"]
    waits = told()[0]["data"]["standings"]
    assert (waits["of"], waits["id"]) == ("event", str(event.pk))
    choice = AmendmentChoice(version=waits["version"], reason="Late.")
    events.confirm_amendment(event_id=event.pk, choice=choice, by=DIRECTOR, at=at(5002))
    assert kinds() == ["standings.amendment", "standings.amended"]
    done = told()[1]["data"]["standings"]
    assert done["version"] == done["official"] > waits["version"] > waits["official"]
