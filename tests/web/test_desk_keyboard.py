"""A night run by the keyboard alone: everything is reached by Tab, seen where it is, and done."""

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Game
from tests.scoring.club import make_club, make_players, make_rules
from tests.tournaments.night import play
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.test_desk_browser import PASSWORD, look
from tournaments.models import Event, Round

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

KEYS_MAX = 120
"""So many steps of Tab are more than any page has."""
FOCUSED = """() => {
  const here = document.activeElement;
  const named = here.labels?.[0] ?? here;
  const style = getComputedStyle(here);
  const box = here.getBoundingClientRect();
  return {
    text: (named.textContent || here.getAttribute("aria-label") || "").replace(/\\s+/g, " ").trim(),
    tag: here.tagName,
    isSeen: box.width > 0 && box.bottom > 0 && box.top < innerHeight
      && (style.outlineStyle !== "none" || style.boxShadow !== "none"),
  };
}"""


def tab_to(page: Page, text: str, tag: str) -> None:
    """Go on from element to element until this one has the focus, and see that it is shown."""
    for _ in range(KEYS_MAX):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUSED)
        if found["tag"] == tag and found["text"].startswith(text):
            assert found["isSeen"], f"{text} has the focus, and nobody sees it"
            return
    pytest.fail(f"Tab does not lead to {text}")


def press(page: Page, text: str, tag: str = "BUTTON") -> None:
    """Go to a button or a link, press Enter, and see the next page."""
    tab_to(page, text, tag)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_a_night_is_run_by_the_keyboard_alone(visit: Open) -> None:
    club = make_club()
    make_rules(club)
    make_players(club, 8)
    give_role(make_account(password=PASSWORD), club, "admin")
    page = visit("/")
    come_in(page)
    set_up(page)
    check_in(page)
    press(page, "Seat round 1")
    press(page, "Use this seating")
    press(page, "Start round 1")
    expect(page.get_by_role("heading", name="Round 1 is under way")).to_be_visible()
    press(page, "Codes for the phones", "A")
    expect(page.locator(".code")).to_have_count(2)
    look(page, "codes")
    for game in Game.objects.all():
        play(game, 1)
    page.goto(f"/desk/events/{Event.objects.get().pk}/")
    press(page, "Close round 1")
    press(page, "Finish the night")
    expect(page.get_by_role("heading", name="The playing is over")).to_be_visible()
    assert Round.objects.get().stage == "closed"


def come_in(page: Page) -> None:
    press(page, "To the desk", "A")
    page.keyboard.type("nora.adams@example.org")  # the first field has the focus
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="My clubs")).to_be_visible()


def set_up(page: Page) -> None:
    press(page, "Leiden Hearts", "A")
    press(page, "Set up a night", "A")
    for field in ("Rounds", "Hands in a round"):
        tab_to(page, field, "INPUT")
        page.keyboard.type("1")
    press(page, "Set it up")


def check_in(page: Page) -> None:
    tab_to(page, "Find a name", "INPUT")
    for number in range(1, 9):
        page.keyboard.type(f"player {number}")
        page.keyboard.press("Enter")
    press(page, "Check in")
    expect(page.get_by_text("8 are here now.")).to_be_visible()
