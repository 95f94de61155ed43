"""A hand of practice on a phone, from the first page to its record."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.api.desk import Night
from tests.web.conftest import PHONE, Open
from tournaments.models import Club

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEYS = ".pad .keys button:enabled"
CARDS = ".own-card:enabled"
TRICK = 8_000
"""Milliseconds in which bots play to the end of a trick and into the next, and it was looked at."""


def play_to_its_end(page: Page) -> None:
    """Answer with the first key and the first legal card until the hand is over."""
    end = page.get_by_role("heading", name="What your cards cost")
    passing = page.get_by_role("button", name="Pass these 3")
    while not end.is_visible():
        if passing.is_visible():
            for place in range(3):
                page.locator(CARDS).nth(place).click()
            passing.click()
        elif page.locator(KEYS).count():
            page.locator(KEYS).first.click()
        elif page.locator(CARDS).count():
            page.locator(CARDS).first.click()
        page.clock.run_for(TRICK)


def open_as_record(page: Page) -> None:
    page.get_by_role("button", name="Look at it card by card").click()
    expect(page.get_by_role("heading", name="In order.")).to_be_visible()


def test_a_visitor_plays_a_hand_without_a_network_and_opens_it_card_by_card(visit: Open) -> None:
    page = visit("/", viewport=PHONE)
    page.get_by_role("link", name="Play a hand").click()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.clock.install()
    page.reload()
    page.get_by_role("button", name="Standard Hearts: play with 4 players").click()
    page.get_by_role("button", name="Take back").wait_for()
    play_to_its_end(page)
    expect(page.locator("main h1")).to_contain_text("for you")
    page.context.set_offline(False)
    open_as_record(page)


def test_a_hand_with_an_auction_is_gone_on_with_where_it_was_left(visit: Open) -> None:
    page = visit("/play/", viewport=PHONE)
    page.clock.install()
    page.get_by_role("button", name="Auction Hearts (Hoyle): play with 3 players").click()
    expect(page.locator(".own-card").first).to_be_visible()
    held = page.locator(".own-card").all_text_contents()
    page.reload()
    page.get_by_role("button", name="Go on with your game").click()
    expect(page.locator(".own-card").first).to_be_visible()
    assert page.locator(".own-card").all_text_contents() == held
    play_to_its_end(page)
    open_as_record(page)
    page.goto("/play/")
    page.get_by_role("button", name="Go on with your game").click()
    page.get_by_role("button", name="Next hand").click()
    expect(page.locator(".own-card").first).to_be_visible()


def test_the_rules_of_a_club_stay_on_the_phone_without_a_network(visit: Open) -> None:
    club = Club.objects.get(pk=Night().game["club"])
    Club.objects.filter(pk=club.pk).update(is_public=True)
    own = club.rule_sets.get().name
    page = visit(f"/play/{club.pk}/", viewport=PHONE)
    expect(page.get_by_role("heading", name=own)).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name=own)).to_be_visible()


def test_a_hint_shows_what_each_card_would_lose_and_a_card_can_be_taken_back(visit: Open) -> None:
    page = visit("/play/", viewport=PHONE)
    page.clock.install()
    page.get_by_role("button", name="Sahara Sands Hearts: play with 4 players").click()
    page.get_by_role("button", name="Take back").wait_for()
    while page.locator(CARDS).count() < 2:
        if page.locator(CARDS).count():
            page.locator(CARDS).click()
        page.clock.run_for(TRICK)
    held = page.locator(".own-card").count()
    page.get_by_role("button", name="A hint").click()
    expect(page.locator(".hint-sheet")).to_contain_text(re.compile("the best|no difference"))
    page.locator(CARDS).first.click()
    expect(page.locator(".own-card")).to_have_count(held - 1)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".own-card")).to_have_count(held)
