"""The desk of a club: what is next, what waits with the button that ends it, who won, ways on."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from scoring.models import Hand, State
from tests.scoring.club import DIRECTOR, at, make_club
from tests.scoring.games.test_night_end import make_official, unpaid_night
from tests.tournaments.night import draw, make_event, make_night, start
from tests.web.desk import Director, director_of
from tests.web.window import make_window, publish_all
from tournaments.events.replies import make_reply_links
from tournaments.models import Club, Event, Status

pytestmark = pytest.mark.django_db
QUERIES_MAX = 25


def desk_of(club: Club, role: str = "admin") -> tuple[Director, Any]:
    director = director_of(club, role)
    return director, director.get(f"/desk/clubs/{club.pk}/")


def shown(page: Any) -> str:
    return " ".join(unescape(strip_tags(page.content.decode())).split())


def titles(page: Any) -> list[str]:
    return [task.title for task in page.context["tasks"]]


def test_the_next_night_is_the_first_thing_and_its_check_in_the_main_button() -> None:
    club = make_club(venue="Parish Hall")
    soon = timezone.now() + timedelta(days=5)
    event = make_event(club, name="Night 11", starts_at=soon, entry_fee=500)
    make_event(club, name="Night 12", starts_at=soon + timedelta(days=7))
    _director, page = desk_of(club)
    text = shown(page)
    assert "Next night, in 5 days" in text
    assert "Parish Hall" in text
    assert page.context["next"].event == event
    assert [one.name for one in page.context["coming"]] == ["Night 12"]
    main = page.content.decode().split('class="go big"')[1]
    assert f"/desk/events/{event.pk}/" in main.split(">")[0]
    make_reply_links(event_id=event.pk, by=DIRECTOR, at=at())
    assert "no reply" not in shown(desk_of(club)[1]), "nobody is a member yet"


def test_a_night_that_runs_comes_before_one_that_is_planned() -> None:
    event = make_night(4, rounds=1)
    make_event(event.club, name="Later", starts_at=timezone.now() + timedelta(days=1))
    draw(event)
    start(event, 1)
    _director, page = desk_of(event.club)
    assert page.context["running"] == event
    assert "Go on with the night" in shown(page)


def test_without_a_night_the_page_sets_one_up() -> None:
    _director, page = desk_of(make_club())
    assert "No night is planned" in shown(page)
    assert "Paste the names and start at once" in shown(page)
    assert "Nothing waits" in shown(page)


def test_what_waits_leads_to_what_ends_it_and_is_gone_then() -> None:
    event = make_official(unpaid_night(paid=1))
    director, page = desk_of(event.club)
    assert titles(page) == [f"{event.name} is not settled"]
    assert "Not paid the entry fee: " in shown(page)
    money = page.context["tasks"][0].href
    director.fill(money, settle="all")
    assert titles(desk_of(event.club)[1]) == []


def test_prizes_that_were_not_paid_out_wait() -> None:
    event = make_official(unpaid_night(paid=4))
    _director, page = desk_of(event.club)
    assert [task.text for task in page.context["tasks"]] == ["The prizes are not paid out yet."]


def test_results_that_are_not_official_and_hands_in_dispute_wait() -> None:
    event = unpaid_night(paid=4)
    hand = Hand.objects.filter(game__club=event.club)[0]
    Hand.objects.filter(pk=hand.pk).update(state=State.DISPUTED)
    _director, page = desk_of(event.club)
    assert titles(page) == [
        f"Hand {hand.number} is in dispute",
        f"{event.name} is not official yet",
    ]
    assert page.context["tasks"][0].href == f"/desk/hands/{hand.pk}/"


def test_fees_of_a_night_that_was_called_off_wait_to_be_given_back() -> None:
    event = unpaid_night(paid=2)
    Event.objects.filter(pk=event.pk).update(status=Status.CANCELLED, cancel_reason="Snow")
    _director, page = desk_of(event.club)
    assert titles(page) == ["2 entry fees to give back"]


def test_whoever_may_not_end_it_does_not_see_what_waits() -> None:
    event = unpaid_night(paid=1)
    _director, page = desk_of(event.club, "player")
    assert titles(page) == []
    assert f"/desk/events/{event.pk}/" not in page.content.decode()


def test_who_won_last_stands_on_a_podium() -> None:
    event = unpaid_night(paid=4)
    publish_all()
    _director, page = desk_of(event.club)
    last = page.context["last"]
    assert last.event == event
    assert last.winners
    assert last.podium[0][0] in ("1", "=1")
    assert " won" in shown(page)


def test_four_sections_lead_to_everything_and_nights_lists_them_all() -> None:
    event = unpaid_night()
    director, page = desk_of(event.club)
    text, base = page.content.decode(), f"/desk/clubs/{event.club_id}/"
    for way in ("nights", "members", "leagues", "rules", "money", "jobs", "roles", "codes"):
        assert f'href="{base}{way}/"' in text, way
    nights = director.get(f"{base}nights/").content.decode()
    assert f'href="/desk/events/{event.pk}/"' in nights
    assert f'href="{base}events/new/"' in nights


def test_the_desk_of_a_club_takes_few_queries_however_much_waits() -> None:
    window = make_window()
    publish_all()
    soon = timezone.now() + timedelta(days=5)
    Event.objects.filter(club=window.club).update(status=Status.FINISHED, entry_fee=500)
    Hand.objects.filter(pk=window.hand.pk).update(state=State.DISPUTED)
    event = make_event(window.club, name="Next", starts_at=soon)
    make_reply_links(event_id=event.pk, by=DIRECTOR, at=at())
    director, page = desk_of(window.club)
    assert page.context["last"]
    assert page.context["tasks"]
    with CaptureQueriesContext(connection) as queries:
        director.get(f"/desk/clubs/{window.club.pk}/")
    own = [one for one in queries if "django_session" not in one["sql"]]
    assert len(own) <= QUERIES_MAX, [one["sql"] for one in own]
