"""Calling a night off and moving one in a browser, and the pages that say so."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.scoring.club import DIRECTOR, make_club, make_players
from tests.tournaments.night import check_in, make_event
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.test_desk_browser import PASSWORD, look, sign_in
from tournaments.events.schedule import move_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_night_is_called_off_and_taken_back_and_everybody_can_read_it(visit: Open) -> None:
    club = make_club(is_public=True)
    now = timezone.now()
    event = make_event(club, name="Tuesday", starts_at=now + timedelta(days=1))
    check_in(event, make_players(club, 4))
    other = make_event(
        club, name="Wednesday", starts_at=now + timedelta(days=2), rule_set=event.rule_set
    )
    move_event(
        event_id=other.pk,
        starts_at=now + timedelta(days=9),
        why="The hall is being painted.",
        version=None,
        by=DIRECTOR,
        at=now,
    )
    give_role(make_account(password=PASSWORD), club, "director")
    page = sign_in(visit)
    page.goto(f"/desk/events/{event.pk}/")
    page.get_by_role("link", name="Call off or move").click()
    look(page, "night-schedule")
    page.get_by_role("radio", name="The room is not free.").last.check()
    page.get_by_role("button", name="Call the night off").click()
    expect(page.get_by_role("heading", name="This night is called off")).to_be_visible()
    look(page, "night-called-off")
    for name, path in (
        ("club-called-off", f"/c/{club.pk}/"),
        ("event-called-off", f"/e/{event.pk}/"),
        ("wall-called-off", f"/e/{event.pk}/?view=projector"),
    ):
        page.goto(path)
        expect(page.get_by_text("Called off: “The room is not free.”")).to_be_visible()
        look(page, name)
    page.goto(f"/e/{other.pk}/")
    look(page, "event-moved")
    page.goto(f"/desk/events/{event.pk}/")
    page.get_by_role("button", name="It takes place after all").click()
    expect(page.get_by_role("button", name="Seat round 1")).to_be_visible()
