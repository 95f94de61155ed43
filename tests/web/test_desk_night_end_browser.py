"""The form of a night follows its house rules, and the night ends in two clicks, in a browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.scoring.club import at, make_club, make_rules
from tests.tournaments.night import draw, make_event, make_night, play, start
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.test_desk_browser import PASSWORD, look, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CLICKS = """() => {
  const count = () => { sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1; };
  addEventListener("click", count, true);
}"""


def sizes_offered(page: Page) -> list[str]:
    boxes = page.locator("[name=sizes]:visible")
    return [str(boxes.nth(at).get_attribute("value")) for at in range(boxes.count())]


def test_other_house_rules_change_what_the_form_offers(visit: Open) -> None:
    club = make_club()
    auction, sahara = make_rules(club, "hoyle_auction"), make_rules(club, "sahara")
    single = make_rules(club, "bicycle")
    make_event(club, rule_set=sahara, rounds=7, hands=3, sizes=[3], starts_at=at(-600))
    make_event(club, rule_set=auction, rounds=2, hands=6)
    give_role(make_account(password=PASSWORD), club, "director")
    page = sign_in(visit)
    page.goto(f"/desk/clubs/{club.pk}/events/new/")
    page.locator("summary", has_text="More, seldom needed").click()
    page.locator("summary", has_text=re.compile(r"^\s*Tables\b")).click()
    assert sizes_offered(page) == ["3", "4", "5", "6"]
    page.get_by_label("Hands in a round").fill("9")
    page.locator("#id_rule_set").select_option(str(sahara.pk))
    assert sizes_offered(page) == ["3", "4", "5"]
    expect(page.locator("#id_rounds")).to_have_value("7")
    expect(page.get_by_label("Hands in a round")).to_have_value("9")
    expect(page.locator("[name=sizes][value='3']")).to_be_checked()
    page.get_by_text("Another game in some rounds").click()
    page.locator("#id_round_rules_rounds_0").fill("2")
    page.locator("#id_round_rules_chosen_0").select_option(str(single.pk))
    assert sizes_offered(page) == ["4"]
    look(page, "night-form-rules")


def test_the_last_hand_and_the_official_table_are_two_clicks_apart(visit: Open) -> None:
    event = make_night(8, rounds=1, added=2000)
    give_role(make_account(password=PASSWORD), event.club, "director")
    page = sign_in(visit)
    draw(event)
    for table, game in enumerate(start(event, 1)):
        play(game, 2, table)
    page.add_init_script(f"({CLICKS})()")
    page.goto(f"/desk/events/{event.pk}/")
    page.get_by_label("Why can results not be corrected any longer?").click()
    page.keyboard.type("Everybody has looked at the results.")
    page.get_by_role("button", name="Close and make official").click()
    expect(page.get_by_role("heading", name="The results are official")).to_be_visible()
    assert page.evaluate("Number(sessionStorage.clicks)") <= 2
    expect(page.get_by_role("link", name="Print the result sheet")).to_be_visible()
    page.get_by_role("button", name="Copy the text").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    page.mouse.move(0, 0)
    look(page, "night-end")
