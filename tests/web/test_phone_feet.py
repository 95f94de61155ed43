"""The foot on the phones: told once, and written by those alone who have one left."""

import pytest
from playwright.sync_api import expect

from tests.api.desk import Night
from tests.web.phones import Phone, Pockets, pockets, tokens
from tests.web.test_browser import look_at

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


def call(phone: Phone, hand: int, *names: str) -> None:
    """Tell by hand who called a foot, and send it."""
    phone.more("Somebody called a foot")
    for name in names:
        phone.tap(name)
    phone.tap("Done", f"Send hand {hand}").told(hand, "Foot")


def test_who_confirms_a_foot_reads_of_it_once(pockets: Pockets) -> None:
    night = Night("sahara", foot="on")
    north, east = (pockets.phone(token) for token in tokens(night, "N", "E"))
    call(north.sees("North took how many ♥?"), 1, "East", "West")
    east.look_again().sees("Is hand 1 right?")
    told = east.page.locator(".confirm")
    expect(told.get_by_text("East and West called a foot")).to_have_count(1)
    look_at(east.page, "table-foot-to-confirm-phone-light")
    pockets.put_away()


def test_nobody_writes_a_foot_who_has_none_left(pockets: Pockets) -> None:
    """Who has used theirs can seal no other (D30); papers nobody can use are not asked for."""
    night = Night("sahara", foot="on")
    north, east = (pockets.phone(token) for token in tokens(night, "N", "E"))
    call(north.sees("North took how many ♥?"), 1, "East", "West")
    for phone in (north, east):
        phone.look_again().open_sheet().sees("Foot used: East, West").close_sheet()
        phone.press(phone.page.get_by_text("Secret papers: foot · hand 2"))
    north.tap("North writes", "Yes").sees("Seal: Foot")
    east.tap("East writes").sees("Seal:").misses("Seal: Foot")
    expect(east.page.get_by_role("button", name="Yes", exact=True)).to_have_count(0)
    look_at(east.page, "table-no-foot-left-phone-light")
    north.tap("Leave it")
    call(north, 2, "North", "South")
    north.sees("North took how many ♥?").misses("Secret papers")
    pockets.put_away()
