"""A club's own clock on its pages, in its forms, on paper and in files."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from scoring.transfer import exporting
from tests.scoring.club import DIRECTOR, at, make_club, make_players, make_rules
from tests.tournaments.night import make_event, play
from tests.web.desk import director_of
from tests.web.window import make_window, member_of, publish_all
from tournaments.core.errors import RefusedError, StaleError
from tournaments.models import Club, Event, Scope, Stale
from tournaments.people import clubs
from tournaments.publishing import versions

pytestmark = pytest.mark.django_db
AMSTERDAM, NEW_YORK = "Europe/Amsterdam", "America/New_York"
"""One hour before Greenwich in winter, and five behind."""


def club_in(zone: str, **fields: Any) -> Club:
    club = make_club(**fields)
    Club.objects.filter(pk=club.pk).update(time_zone=zone)
    club.refresh_from_db()
    return club


def night_in(zone: str, starts_at: datetime, **fields: Any) -> Event:
    club = club_in(zone, is_public=True)
    make_rules(club)
    event = make_event(club, **fields)
    Event.objects.filter(pk=event.pk).update(starts_at=starts_at)
    event.refresh_from_db()
    return event


def test_pages_tell_the_time_by_the_clubs_clock_and_the_next_one_by_its_own(
    client: Client,
) -> None:
    late = datetime(2026, 11, 21, 0, 30, tzinfo=UTC)
    there = night_in(NEW_YORK, late)
    page = client.get(f"/e/{there.pk}/").content.decode()
    assert "Friday 20 November 2026, 19:30" in page
    assert 'datetime="2026-11-20T19:30:00-05:00"' in page
    here = make_event(make_club("Elsewhere", is_public=True))
    Event.objects.filter(pk=here.pk).update(starts_at=late)
    assert "Saturday 21 November 2026, 00:30" in client.get(f"/e/{here.pk}/").content.decode()


def test_a_night_is_set_up_by_the_clock_on_the_wall() -> None:
    club = club_in(AMSTERDAM)
    make_rules(club)
    director, path = director_of(club), f"/desk/clubs/{club.pk}/events/new/"
    page = director.get(path).content.decode()
    assert re.search(r'name="starts_at" value="\d{4}-\d\d-\d\dT19:30"', page)
    assert "Europe/Amsterdam" in page
    director.fill(path, name="Night", starts_at="2026-07-03T19:30")
    event = Event.objects.get()
    assert event.starts_at == datetime(2026, 7, 3, 17, 30, tzinfo=UTC)
    settings = director.get(f"/desk/events/{event.pk}/settings/").content.decode()
    assert 'value="2026-07-03T19:30"' in settings
    version = event.version
    director.fill(f"/desk/events/{event.pk}/settings/", name="Other")
    event.refresh_from_db()
    assert (event.starts_at.hour, event.version) == (17, version + 1)


@pytest.mark.parametrize(
    ("typed", "said"),
    [("2026-03-29T02:30", "there is no 02:30"), ("2026-10-25T02:30", "02:30 comes twice"),
     ("9999-12-31T23:59", ""), ("0001-01-01T00:00", ""), ("tonight", "Enter a valid")],
)  # fmt: skip
def test_an_hour_that_is_not_there_or_comes_twice_is_asked_for_again(typed: str, said: str) -> None:
    club = club_in(AMSTERDAM)
    make_rules(club)
    answer = director_of(club).fill(
        f"/desk/clubs/{club.pk}/events/new/", name="Night", starts_at=typed
    )
    assert answer.status_code in ((422,) if said else (422, 302))
    if said:
        error = re.search(r'id="id_starts_at_error">([^<]*)<', answer.content.decode())
        assert error is not None
        assert said in error[1]


def test_a_key_ends_by_the_clubs_clock() -> None:
    club = club_in(NEW_YORK)
    admin = director_of(club, "admin")
    page = f"/desk/clubs/{club.pk}/keys/"
    typed: dict[str, Any] = {"name": "Screen", "kind": "player", "scopes": ["club.read"]}
    admin.send(admin.form(page), **typed, expires_at="2031-01-10T12:00")
    assert club.api_keys.get().expires_at == datetime(2031, 1, 10, 17, tzinfo=UTC)


def test_standings_as_they_stood_are_asked_for_by_the_clubs_clock() -> None:
    window = make_window()
    Club.objects.filter(pk=window.club.pk).update(time_zone=AMSTERDAM)
    play(window.game, 1)
    publish_all()
    page = member_of(window.club).get(window.addresses["event"], {"at": "2037-01-01T01:00"})
    body = page.content.decode()
    assert 'value="2037-01-01T01:00"' in body
    assert "at=2037-01-01T00%3A00Z" in body


def test_a_club_says_its_clock_and_its_standings_are_worked_out_anew() -> None:
    window = make_window()
    admin = director_of(window.club, "admin")
    path = f"/desk/clubs/{window.club.pk}/settings/"
    assert 'value="UTC" selected' in admin.get(path).content.decode()
    before = versions.find_latest(Scope.EVENT, window.event.pk)
    admin.fill(path, time_zone="Pacific/Auckland")
    assert Club.objects.get().time_zone == "Pacific/Auckland"
    assert set(Stale.objects.values_list("scope", flat=True)) == {
        "event",
        "league",
        "ratings",
        "player",
    }
    publish_all()
    after = versions.find_latest(Scope.EVENT, window.event.pk)
    assert [row["total"] for row in after.rows] == [row["total"] for row in before.rows]
    admin.fill(path, name="Another")
    assert not Stale.objects.exclude(scope=Scope.STATISTICS).exists()


def test_nobody_knows_such_a_zone() -> None:
    club = make_club()
    for name in ("Mars/Olympus", "", "../x", "Factory"):
        with pytest.raises(RefusedError) as refused:
            clubs.change_club(
                club_id=club.pk, changes={"time_zone": name}, version=1, by=DIRECTOR, at=at()
            )
        assert not isinstance(refused.value, StaleError)
        assert refused.value.field == "time_zone"


def test_a_club_of_a_bundle_keeps_a_zone_that_few_have() -> None:
    club = club_in("Etc/GMT-3")
    admin = director_of(club, "admin")
    admin.fill(f"/desk/clubs/{club.pk}/settings/", name="Another")
    club.refresh_from_db()
    assert (club.name, club.time_zone) == ("Another", "Etc/GMT-3")


def test_files_tell_moments_by_the_clubs_clock() -> None:
    club = club_in(NEW_YORK)
    make_players(club, 1)
    late = datetime(2026, 1, 1, 3, 15, tzinfo=UTC)
    club.players.update(created_at=late)
    csv = exporting.export(club, exporting.ExportRequest(what="members", format="csv"), late)
    assert csv.name == "leiden-hearts-2025-12-31-members.csv"
    assert b"2025-12-31" in b"".join(csv.pieces)
    data = b"".join(
        exporting.export(club, exporting.ExportRequest(what="members", format="json"), late).pieces
    )
    assert b"2026-01-01T03:15:00+00:00" in data


def test_the_installation_says_where_new_clubs_are(settings: Any) -> None:
    settings.CLUB_TIME_ZONE = "Asia/Tokyo"
    admin = director_of(make_club(), "admin")
    admin.fill("/desk/clubs/new/", name="Tokyo Hearts", currency="JPY")
    assert Club.objects.get(name="Tokyo Hearts").time_zone == "Asia/Tokyo"


def test_calendars_name_the_zone(client: Client) -> None:
    event = night_in(AMSTERDAM, datetime(2026, 7, 3, 17, 30, tzinfo=UTC))
    calendar = client.get(f"/api/v1/clubs/{event.club_id}/calendar")
    assert b"X-WR-TIMEZONE:Europe/Amsterdam" in calendar.content
    assert b"DTSTART;TZID=Europe/Amsterdam:20260703T193000" in calendar.content
