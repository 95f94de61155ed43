"""The floor in a real browser: it follows what happens, and nothing moves under a finger."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from scoring.hands.agreements import object_to_hand
from scoring.models import Game, Hand
from tests.scoring.club import DIRECTOR, seat
from tests.tournaments.night import draw, make_night, play, start
from tests.web.conftest import PATIENCE, PHONE, Open
from tests.web.desk import give_role, make_account
from tests.web.test_desk_browser import PASSWORD, look, sign_in
from tournaments.events.round_clocks import add_minutes, find_clock, pause_clock, start_clock
from tournaments.models import Event

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

WATCH_SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def playing(**fields: Any) -> tuple[Event, list[Game]]:
    event = make_night(16, hands=4, **fields)
    draw(event)
    games = start(event, 1)
    give_role(make_account(password=PASSWORD), event.club, "director")
    Game.objects.update(opened_at=timezone.now())
    return event, games


def floor(visit: Open, event: Event, **options: object) -> Page:
    page = sign_in(visit, **options)
    page.context.add_init_script(WATCH_SHIFTS)
    page.goto(f"/desk/events/{event.pk}/")
    return page


def shifted(page: Page) -> float:
    return float(page.evaluate("window.shifted"))


def test_the_clock_is_stopped_and_given_time_here_and_by_somebody_else(visit: Open) -> None:
    event, _games = playing()
    start_clock(event_id=event.pk, minutes=35, by=DIRECTOR, at=timezone.now())
    page = floor(visit, event)
    time = page.locator(".round-clock .time")
    page.get_by_role("button", name="Pause").click()
    go_on = page.get_by_role("button", name="Go on")
    expect(go_on).to_be_visible()
    expect(page.get_by_text("paused", exact=True)).to_be_visible()
    left = find_clock(event.pk)
    assert left is not None
    expect(time).to_have_text(f"{left.left // 60}:{left.left % 60:02d}")
    for _ in range(3):
        page.get_by_role("button", name="+1 min").click()
    expect(time).to_have_text(f"{left.left // 60 + 3}:{left.left % 60:02d}")
    add_minutes(event_id=event.pk, minutes=-10, by=DIRECTOR, at=timezone.now())
    expect(time).to_have_text(f"{left.left // 60 - 7}:{left.left % 60:02d}", timeout=PATIENCE)
    go_on.click()
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    pause_clock(event_id=event.pk, by=DIRECTOR, at=timezone.now())
    expect(go_on).to_be_visible(timeout=PATIENCE)
    page.reload()
    expect(go_on).to_be_visible()
    assert shifted(page) < 0.02


@pytest.mark.parametrize("options", [{}, {"viewport": PHONE}], ids=["desk", "phone"])
def test_what_happens_at_tables_is_told_quietly_and_moves_nothing(
    visit: Open, options: dict[str, object]
) -> None:
    event, games = playing()
    start_clock(event_id=event.pk, minutes=35, by=DIRECTOR, at=timezone.now())
    page = floor(visit, event, **options)
    title = page.title()
    expect(page.get_by_text("Nothing waits for you.")).to_be_visible()
    for game in games[:2]:
        play(game, 1)
        Hand.objects.filter(game=game).update(entered_at=timezone.now())
    hand = Hand.objects.get(game=games[1])
    object_to_hand(
        hand_id=hand.pk, version=1, why="The queen is missing", by=seat(1), at=timezone.now()
    )
    expect(page.locator("[data-task='dispute 2 1']")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#floor-news")).to_contain_text("Table 2, hand 1:")
    assert page.title() == f"(1) {title}"
    assert shifted(page) < 0.02
    page.get_by_role("link", name="Look at it").click()
    expect(page.get_by_role("heading", name="Hand 1:")).to_be_visible()


def test_whoever_points_at_the_list_keeps_it_as_it_is(visit: Open) -> None:
    event, games = playing()
    for game in games[:2]:
        play(game, 1)
        Hand.objects.filter(game=game).update(entered_at=timezone.now())
    first, second = (Hand.objects.get(game=game) for game in games[:2])
    object_to_hand(hand_id=second.pk, version=1, why="No", by=seat(1), at=timezone.now())
    page = floor(visit, event)
    entry = page.locator("[data-task='dispute 2 1']")
    before = entry.bounding_box()
    entry.hover()
    earlier = Hand.objects.get(pk=second.pk).entered_at - timedelta(minutes=5)
    Hand.objects.filter(pk=first.pk).update(entered_at=earlier)
    object_to_hand(hand_id=first.pk, version=1, why="No", by=seat(1), at=earlier)
    expect(page.locator("[data-task='dispute 1 1']")).to_be_visible(timeout=PATIENCE)
    assert entry.bounding_box() == before
    page.mouse.move(0, 0)
    expect(page.locator("[data-task]").first).to_contain_text("Table 1", timeout=PATIENCE)


def test_the_floor_fits_every_screen(visit: Open) -> None:
    event, games = playing(round_minutes=35)
    for count, game in enumerate(games):
        play(game, count)
    hand = Hand.objects.filter(game=games[3]).order_by("number").last()
    assert hand is not None
    object_to_hand(hand_id=hand.pk, version=1, why="No", by=seat(1), at=timezone.now())
    page = floor(visit, event)
    look(page, "floor")
