"""The first run in a browser: how many clicks it takes, and whether everybody can use its pages."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.web.conftest import Open
from tests.web.test_browser import violations
from tests.web.test_every_page_browser import SHIFT, SHIFT_MAX, WIDTHS, fits
from tournaments.models import Entry
from tournaments.people.setup_code import make_setup_code

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = "Ada Adler, Ann Archer\nCohen; Carl\nConti; Cara\nDora Diaz\nAnn Archer"


def wrong_with(page: Page) -> list[str]:
    found = list(fits(page, WIDTHS))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found += violations(page, only_colours=scheme == "dark")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 800})
    return found


def paste(page: Page, text: str) -> None:
    """As the browser puts in what is pasted; the clipboard itself needs TLS."""
    page.get_by_role("textbox", name="Who is here tonight?").focus()
    page.keyboard.insert_text(text)


def test_the_first_night_takes_four_clicks_and_one_paste(visit: Open) -> None:
    page = visit(f"/desk/set-up/#{make_setup_code(at=timezone.now())}")
    clicks = 0
    assert page.evaluate(SHIFT) < SHIFT_MAX
    assert wrong_with(page) == []
    expect(page.get_by_label("Code")).to_be_hidden()
    page.get_by_label("Name of the club").fill("Tuesday Hearts Club")
    page.get_by_label("Your name").fill("Pat Reed")
    page.get_by_label("Email address").fill("pat@example.org")
    page.get_by_label("Password").fill("four queens in the kitty")
    page.get_by_role("button", name="Go on").click()
    clicks += 1

    expect(page).to_have_url(re.compile("/first-night/$"))
    assert page.evaluate(SHIFT) < SHIFT_MAX
    paste(page, NAMES)
    expect(page.get_by_role("status")).to_contain_text("6 names read")
    assert wrong_with(page) == []
    page.get_by_label("Two people").check()
    clicks += 1
    expect(page.locator("#plan")).to_contain_text("1 table of 4")
    page.get_by_role("radio", name="Auction Hearts (Hoyle)").check()
    clicks += 1
    expect(page.locator("#plan")).to_contain_text("2 tables of 3")
    page.get_by_role("button", name="Start round 1").click()
    clicks += 1
    expect(page).to_have_url(re.compile("/codes/$"))
    assert clicks == 4
    assert Entry.objects.count() == 6


def test_a_wrong_code_is_asked_for_again_and_a_password_can_be_looked_at(visit: Open) -> None:
    make_setup_code(at=timezone.now())
    page = visit("/desk/set-up/#AAAA-AAAA-AAAA-AAAA")
    page.get_by_label("Name of the club").fill("Tuesday Hearts Club")
    page.get_by_label("Your name").fill("Pat Reed")
    page.get_by_label("Email address").fill("pat@example.org")
    password = page.get_by_label("Password")
    password.fill("four queens in the kitty")
    page.get_by_role("button", name="Show").click()
    assert password.get_attribute("type") == "text"
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("This is not the code.")).to_be_visible()
    expect(page.get_by_label("Code")).to_be_visible()
    expect(page.get_by_label("Name of the club")).to_have_value("Tuesday Hearts Club")
