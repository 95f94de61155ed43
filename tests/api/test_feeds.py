"""Feeds and calendars: right for the programs that read them, and cheap to ask for again."""

import html
import json
from datetime import UTC, datetime, timedelta

import icalendar
import pytest
from defusedxml.ElementTree import fromstring

from tests.api.asking import Asking
from tests.scoring.club import DIRECTOR, at
from tests.web.window import NAMES, Window, make_window, member_of
from tournaments.events.events import create_event
from tournaments.events.schedule import cancel_event, move_event, reinstate_event
from tournaments.models import Club, Event, Person

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = 'Cup; "spring", 1\nBEGIN:VALARM <b>\x01 & ü'


@pytest.fixture(scope="module")
def window(module_db: None) -> Window:
    found = make_window()
    Club.objects.filter(pk=found.club.pk).update(venue="Old Mill; Canal Street 4, Leiden")
    new = {
        "name": HOSTILE,
        "starts_at": at() + timedelta(days=7),
        "rule_set": found.event.rule_set_id,
    }
    create_event(club_id=found.club.pk, new=new, by=DIRECTOR, at=at())
    return found


def got(window: Window, name: str) -> bytes:
    answer = Asking().get(f"/api/v1/clubs/{window.club.pk}/{name}")
    assert answer.status_code == 200
    body: bytes = answer.content
    return body


def in_calendar(window: Window, event: Event) -> icalendar.Event:
    calendar = icalendar.Calendar.from_ical(got(window, "calendar"))
    assert calendar["METHOD"] == "PUBLISH"
    (found,) = (
        component
        for component in calendar.walk("VEVENT")
        if isinstance(component, icalendar.Event) and str(event.pk) in str(component["UID"])
    )
    return found


def test_a_calendar_has_every_event_with_its_place_and_its_page(window: Window) -> None:
    calendar = icalendar.Calendar.from_ical(got(window, "calendar"))
    events = {str(event["UID"]): event for event in calendar.walk("VEVENT")}
    assert len(events) == 2
    for row in Event.objects.all():
        event = events[f"{row.pk}@painsuit"]
        assert event.decoded("DTSTART") == row.starts_at
        assert event.decoded("DTEND") > row.starts_at
        assert event["LOCATION"] == "Old Mill; Canal Street 4, Leiden"
        assert event["URL"] == f"http://testserver/e/{row.pk}/"
        assert f"/e/{row.pk}/" in str(event["DESCRIPTION"])
    assert not list(calendar.walk("VALARM"))
    assert all(len(line) <= 75 for line in got(window, "calendar").split(b"\r\n"))


def test_a_calendar_says_that_an_event_is_called_off_and_a_feed_too(window: Window) -> None:
    event = Event.objects.get(name=HOSTILE)
    before = in_calendar(window, event)
    assert before["STATUS"] == "CONFIRMED"
    cancel_event(event_id=event.pk, why="Too few.", version=None, by=DIRECTOR, at=at(9))
    after = in_calendar(window, event)
    assert (after["UID"], after["STATUS"]) == (before["UID"], "CANCELLED")
    assert after.decoded("SEQUENCE") > before.decoded("SEQUENCE")
    assert after.decoded("DTSTAMP") > before.decoded("DTSTAMP")
    assert str(after["SUMMARY"]).startswith("Called off: ")
    assert "Called off: “Too few.”" in str(after["DESCRIPTION"])
    (item,) = (
        one
        for one in Asking().get(f"/api/v1/clubs/{window.club.pk}/feed").json()["items"]
        if one["id"] == f"urn:uuid:{event.pk}"
    )
    assert item["_painsuit"]["status"] == "cancelled"
    assert datetime.fromisoformat(item["date_modified"]) == at(9)
    reinstate_event(event_id=event.pk, version=None, by=DIRECTOR, at=at(10))
    again = in_calendar(window, event)
    assert again["STATUS"] == "CONFIRMED"
    assert again.decoded("SEQUENCE") > after.decoded("SEQUENCE")
    assert again.decoded("DTSTAMP") > after.decoded("DTSTAMP")


def test_a_calendar_moves_an_event_without_making_another(window: Window) -> None:
    event = Event.objects.get(name=HOSTILE)
    before = in_calendar(window, event)
    moved = move_event(
        event_id=event.pk,
        starts_at=event.starts_at + timedelta(days=7),
        why="The hall is painted.",
        version=None,
        by=DIRECTOR,
        at=at(9),
    )
    after = in_calendar(window, event)
    assert after["UID"] == before["UID"]
    assert after.decoded("SEQUENCE") > before.decoded("SEQUENCE")
    assert after.decoded("DTSTART") == moved.starts_at
    assert "Moved from" in str(after["DESCRIPTION"])


def test_a_calendar_tells_the_time_by_the_clock_of_the_club_and_says_what_clock_that_is(
    window: Window,
) -> None:
    Club.objects.filter(pk=window.club.pk).update(time_zone="Europe/Amsterdam")
    Event.objects.filter(pk=window.event.pk).update(
        starts_at=datetime(2026, 7, 21, 17, 30, tzinfo=UTC)
    )
    text = got(window, "calendar").decode()
    assert "DTSTART;TZID=Europe/Amsterdam:20260721T193000" in text
    assert "DTSTART;TZID=Europe/Amsterdam:20261127T203000" in text
    (zone,) = icalendar.Calendar.from_ical(text).walk("VTIMEZONE")
    assert zone["TZID"] == "Europe/Amsterdam"
    assert {str(part.name) for part in zone.subcomponents} == {"STANDARD", "DAYLIGHT"}


@pytest.mark.parametrize("year", [1, 9999])
def test_a_calendar_has_events_of_which_no_clock_is_known(window: Window, year: int) -> None:
    Club.objects.filter(pk=window.club.pk).update(time_zone="Europe/Amsterdam")
    Event.objects.filter(pk=window.event.pk).update(
        starts_at=datetime(year, 12, 30, 17, 30, tzinfo=UTC)
    )
    assert len(list(icalendar.Calendar.from_ical(got(window, "calendar")).walk("VEVENT"))) == 2


def test_feeds_name_the_first_places_as_strangers_may_see_them(window: Window) -> None:
    feed = Asking().get(f"/api/v1/clubs/{window.club.pk}/feed").json()
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["home_page_url"] == f"http://testserver/c/{window.club.pk}/"
    assert feed["feed_url"].endswith(f"/clubs/{window.club.pk}/feed")
    played = next(item for item in feed["items"] if item["title"] == window.event.name)
    assert played["url"] == f"http://testserver/e/{window.event.pk}/"
    lines = played["content_text"].splitlines()
    assert "Provisional" in lines
    places = lines[lines.index("Provisional") + 1 :]
    assert places[0].startswith(("1 ", "=1 "))
    assert len(places) >= 3
    assert not any(name in played["content_text"] for name in NAMES)
    assert "Old Mill; Canal Street 4, Leiden" in lines
    coming = next(item for item in feed["items"] if item is not played)
    assert "Provisional" not in coming["content_text"]


def test_an_atom_feed_says_the_same_as_the_json_feed(window: Window) -> None:
    atom = fromstring(got(window, "feed.atom"))
    entries = atom.findall(f"{ATOM}entry")
    items = Asking().get(f"/api/v1/clubs/{window.club.pk}/feed").json()["items"]
    assert [entry.findtext(f"{ATOM}id") for entry in entries] == [item["id"] for item in items]
    for entry, item in zip(entries, items, strict=True):
        lines = (entry.findtext(f"{ATOM}summary") or "").split("<br>")
        assert [html.unescape(line) for line in lines] == item["content_text"].split("\n")
        link = entry.find(f"{ATOM}link")
        assert link is not None
        assert link.get("href") == item["url"]
    assert atom.findtext(f"{ATOM}title") == window.club.name


@pytest.mark.parametrize("name", ["calendar", "feed", "feed.atom"])
def test_a_feed_is_sent_again_only_when_it_changed(window: Window, name: str) -> None:
    path = f"/api/v1/clubs/{window.club.pk}/{name}"
    first = Asking().get(path)
    assert first["Cache-Control"] == "public, max-age=300"
    again = Asking().get(path, If_None_Match=first["ETag"])
    assert again.status_code == 304
    assert not again.content
    Event.objects.filter(pk=window.event.pk).update(name="Another night", version=99)
    changed = Asking().get(path, If_None_Match=first["ETag"])
    assert changed.status_code == 200
    assert b"Another night" in changed.content


@pytest.mark.parametrize("name", ["calendar", "feed", "feed.atom"])
def test_what_a_member_reads_is_kept_by_nobody_on_the_way(window: Window, name: str) -> None:

    path = f"/api/v1/clubs/{window.club.pk}/{name}"
    seen = Asking(member_of(window.club)).get(path)
    assert seen["Cache-Control"] == "private, no-store"
    assert any(
        person.name.encode() in seen.content.replace(b"\r\n ", b"")
        for person in Person.objects.all()
    )
    Club.objects.filter(pk=window.club.pk).update(is_public=False)
    assert Asking().get(path).status_code == 404


@pytest.mark.parametrize(
    ("page", "name"),
    [("calendar.ics", "calendar"), ("feed.atom", "feed.atom"), ("feed.json", "feed")],
)
def test_a_feed_has_a_readable_address_that_the_page_of_the_club_names(
    window: Window, page: str, name: str
) -> None:
    path = f"/c/{window.club.pk}/{page}"
    answer = Asking().get(path)
    assert answer.status_code == 200
    there = Asking().get(f"/api/v1/clubs/{window.club.pk}/{name}")
    assert answer["Content-Type"] == there["Content-Type"]
    assert len(answer.content) == pytest.approx(len(there.content), abs=200)
    assert path in Asking().client.get(f"/c/{window.club.pk}/").content.decode()
    closed = Asking().client.get("/robots.txt").content.decode()
    assert not any(path.startswith(line[10:]) for line in closed.splitlines()[1:])
    Club.objects.filter(pk=window.club.pk).update(is_public=False)
    assert Asking().get(path).status_code == 404


def test_a_file_of_standings_has_its_dates_for_programs(window: Window) -> None:
    where = f"/api/v1/clubs/{window.club.pk}/standings-file?format=json"
    night = Asking().get(f"{where}&event={window.event.pk}")
    head = json.loads(night.getvalue())
    assert datetime.fromisoformat(head["date_iso"]) == window.event.starts_at
    assert datetime.fromisoformat(head["computed_iso"]).tzinfo is not None
    season = json.loads(Asking().get(f"{where}&league={window.league.pk}").getvalue())
    nights = [one for one in season["tables"][0]["columns"] if one["key"].startswith("night_")]
    assert [one["date"] for one in nights] == [window.event.starts_at.date().isoformat()]
