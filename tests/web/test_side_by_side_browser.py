"""Two tables replayed side by side in a real browser: one set of keys, one screen."""

import pytest
from playwright.sync_api import expect

from scoring.games import nights
from tests.scoring.club import DIRECTOR, at
from tests.web.boards import play_board, start_duplicate
from tests.web.conftest import DESK, PHONE, Open
from tests.web.test_browser import overflow, violations
from tests.web.window import make_window

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def address() -> str:
    event, games = start_duplicate(make_window())
    first, second = (play_board(event, game, 1, seed) for seed, game in enumerate(games))
    nights.end_round(event_id=event.pk, number=1, why="late", by=DIRECTOR, at=at(9))
    return f"/h/{first.pk}/beside/{second.pk}/"


def test_two_tables_go_through_the_tricks_in_step(visit: Open, address: str) -> None:
    page = visit(address, viewport=DESK)
    cursors = "all => all.map((one) => Number(one.dataset.cursor))"
    boards = page.locator(".board")
    for key, cursor in (
        ("Home", 0), ("End", 52), ("Shift+ArrowLeft", 48), ("ArrowRight", 49), ("ArrowLeft", 48)
    ):  # fmt: skip
        page.keyboard.press(key)
        assert boards.evaluate_all(cursors) == [cursor, cursor], key
    boards.nth(1).locator(".timeline [data-goto-trick='3']").click()
    assert boards.evaluate_all(cursors) == [12, 12]
    assert page.url.endswith("?at=1.3.0")
    page.keyboard.press("2")
    expect(page.locator(".seat.covered")).to_have_count(6)
    bottom = "all => Math.max(...all.map((one) => one.getBoundingClientRect().bottom + scrollY))"
    assert page.locator(".both-controls .steps").evaluate_all(bottom) <= DESK["height"]
    assert overflow(page) <= 0
    assert violations(page, only_colours=False) == []


def test_a_first_call_waits_until_the_other_table_has_as_few_to_come(
    visit: Open, address: str
) -> None:
    page = visit(address)
    page.keyboard.press("Home")
    longest = max(page.locator(".side").nth(n).locator(".lead-up li").count() for n in (0, 1))
    for _ in range(longest):
        assert page.locator(".played:visible").count() == 0
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".played:visible")).to_have_count(2)


def test_on_a_phone_a_tab_shows_the_other_table_at_the_same_card(visit: Open, address: str) -> None:
    page = visit(address, viewport=PHONE)
    page.keyboard.press("Shift+ArrowRight")
    boards = page.locator(".board")
    expect(boards.nth(0)).to_be_visible()
    expect(boards.nth(1)).to_be_hidden()
    page.locator(".which-table label").nth(1).click()
    expect(boards.nth(0)).to_be_hidden()
    expect(boards.nth(1).locator(".played:visible")).to_have_count(4)
    # From the tabs to the keys: whoever has scrolled past the title sees all of it.
    top = page.locator(".which-table").evaluate("(tabs) => tabs.getBoundingClientRect().top")
    bottom = "all => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
    assert page.locator(".both-controls .steps").evaluate_all(bottom) - top <= PHONE["height"]
    assert overflow(page) <= 0
    assert violations(page, only_colours=False) == []
