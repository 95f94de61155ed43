"""Secret calendars: what they show, who can make and end them, and that they stay secret."""

import re
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest
from django.test import Client
from django.utils import timezone

from tests.scoring.club import DIRECTOR, at
from tests.tournaments.night import check_in, draw, make_event
from tests.web.desk import Director, director_of
from tests.web.test_my_season import signed_in, signed_in_from_phone, words
from tests.web.window import NAMES, Window, member_of
from tournaments.events.events import change_event
from tournaments.events.replies import make_reply_links, note_reply
from tournaments.events.schedule import cancel_event
from tournaments.models import (
    AuditEntry,
    CalendarAddress,
    Club,
    Event,
    Person,
    Player,
    Reply,
    Shown,
)
from tournaments.people import members, player_devices
from tournaments.people.calendar_addresses import token_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def window(window: Window) -> Window:
    """A private club in Amsterdam."""
    Club.objects.update(is_public=False, time_zone="Europe/Amsterdam")
    window.club.refresh_from_db()
    return window


def path_on(page: str) -> str:
    """The secret address that a page shows, without the host."""
    (found,) = re.findall(r">http://testserver(/calendar/[0-9a-f]{64}/nights\.ics)<", page)
    return str(found)


def club_address(window: Window) -> tuple[Director, str]:
    director = director_of(window.club)
    page = f"/desk/clubs/{window.club.pk}/calendar/"
    assert director.fill(page, renew="1").status_code == 302
    return director, path_on(words(director.get(page)))


def own_address(player: Player) -> tuple[Client, str]:
    client = signed_in(player)
    assert client.post("/my/settings", {"renew": "1"})["Location"] == "/my/settings"
    return client, path_on(words(client.get("/my/settings")))


def events_at(path: str, **headers: str) -> dict[str, Any]:
    answer = Client().get(path, headers=headers)
    assert answer.status_code == 200
    calendar = icalendar.Calendar.from_ical(answer.content)
    return {str(event["UID"]).partition("@")[0]: event for event in calendar.walk("VEVENT")}


def coming(window: Window, days: int = 7, **fields: Any) -> Event:
    starts_at = timezone.now().replace(microsecond=0) + timedelta(days=days)
    rules = window.event.rule_set
    return make_event(window.club, rule_set=rules, starts_at=starts_at, **fields)


def test_a_private_club_has_a_calendar_behind_an_address_that_the_desk_shows(
    window: Window,
) -> None:
    night = coming(window, name="Spring cup")
    _director, path = club_address(window)
    events = events_at(path)
    assert set(events) == {str(window.event.pk), str(night.pk)}
    shown = events[str(night.pk)]
    assert (shown["SUMMARY"], shown["STATUS"], shown["SEQUENCE"]) == ("Spring cup", "CONFIRMED", 1)
    assert shown["DTSTART"].dt.astimezone(ZoneInfo("UTC")) == night.starts_at
    assert shown["DTSTART"].params["TZID"] == "Europe/Amsterdam"
    assert Client().get(f"/c/{window.club.pk}/calendar.ics").status_code == 404


def test_the_calendar_of_a_club_names_people_as_strangers_see_them(window: Window) -> None:
    Person.objects.filter(player=window.players[0]).update(shown=Shown.HIDDEN)
    _director, path = club_address(window)
    text = str(events_at(path)[str(window.event.pk)]["DESCRIPTION"])
    assert "Provisional" in text
    assert not any(name in text for name in NAMES)


def test_another_address_ends_the_one_before_and_an_ended_one_opens_nothing(
    window: Window,
) -> None:
    director, first = club_address(window)
    page = f"/desk/clubs/{window.club.pk}/calendar/"
    director.fill(page, renew="1")
    second = path_on(words(director.get(page)))
    assert Client().get(first).status_code == 404
    assert Client().get(second).status_code == 200
    director.fill(page, revoke="1")
    assert Client().get(second).status_code == 404
    assert "Make an address" in words(director.get(page))
    acts = AuditEntry.objects.filter(what__startswith="calendar address").order_by("number")
    assert [entry.what for entry in acts] == [
        "calendar address made",
        "calendar address made",
        "calendar address revoked",
    ]


def test_the_address_of_a_club_is_for_those_who_run_its_nights(window: Window) -> None:
    page = f"/desk/clubs/{window.club.pk}/calendar/"
    assert member_of(window.club, "director").get(page).status_code == 200
    for kind in ("player", "treasurer"):
        client = member_of(window.club, kind)
        assert client.get(page).status_code == 403
        assert client.post(page, {"renew": "1", "key": str(window.club.pk)}).status_code == 403
    assert not CalendarAddress.objects.exists()


def test_no_secret_stands_in_the_database_or_the_trail(window: Window) -> None:
    _director, path = club_address(window)
    _client, own = own_address(window.players[0])
    stored = str([*CalendarAddress.objects.values(), *AuditEntry.objects.values()])
    for secret in (path, own):
        assert secret.split("/")[2] not in stored


def test_an_address_made_with_another_key_is_not_shown_but_can_be_replaced(
    window: Window, settings: Any
) -> None:
    director, path = club_address(window)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key", []
    assert token_of(CalendarAddress.objects.get()) == ""
    again = director_of(window.club)
    page = f"/desk/clubs/{window.club.pk}/calendar/"
    assert "cannot be shown" in words(again.get(page))
    again.fill(page, renew="1")
    assert path_on(words(again.get(page))) != path
    assert Client().get(path).status_code == 404
    assert director is not again


def test_hidden_nights_are_in_no_calendar_but_of_those_who_play_in_them(window: Window) -> None:
    hidden = coming(window, name="Board meeting", is_hidden=True)
    check_in(hidden, window.players[:4])
    _director, club = club_address(window)
    assert str(hidden.pk) not in events_at(club)
    _client, inside = own_address(window.players[0])
    _client, outside = own_address(window.players[5])
    assert str(hidden.pk) in events_at(inside)
    assert str(hidden.pk) not in events_at(outside)


def test_a_member_has_their_own_nights_with_their_seat(window: Window) -> None:
    night = coming(window)
    _client, path = own_address(window.players[0])
    before = events_at(path)[str(night.pk)]
    assert before["STATUS"] == "TENTATIVE"
    assert "You are not entered yet" in str(before["DESCRIPTION"])
    check_in(night, window.players)
    entered = events_at(path)[str(night.pk)]
    assert entered["STATUS"] == "CONFIRMED"
    assert "Your seat is drawn on the night" in str(entered["DESCRIPTION"])
    draw(night)
    drawn = events_at(path)[str(night.pk)]
    assert re.search(r"Round 1: table [12], seat [NESW]", str(drawn["DESCRIPTION"]))
    assert drawn["UID"] == before["UID"]
    assert drawn.decoded("DTSTAMP") >= before.decoded("DTSTAMP")
    assert re.search(
        r"Runde 1: Tisch [12], Platz [NOSW]|Runde 1",
        str(events_at(path, accept_language="de")[str(night.pk)]["DESCRIPTION"]),
    )


def test_the_calendar_of_a_member_follows_what_they_said(window: Window) -> None:
    night, now = coming(window), timezone.now()
    make_reply_links(event_id=night.pk, by=DIRECTOR, at=now)
    player = window.players[0]
    _client, path = own_address(player)
    said: dict[str, Any] = {"event_id": night.pk, "player_id": player.pk, "by": DIRECTOR, "at": now}
    note_reply(reply=Reply.COMES, **said)
    assert events_at(path)[str(night.pk)]["STATUS"] == "CONFIRMED"
    note_reply(reply=Reply.NOT, **said)
    assert str(night.pk) not in events_at(path)
    check_in(night, [player])
    assert str(night.pk) in events_at(path)


def test_the_calendar_of_a_member_has_nothing_of_others(window: Window) -> None:
    _client, path = own_address(window.players[0])
    text = Client().get(path).content.decode().replace("\r\n ", "")
    shorter = {name.split()[0] for name in NAMES}
    assert not any(name in text for name in shorter | {str(one.pk) for one in window.players})
    assert "Provisional" not in text


def test_a_night_that_is_called_off_or_moved_is_so_in_every_calendar(window: Window) -> None:
    night = coming(window)
    check_in(night, window.players)
    _director, club = club_address(window)
    _client, own = own_address(window.players[0])
    before = [events_at(path)[str(night.pk)] for path in (club, own)]
    cancel_event(event_id=night.pk, why="Too few.", version=None, by=DIRECTOR, at=timezone.now())
    for path, old in zip((club, own), before, strict=True):
        new = events_at(path)[str(night.pk)]
        assert (new["UID"], new["STATUS"]) == (old["UID"], "CANCELLED")
        assert new["SEQUENCE"] > old["SEQUENCE"]


def test_a_calendar_is_sent_again_only_when_it_changed(window: Window) -> None:
    night = coming(window)
    _client, path = own_address(window.players[0])
    first = Client().get(path)
    assert first["Cache-Control"] == "private, max-age=300"
    again = Client().get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    changes = {"name": "Another night"}
    change_event(event_id=night.pk, changes=changes, version=1, by=DIRECTOR, at=at(9))
    changed = Client().get(path, headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


def test_no_search_engine_and_no_other_site_learns_an_address(window: Window) -> None:
    _director, path = club_address(window)
    answer = Client().get(path)
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert answer["Referrer-Policy"] == "no-referrer"
    known = Client().get(path, headers={"If-None-Match": answer["ETag"]})
    assert known["X-Robots-Tag"] == "noindex, nofollow"
    assert "Disallow: /calendar/" in Client().get("/robots.txt").content.decode()


def test_a_phone_from_the_table_neither_shows_nor_makes_an_address(window: Window) -> None:
    own_address(window.players[1])
    Event.objects.update(status="running")
    weak = signed_in_from_phone(window, window.players[1])
    assert "/calendar/" not in words(weak.get("/my/settings"))
    assert weak.post("/my/settings", {"renew": "1"}).status_code == 403
    assert weak.post("/my/settings", {"revoke": "1"}).status_code == 403
    assert CalendarAddress.objects.count() == 1


@pytest.mark.parametrize("how", ["revoked", "signed out everywhere", "erased"])
def test_the_calendar_of_a_member_ends(window: Window, how: str) -> None:
    player = Player.objects.get(pk=window.players[0].pk)
    client, path = own_address(player)
    now = timezone.now()
    if how == "revoked":
        client.post("/my/settings", {"revoke": "1"})
    elif how == "erased":
        members.erase_person(player_id=player.pk, version=player.version, by=DIRECTOR, at=now)
    else:
        player_devices.sign_out_everywhere(player_id=player.pk, by=DIRECTOR, at=now)
    assert Client().get(path).status_code == 404
    assert not CalendarAddress.objects.exists()


def test_who_was_merged_keeps_a_calendar_and_can_end_it(window: Window) -> None:
    night = coming(window)
    extra = members.add_player(
        club_id=window.club.pk,
        new=members.NewPlayer(person={"name": "Jo K."}),
        by=DIRECTOR,
        at=timezone.now(),
    )
    _client, path = own_address(extra)
    survivor = window.players[6]
    check_in(night, [survivor])
    members.merge_player(
        player_id=extra.pk, into=survivor.pk, version=extra.version, by=DIRECTOR, at=timezone.now()
    )
    assert events_at(path)[str(night.pk)]["STATUS"] == "CONFIRMED"
    signed_in(survivor).post("/my/settings", {"revoke": "1"})
    assert Client().get(path).status_code == 404


def test_a_former_member_sees_only_the_nights_in_which_they_played(window: Window) -> None:
    night = coming(window)
    _client, path = own_address(window.players[0])
    Player.objects.filter(pk=window.players[0].pk).update(left_at=datetime.now(ZoneInfo("UTC")))
    assert set(events_at(path)) == {str(window.event.pk)}
    assert night.pk != window.event.pk
