"""The centre auction on sealed papers: written, opened together, settled by the server."""

import re

import pytest
from playwright.sync_api import expect

from tests.api.desk import Night
from tests.web.phones import Phone, Pockets, pockets, tokens

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

BIDS = {
    "North": ("S9", "3", "SK"),
    "East": ("H2", "2", "DA"),
    "South": ("H2", "2", "HK"),
    "West": ("C7",),
}
"""The card that is wanted, for how much, and the card that is shown; West does not bid."""


def write(phone: Phone, name: str, *words: str) -> None:
    """Answer what the pen asks of one seat to whom the phone was handed, and seal it."""
    phone.tap(f"I am {name}, nobody else looks")
    pen = phone.page.locator(".pen")
    for word in words:
        if re.fullmatch("[SHDC][2-9TJQKA]", word):
            phone.press(pen.locator(f'.card-key[data-focus="{word}"]'))
        else:
            phone.press(pen.get_by_role("button", name=word, exact=True))
    phone.press(pen.locator("button.send")).sent_all()


def test_a_centre_on_papers_is_not_told_in_points_that_nobody_knows_yet(pockets: Pockets) -> None:
    """Who wins the centre the server finds: until then the phone says what was taken, no score."""
    night = Night("insurance", insurance="off", foot="off", length="hands:1")
    phone = pockets.phone(*tokens(night, "table"))
    phone.press(phone.page.get_by_role("button", name="North"))
    phone.sees("What does North pay").press(phone.page.get_by_text("Secret papers: the centre"))
    phone.tap("North writes")
    for name, paper in BIDS.items():
        write(phone, name, "Yes" if len(paper) > 1 else "No", *paper)
    phone.tap("Open the papers").sees("Which cards lay in the centre?")
    for card in ("S9", "H2", "D5", "C9"):
        phone.press(phone.page.locator(f'.pad .card-key[data-focus="{card}"]'))
    phone.tap("3", "4", "6", "South").sees("Took: North 3, East 4, South 6, West 0. Queen: South.")
    expect(phone.page.locator(".ask .say")).not_to_contain_text("scores")
    phone.tap("Send hand 1").told(1).sees("This game is over.")
    pockets.put_away()
    assert night.totals() == "6/4/21/0"
