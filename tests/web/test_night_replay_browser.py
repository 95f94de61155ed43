"""The replay of a night in a browser: it runs, and stops where it is told to."""

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Open
from tests.web.test_browser import look_at
from tests.web.test_night_replay import night_over

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_replay_runs_stops_and_is_moved(visit: Open) -> None:
    page = visit(f"/e/{night_over().pk}/replay/")
    now, pause = page.locator("#replay-now"), page.locator("#replay-pause")
    expect(now).to_contain_text("Round 1, hand 2")
    expect(page.locator("#replay-ranks li")).to_have_count(8)
    pause.click()
    expect(pause).to_have_text("Play")
    page.get_by_label("Hand of the night").focus()
    page.keyboard.press("End")
    expect(now).to_contain_text("Round 2, hand 2")
    expect(pause).to_have_text("Once more")
    page.get_by_text("As a table").click()
    expect(page.get_by_role("table").locator("tbody tr")).to_have_count(4)
    look_at(page, "night-replay")


def test_the_replay_stands_still_where_motion_is_not_wanted(visit: Open) -> None:
    page = visit(f"/e/{night_over().pk}/replay/", reduced_motion="reduce")
    expect(page.locator("#replay-now")).to_contain_text("Round 2, hand 2")
    expect(page.locator("#replay-pause")).to_have_text("Once more")
