"""Finishing a table another day in a browser: desk, standings, and the phone that asks which."""

import pytest
from playwright.sync_api import expect

from tests.tournaments.night import draw, make_night, play, start
from tests.tournaments.publishing.nights import Clock, publish_all
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.phones import Phone, Pockets, pockets
from tests.web.test_desk_browser import PASSWORD, look, sign_in
from tests.web.test_phone_follows_browser import code, name_at, seat_of, sit
from tournaments.models import Club

__all__ = ["pockets"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def choose(phone: Phone, name: str) -> Phone:
    return phone.press(phone.page.get_by_role("button", name=name))


def test_a_table_is_finished_another_day_and_its_code_asks_which_game(
    visit: Open, pockets: Pockets
) -> None:
    event = make_night(8, rounds=2)
    Club.objects.update(is_public=True)
    draw(event)
    games = start(event, 1)
    play(games[0], 1)
    play(games[1], 2)
    first, second = name_at(event, 1, 1, 0), name_at(event, 1, 1, 1)
    own_phone = sit(pockets.phone(code(event, 1)), first)
    give_role(make_account(password=PASSWORD), event.club, "director")
    page = sign_in(visit)
    page.goto(f"/desk/events/{event.pk}/")
    page.get_by_role("link", name="Finish another day").first.click()
    page.locator("summary", has_text="Finish another day").click()
    page.get_by_label("On which day, if you know it?").fill("2099-12-04")
    page.get_by_role("radio", name="The room closes.").check()
    look(page, "table-another-day")
    page.get_by_role("button", name="Finish another day").click()
    expect(page.get_by_text("The table will be finished another day.")).to_be_visible()
    look(page, "table-adjourned")
    page.goto(f"/desk/events/{event.pk}/")
    look(page, "floor-adjourned")
    page.get_by_role("button", name="Close round 1").first.click()
    expect(page.get_by_role("heading", name="Round 1, table 1")).to_be_visible()
    publish_all(Clock())
    said = "table 1 of round 1 will be finished on 4 December 2099. The hands played so far count."
    for name, path in (
        ("event-adjourned", f"/e/{event.pk}/"),
        ("wall-adjourned", f"/e/{event.pk}/?view=projector"),
        ("club-adjourned", f"/c/{event.club_id}/"),
    ):
        page.goto(path)
        if name != "club-adjourned":
            expect(page.get_by_text(said)).to_be_visible()
        look(page, name)
    start(event, 2)
    own_phone.look_again().sees(f"ound 2, table {seat_of(event, 2, first).table.number}")
    page.goto(f"/t/{code(event, 1)}")
    look(page, "phone-which-game")
    late = sit(choose(pockets.phone(code(event, 1)), "Round 1"), second, stays=True)
    late.look_again().sees("ound 1, table 1").misses("ound 2")
