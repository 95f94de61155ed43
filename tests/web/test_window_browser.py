"""The window in a real browser: up to date by itself, opened by anybody, read on a wall."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.scoring.club import chip_hand, enter, state_of
from tests.tournaments.night import play
from tests.web.conftest import DESK, PATIENCE, PHONE, Open
from tests.web.test_browser import (
    LOOKS,
    SCHEMES,
    SIZES,
    THOROUGH,
    overflow,
    shown,
    take_picture,
    violations,
)
from tests.web.texts import REVOKE
from tests.web.window import Window, hand_with_cards, make_window, publish_all
from tournaments.invalidation import mark
from tournaments.models import League, Person, Scope, Shown

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

WIDTHS = (320, 390, 1280, 1920)
NUMBERS = ("td.number", "td.words")


@pytest.fixture
def window() -> Window:
    return make_window()


def test_standings_follow_by_themselves_and_keep_what_is_open(visit: Open, window: Window) -> None:
    page = visit(window.addresses["event"])
    page.locator("a.opener").first.click()
    opened = page.locator('a.opener[aria-expanded="true"]')
    expect(opened).to_have_count(1)
    assert "open=" in page.url
    page.locator("#certificate summary").click()
    stamp = page.locator(".stamp")
    expect(stamp).to_contain_text("5 hands")
    play(window.game, 1)
    publish_all()
    expect(stamp).to_contain_text("6 hands", timeout=PATIENCE)
    expect(stamp).to_contain_text("Version 2")
    expect(page.locator("#news")).to_have_text("The page has changed.")
    expect(opened).to_have_count(1)
    expect(page.locator("#certificate")).to_have_attribute("open", "")
    opened.click()
    expect(opened).to_have_count(0)
    assert "open=" not in page.url


@pytest.mark.parametrize(
    ("name", "viewport"),
    [("event", PHONE), ("projector", DESK), ("league", PHONE)],
    ids=["event", "projector", "league"],
)
def test_a_new_version_comes_without_a_jump(
    visit: Open, window: Window, name: str, viewport: object
) -> None:
    page = visit(window.addresses[name], viewport=viewport)
    if name != "projector":
        page.locator("a.opener").last.click()
        expect(page.locator('a.opener[aria-expanded="true"]')).to_have_count(1)
    page.evaluate("() => { window.stayed = true; }")
    before = page.locator(".ranks").first.bounding_box()
    enter(window.game, chip_hand(state_of(window.game), (13, 0, 0, 0)))
    publish_all()
    expect(page.locator(".stamp")).to_contain_text("Version 2", timeout=PATIENCE)
    after = page.locator(".ranks").first.bounding_box()
    assert before is not None
    assert after is not None
    assert before["y"] == after["y"]
    if name != "projector":
        expect(page.locator('a.opener[aria-expanded="true"]')).to_have_count(1)
    assert page.evaluate("window.stayed")


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("name", ["event", "league"])
def test_a_name_without_a_gap_leaves_the_total_in_sight(
    visit: Open, window: Window, name: str, viewport: dict[str, int]
) -> None:
    unbroken = "Wolfeschlegelsteinhausenbergerdorff" * 2
    Person.objects.filter(player=window.players[0]).update(name=unbroken, shown=Shown.FULL)
    page = visit(window.addresses[name], viewport=viewport)
    row = page.locator(".ranks > tbody > tr").filter(has_text=unbroken)
    written = row.locator(".opener > bdi").bounding_box()
    total = row.locator("td.strong").bounding_box()
    assert written is not None
    assert total is not None
    assert written["x"] + written["width"] <= total["x"]
    assert total["x"] + total["width"] <= viewport["width"]


def test_on_a_phone_rounds_stand_below_the_name_and_the_points_never_leave(
    visit: Open, window: Window
) -> None:
    address = f"{window.addresses['event']}?columns=best&columns=wins"
    page = visit(address, viewport=PHONE, java_script_enabled=False)
    row = page.locator(".ranks > tbody > tr").first
    expect(row.locator("td.round").first).to_be_hidden()
    expect(row.locator(".below-name").first).to_be_visible()
    expect(row.get_by_text("Best")).to_be_visible()
    total = row.locator("td.total").bounding_box()
    assert total is not None
    assert total["x"] + total["width"] <= PHONE["width"]
    assert overflow(page) <= 0


def test_a_column_is_ticked_with_the_keyboard_and_stays_when_a_row_is_opened(
    visit: Open, window: Window
) -> None:
    page = visit(window.addresses["event"], java_script_enabled=False)
    expect(page.locator("th.chosen")).to_have_count(0)
    page.locator("#columns > summary").press("Enter")
    page.get_by_label("Best result").press("Space")
    page.get_by_label("Best result").press("Enter")
    expect(page.locator("th.chosen")).to_have_text("Best result")
    page.locator(".opener").first.click()
    expect(page.locator("th.chosen")).to_have_text("Best result")
    expect(page.locator(".opener").first).to_have_attribute("aria-expanded", "true")


@pytest.mark.parametrize("width", WIDTHS)
def test_long_marks_beside_a_long_name_leave_the_total_in_sight(
    visit: Open, window: Window, width: int
) -> None:
    unbroken = "Wolfeschlegelsteinhausenbergerdorff" * 2
    Person.objects.filter(player=window.players[0]).update(name=unbroken, shown=Shown.FULL)
    division = "Promotion and relegation group of the north-eastern counties"
    season = {"rule": "sum", "divisions": [division], "least_events": 3, "least_games": 40}
    League.objects.filter(pk=window.league.pk).update(season=season)
    mark(Scope.LEAGUE, [window.league.pk], window.event.created_at)
    publish_all()
    viewport = {"width": width, "height": 900}
    page = visit(window.addresses["league"], viewport=viewport, locale="de")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        take_picture(page, f"window-league-marks-{width}-{scheme}", is_whole=False)
    rows = page.locator(".ranks > tbody > tr", has=page.locator(".role"))
    assert rows.count() == len(window.players)
    for row in rows.all():
        name = row.locator("th").bounding_box()
        total = row.locator("td.strong").bounding_box()
        assert name is not None
        assert total is not None
        for mark_box in (one.bounding_box() for one in row.locator(".role").all()):
            assert mark_box is not None
            assert mark_box["x"] + mark_box["width"] <= name["x"] + name["width"]
            assert mark_box["x"] + mark_box["width"] <= total["x"]
    assert overflow(page) <= 0


@pytest.mark.parametrize("width", WIDTHS)
def test_showing_what_is_legal_moves_nothing_on_the_board(
    visit: Open, window: Window, width: int
) -> None:
    hand = hand_with_cards(window.club, REVOKE)
    page = visit(f"/h/{hand.pk}/", viewport={"width": width, "height": 900})
    places = """() => [...document.querySelectorAll(".board .seat, .board .nameplate, .fan, .felt")]
      .map((one) => { const { x, y, width, height } = one.getBoundingClientRect();
        return [x, y + scrollY, width, height].map(Math.round).join(" "); })"""
    for step in range(6):
        if step:
            page.keyboard.press("ArrowRight")
        before = page.evaluate(places)
        page.locator(".show-legal").check()
        assert page.locator(".fan li.allowed").count() > 0
        assert page.evaluate(places) == before, f"step {step}"
        assert overflow(page) <= 0
        if step == 1:
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                take_picture(page.locator(".board"), f"window-legal-{width}-{scheme}")
        page.locator(".show-legal").uncheck()


def test_a_lost_network_is_said_and_comes_back(visit: Open, window: Window) -> None:
    page = visit(window.addresses["event"])
    page.evaluate("() => { window.real = fetch; window.fetch = () => Promise.reject(Error()); }")
    expect(page.locator("#cut")).to_be_visible(timeout=PATIENCE)
    page.evaluate("() => { window.fetch = window.real; }")
    expect(page.locator("#cut")).to_be_hidden(timeout=PATIENCE)


def test_a_projector_fits_its_wall(visit: Open, window: Window) -> None:
    page = visit(window.addresses["projector"])
    assert not page.locator("header.site").is_visible()
    bottom = "document.querySelector('.wall-screens').getBoundingClientRect().bottom + scrollY"
    assert page.evaluate(bottom) <= DESK["height"]
    size = "parseFloat(getComputedStyle(document.querySelector('.ranks tbody th')).fontSize)"
    assert page.evaluate(size) > 20
    assert overflow(page) <= 0


def test_on_a_phone_what_happened_stands_below_its_numbers(visit: Open, window: Window) -> None:
    page = visit(window.addresses["game"], viewport=PHONE)
    sizes = "box => [box.scrollWidth, box.clientWidth]"
    wide, seen = page.locator(".scroll").evaluate(sizes)
    assert wide <= seen
    number, words = (page.locator(f".hands tbody {one}").last.bounding_box() for one in NUMBERS)
    assert number is not None
    assert words is not None
    assert words["y"] >= number["y"] + number["height"]
    assert page.get_by_role("columnheader").count() == 7
    assert violations(page, only_colours=False) == []


def test_a_hand_is_stepped_through_and_its_address_names_the_trick(
    visit: Open, window: Window
) -> None:
    hand = hand_with_cards(window.club, REVOKE)
    page = visit(f"/h/{hand.pk}/")
    assert shown(page) == []
    page.keyboard.press("Shift+ArrowRight")
    assert len(shown(page)) == 4
    assert page.url.endswith("?at=1.1.0")
    page.locator(".made [data-goto]").first.click()
    note = page.locator(".fault-note:not([hidden])")
    expect(note).to_contain_text("does not follow")
    expect(note.locator("p").first).not_to_contain_text("legal")
    expect(page.locator(".made [aria-current]")).to_have_count(1)
    expect(page.locator(".timeline .has-fault[aria-current]")).to_have_count(1)
    cards, address = shown(page), page.url
    again = visit(address)
    assert shown(again) == cards
    page.get_by_role("link", name="To the start").click()
    assert "?" not in page.url


def test_on_a_phone_a_hand_opens_with_all_cards_and_its_keys_on_one_screen(
    visit: Open, window: Window
) -> None:
    hand = hand_with_cards(window.club, REVOKE)
    page = visit(f"/h/{hand.pk}/", viewport=PHONE)
    bottom = "all => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
    for part in (".fan", ".felt", ".timeline", ".steps"):
        assert page.locator(part).evaluate_all(bottom) <= PHONE["height"], part
    tops = [page.locator(one).bounding_box() for one in (".board", ".story", ".columns")]
    order = [box["y"] for box in tops if box is not None]
    assert len(order) == len(tops)
    assert order == sorted(order)
    said = page.locator(".lead-up li:visible")
    expect(said).to_have_count(4)
    page.get_by_role("link", name="To the start").click()
    expect(said).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(said).to_have_count(1)
    height = "Math.round(document.querySelector('.steps').getBoundingClientRect().top)"
    before = page.evaluate(height)
    for step in ("P", "Shift+ArrowRight", "ArrowLeft", "End"):
        page.keyboard.press(step)
        assert abs(page.evaluate(height) - before) <= 1, step
    page.keyboard.press("2")
    covered = page.locator(".seat.covered")
    expect(covered).to_have_count(3)
    page.locator(".see-as label").first.click()
    expect(covered).to_have_count(0)
    page.keyboard.press("Home")
    page.get_by_label("Speed").select_option("400")
    page.get_by_role("button", name="Play by itself").click()
    expect(page.locator(".played:not([hidden])").first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Play by itself").click()
    assert (
        page.get_by_role("button", name="Play by itself").get_attribute("aria-pressed") == "false"
    )


def test_everybody_can_use_every_page(visit: Open, window: Window) -> None:
    found = []
    hand = hand_with_cards(window.club, REVOKE)
    pages = {
        "clubs": "/clubs/",
        "cards": f"/h/{hand.pk}/?trick=3",
        "framed": f"/h/{hand.pk}/embed/?at=1.3.0",
        **window.addresses,
    }
    for name, address in pages.items():
        # A card that still fades in has no colours of its own.
        page = visit(address, reduced_motion="reduce")
        if page.locator("a.opener").count():
            page.locator("a.opener").first.click()
            expect(page.locator('a.opener[aria-expanded="true"]')).to_have_count(1)
        for size, scheme in LOOKS:
            page.set_viewport_size(SIZES[size])
            page.emulate_media(color_scheme=scheme)
            if (size, scheme) in THOROUGH:
                wrong = violations(page, only_colours=scheme == "dark")
                found += [f"{name} {size} {scheme}: {one}" for one in wrong]
            if overflow(page) > 0:
                found.append(f"{name} {size} is too wide")
            take_picture(page, f"window-{name}-{size}-{scheme}")
        page.set_viewport_size({"width": DESK["width"] // 2, "height": DESK["height"] // 2})
        if overflow(page) > 0:
            found.append(f"{name} at 200 % is too wide")
        page.close()
    assert not found, "\n".join(found)


def test_another_site_frames_a_hand_and_only_that(visit: Open, window: Window) -> None:
    hand = hand_with_cards(window.club, REVOKE)
    page = visit(f"/h/{hand.pk}/")
    page.keyboard.press("Shift+ArrowRight")
    page.get_by_text("Show this hand on another site").click()
    code = page.locator(".embed .code").input_value()
    assert 'embed/?at=1.1.0"' in code
    page.locator(".embed .copy").click()
    expect(page.locator(".embed .copy")).to_have_text("Copied")
    with elsewhere(f"<!DOCTYPE html><title>Blog</title>{code}") as address:
        page.goto(address)
        framed = page.frame_locator("iframe")
        expect(framed.locator(".played:not([hidden])")).to_have_count(4)
        framed.get_by_role("link", name="One card on").click()
        expect(framed.locator(".played:not([hidden])")).to_have_count(1)


@contextmanager
def elsewhere(text: str) -> Iterator[str]:
    """The address of a page that is somebody else's, without any policy of ours."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    with server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


BROKEN = """() => [...document.querySelectorAll(".settlement .player bdi")].flatMap((node) => {
  const text = node.firstChild;
  return [...text.data.matchAll(/[^\\s-]+-?/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map((box) => box.top)).size > 1;
  }).map(([word]) => word);
})"""
"""The words of names beside a settlement that stand on two lines."""


@pytest.mark.parametrize("look", SCHEMES)
def test_on_a_phone_names_beside_a_settlement_break_between_words(
    visit: Open, window: Window, look: Literal["light", "dark"]
) -> None:
    names = ("Lindqvist, Bo", "Wouters, Jan-Willem", "Margaret Grün", "Hendriks, Ed")
    people = Person.objects.filter(player__results__game=window.game.pk).distinct()
    for person, name in zip(people, names, strict=True):
        Person.objects.filter(pk=person.pk).update(name=name, shown=Shown.FULL)
    page = visit(window.addresses["hand"], viewport=PHONE, color_scheme=look, locale="de")
    expect(page.locator(".settlement .player")).to_have_count(4)
    take_picture(page.locator(".settlement"), f"settlement-names-phone-{look}")
    assert page.evaluate(BROKEN) == []
    assert overflow(page) <= 0
    assert violations(page, only_colours=look == "dark") == []
