"""No tap falls on a pad of before: what is known is shown at once, however slow the network is.

Answers of the server are held back until the phone has shown what it knows without them.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, expect

from scoring.models import Hand, HandDraft, SealedPaper
from tests.api.desk import Night, taken
from tests.web.phones import Pockets, look_again, pockets, tokens
from tests.web.test_phone_offline import FIRST, SPOILED

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

NEWS = "**/t/news"
DRAFTS = re.compile(r"/api/v1/games/[^/]+/drafts$")
HANDS = re.compile(r"/api/v1/games/[^/]+/hands$")
ONE_DRAFT = re.compile(r"/api/v1/games/[^/]+/drafts/[^/]+$")
HAND = {"bidder": "W", "bid": 5, "pain": "S", "taken": taken("0/3/4/6")}


@contextmanager
def held(
    page: Page, where: str | re.Pattern[str], ask: Callable[[Page], object] = look_again
) -> Iterator[None]:
    """What the page asks there, made to by ``ask``, is not answered before the end of the block."""
    waiting: list[Route] = []
    is_over = False

    def hold(route: Route) -> None:
        if is_over:
            route.continue_()
        else:
            waiting.append(route)

    page.route(where, hold)
    with page.expect_request(where):
        ask(page)
    yield
    is_over = True
    for route in waiting:
        route.continue_()
    page.unroute(where, hold)


def knows_all(page: Page, token: str) -> Page:
    """Open the page and wait until it has read its table, and what others tell."""
    with page.expect_response(DRAFTS):
        page.goto(f"/t/{token}")
    return page


def test_a_hand_of_the_desk_is_seen_before_all_else_is_read(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?")
    night.enter(HAND)
    with held(phone.page, DRAFTS):
        phone.sees("Hand 2", "Who bid highest?").tap("South").sees("South bid how many?")
    phone.sees("Bid South ?").misses("meanwhile")
    pockets.put_away()
    assert {row.number for row in HandDraft.objects.all()} <= {2}


def test_the_next_hand_is_there_before_the_last_one_is_sent(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?").tap(*FIRST)
    with held(phone.page, NEWS):
        phone.tap("Send hand 1").sees("Waiting: 1", "Who bid highest?").misses("Bid West")
        phone.tap("South").sees("South bid how many?")
    phone.sent_all().sees("Bid South ?", "South bid how many?")
    pockets.put_away()
    assert Hand.objects.count() == 1


def test_what_was_decided_of_a_refused_hand_is_seen_at_once(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?").is_ready_offline()
    with phone.offline():
        phone.tap(*FIRST, "Send hand 1").sees("Waiting: 1").page.evaluate(SPOILED)
    phone.sees("Not taken: 1")
    with held(phone.page, NEWS):
        phone.tap("Change it and send it again").sees("West bid 5 and named spades")
    phone.more("Enter it again").sees("Who bid highest?")
    with held(phone.page, NEWS):
        phone.tap("Give it up", "Yes, throw it away").misses("Not taken: 1").tap("East", "4")
    phone.sees("Bid East 4", "Hand 1")
    pockets.put_away()
    assert not Hand.objects.exists()


def test_a_paper_is_sealed_once_however_often_it_is_tapped(pockets: Pockets) -> None:
    night = Night("insurance", centre_auction="off")
    phone = pockets.phone(*tokens(night, "N")).sees("Next: hand 1")
    phone.press(phone.page.get_by_text("Secret papers: insurance"))
    pen = phone.tap("North writes").page.locator(".pen")
    phone.press(pen.get_by_role("button", name="2", exact=True))
    with held(phone.page, NEWS):
        phone.page.get_by_role("button", name="Seal: 2").dblclick()
        phone.misses("Seal: 2").misses("North writes").sees("Waiting: 1")
    phone.sent_all().sees("Not yet sealed: East, South and West")
    pockets.put_away()
    assert SealedPaper.objects.count() == 1


def test_a_tap_belongs_to_the_hand_that_was_below_the_finger(pockets: Pockets) -> None:
    """It was told by somebody else before the finger went up: two records, and no third hand."""
    night = Night()
    phone = pockets.phone()
    page = knows_all(phone.page, *tokens(night, "S"))
    page.get_by_role("button", name="East", exact=True).hover()
    page.mouse.down()
    night.enter(HAND)
    with held(page, DRAFTS):  # the table is read by then
        page.mouse.up()
    phone.sees("Bid East ?").open_sheet().sees("Another phone has entered hand 1 meanwhile")
    phone.tap("Throw mine away").sees("Who bid highest?").misses("meanwhile")


def test_a_tap_on_a_hand_that_another_window_has_sent_tells_nothing(pockets: Pockets) -> None:
    night = Night()
    (token,) = tokens(night, "S")
    phone = pockets.phone(token).sees("Who bid highest?").tap(*FIRST)
    other = knows_all(phone.tab(), token)
    other.get_by_role("button", name="Send hand 1").hover()
    other.mouse.down()
    phone.context.route(HANDS, lambda route: route.abort())
    phone.tap("Send hand 1").sees("Waiting: 1", "Who bid highest?")
    with held(other, NEWS):  # what waits is known by then
        other.mouse.up()
    expect(other.locator("body")).to_contain_text("Who bid highest?")
    expect(other.locator("body")).not_to_contain_text("Bid West 5")
    other.close()
    phone.context.unroute(HANDS)
    phone.told(1).sees("Who bid highest?").misses("Bid West 5")


def test_who_goes_on_with_a_hand_that_was_settled_meanwhile_tells_no_other(
    pockets: Pockets,
) -> None:
    night = Night()
    south, east = (pockets.phone(token) for token in tokens(night, "S", "E"))
    for phone in (south, east):
        phone.sees("Who bid highest?")
    south.tap("East", "4")
    south.keeps(2)
    east.look_again().sees("South tells this hand", "Bid East 4")
    with held(east.page, ONE_DRAFT, lambda _page: east.tap("I tell instead")):
        night.enter(HAND)
    east.sees("Entered already", "Bid East 4").tap("Entered already")
    east.sees("Another phone has entered hand 1 meanwhile").tap("Throw mine away").sees(
        "Who bid highest?"
    ).misses("Undo")
