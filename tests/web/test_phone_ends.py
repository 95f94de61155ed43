"""The phone between hands and at the end: what waits, who stands where."""

import pytest
from playwright.sync_api import expect

from tests.api.desk import Night, taken
from tests.web.phones import Pockets, call_by_names, look_again, pockets, tokens
from tests.web.test_browser import look_at

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


def test_at_the_end_everybody_sees_who_stands_where(pockets: Pockets) -> None:
    night = Night("hoyle_auction", length="hands:1")
    call_by_names(night, "Nora", "Edda", "Sami", "Wim")
    links = tokens(night, "N", "E")
    north, east = (pockets.phone(token) for token in links)
    east.sees("Who bid highest?")
    north.tap("Nora", "7", "hearts", "7", "0", "0", "Send hand 1").told(1)
    for phone in (north, east):
        phone.sees("This game is over.", "The reason: all hands are played.").misses("Hand 2")
        rows = phone.page.locator(".ending tbody tr")
        assert [" ".join(row.inner_text().split()) for row in rows.all()] == [
            "1 Edda 60",
            "1 Sami 60",
            "3 Wim 44",
            "4 Nora 36",
        ]
    expect(north.page.locator(".dealer")).to_have_count(0)
    look_at(north.page, "table-over-phone-light")
    pockets.put_away()
    version = str(night.look()["version"])
    closed = night.desk.post(f"games/{night.game['id']}/closing", {}, version=version)
    assert closed.status == 200, closed
    last = pockets.phone(links[0]).sees("The director has closed this game.", "This game is over.")
    last.misses("settles up")


def test_a_game_that_the_director_closed_has_no_next_hand_on_any_phone(pockets: Pockets) -> None:
    night = Night()
    links = tokens(night, "N")
    night.enter({"bidder": "E", "bid": 3, "pain": "H", "taken": taken("4/0/5/4")})
    north = pockets.phone(*links).sees("Hand 2", "deals")
    expect(north.page.locator(".arc .deals")).to_contain_text("East")
    version = str(night.look()["version"])
    why = {"reason": "The bar closes."}
    closed = night.desk.post(f"games/{night.game['id']}/closing", why, version=version)
    assert closed.status == 200, closed
    look_again(north.page)
    north.sees("The director has closed this game.", "This game is over.")
    north.misses("Hand 2").misses("deals").misses("settles up")
    expect(north.page.locator(".dealer")).to_have_count(0)
    expect(north.page.locator(".ending tbody tr")).to_have_count(4)
    look_at(north.page, "table-closed-phone-light")
    pockets.put_away()


def test_only_one_hand_that_waits_for_a_word_is_in_the_way(pockets: Pockets) -> None:
    night = Night()
    links = tokens(night, "N")
    for bidder, captures in (("E", "0/5/4/4"), ("S", "4/0/5/4")):
        night.enter({"bidder": bidder, "bid": 3, "pain": "H", "taken": taken(captures)})
    north = pockets.phone(*links).sees("Is hand 2 right?").misses("Is hand 1 right?")
    expect(north.page.get_by_role("button", name="It is right")).to_be_visible()
    north.open_sheet().sees("Is hand 1 right?")
    look_at(north.page, "table-more-to-confirm-phone-light")
    north.press(north.page.get_by_role("dialog").get_by_role("button", name="It is right"))
    north.misses("Is hand 1 right?").close_sheet()
    north.tap("It is right").misses("Is hand 1 right?").sent_all()
    pockets.put_away()


def test_a_tap_is_not_lost_when_news_come_below_the_finger(pockets: Pockets) -> None:
    night = Night()
    north, east = (pockets.phone(token) for token in tokens(night, "N", "E"))
    north.sees("Who bid highest?").more("Misdeal: the same dealer deals again").sees("Send hand 1")
    east.sees("North tells this hand").tap(
        "Or start this hand again, from the first question"
    ).sees("Who bid highest?")
    key = "[data-focus='key E']"
    place = east.box(key)
    east.page.mouse.move(place["x"] + 10, place["y"] + 10)
    east.page.mouse.down()
    north.tap("Send hand 1")
    east.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    east.page.wait_for_timeout(400)
    assert east.box(key) == place
    east.page.mouse.up()
    east.sees("East bid how many?")
    pockets.put_away()


def test_nobody_is_asked_for_a_word_on_a_game_that_the_director_closed(pockets: Pockets) -> None:
    night = Night()
    links = tokens(night, "N")
    for bidder, captures in (("E", "0/5/4/4"), ("S", "4/0/5/4")):
        night.enter({"bidder": bidder, "bid": 3, "pain": "H", "taken": taken(captures)})
    north = pockets.phone(*links).sees("Is hand 2 right?")
    expect(north.page.get_by_role("button", name="It is right")).to_be_visible()
    version = str(night.look()["version"])
    why = {"reason": "The bar closes."}
    closed = night.desk.post(f"games/{night.game['id']}/closing", why, version=version)
    assert closed.status == 200, closed
    look_again(north.page)
    north.sees("The director has closed this game.", "This game is over.")
    north.misses("It is right").misses("It is wrong")
    north.open_sheet().misses("Is hand 1 right?").press(north.page.get_by_text("Hands so far"))
    hand = north.page.get_by_role("button", name="Hand 1 Settled")
    north.press(hand)
    expect(hand).to_have_attribute("aria-expanded", "true")
    expect(north.page.locator(".hands")).to_contain_text("North took none")
    north.misses("Something is wrong here")
    look_at(north.page, "table-closed-unconfirmed-phone-light")
    pockets.put_away()


def test_a_misdealt_hand_is_void_and_nobody_said_the_same(pockets: Pockets) -> None:
    night = Night()
    north, east = (pockets.phone(token) for token in tokens(night, "N", "E"))
    north.sees("Who bid highest?").more("Misdeal: the same dealer deals again").tap("Send hand 1")
    north.told(1, "Void").misses("Said the same")
    east.look_again().sees("Is hand 1 right?").tap("It is right").sent_all()
    for phone in (north, east):
        phone.look_again().open_sheet().press(phone.page.get_by_text("Hands so far"))
        expect(phone.page.locator(".hands .pill")).to_have_text("Void")
        phone.misses("Said the same")
    pockets.put_away()
