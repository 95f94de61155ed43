"""The page in a real browser: thumbs, keys, links, files, light and dark."""

import os
import re
from itertools import product
from pathlib import Path
from typing import Final, Literal

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.web.conftest import ASSETS, DESK, PHONE, Open
from tests.web.texts import BICYCLE, DISPUTED, FOLDER, GAME, LONG_NAMES, REVOKE, SEVERAL, example

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
TAKES_PICTURES = "PICTURES" in os.environ
"""Whether somebody wants to look at the pages: `make screens` says so."""


def shown(page: Page) -> list[str]:
    """The cards on the table, in the order of play."""
    cards = page.locator(".played:not([hidden]) use")
    names: list[str] = cards.evaluate_all(
        "all => all.map(use => use.getAttribute('href').split('#')[1])"
    )
    return names


def paste(page: Page, text: str) -> None:
    page.get_by_label("The record", exact=True).fill(text)
    expect(page.locator(".verdict")).to_be_visible()


def test_a_pasted_record_is_checked_while_one_types(visit: Open) -> None:
    page = visit("/check/")
    expect(page.get_by_text("Nothing on the table yet")).to_be_visible()
    paste(page, BICYCLE)
    expect(page.locator("#answer")).to_contain_text("East took none and wins 17")
    paste(page, REVOKE)
    expect(page.locator("#answer")).to_contain_text("The director has to rule")


def test_arrow_keys_step_through_the_play(visit: Open) -> None:
    page = visit("/check/?example=1-bicycle-auction-full")
    assert shown(page) == []
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert shown(page) == ["S9"]
    expect(page.locator(".said")).to_have_text("Trick 2 of 13: East leads the 9 of spades.")
    page.keyboard.press("ArrowLeft")
    assert shown(page) == ["S2", "S5", "S6", "SA"]
    page.keyboard.press("End")
    assert len(shown(page)) == 4
    expect(page.locator(".said")).to_contain_text("Trick 13 of 13")
    assert page.locator(".at-N .tally b").inner_text() == "7"
    page.keyboard.press("Home")
    assert shown(page) == []
    page.keyboard.press("Shift+ArrowRight")
    assert len(shown(page)) == 4


def test_buttons_step_and_rows_lead_to_their_trick(visit: Open) -> None:
    page = visit("/check/?example=4-insurance-centre-full")
    page.get_by_role("button", name="One card on").click()
    assert shown(page) == ["C2"]
    page.get_by_role("button", name="One trick on").click()
    assert shown(page) == ["C2", "CK", "C3", "CA"]
    page.get_by_role("button", name="Show trick 7").click()
    assert len(shown(page)) == 4
    expect(page.locator(".said")).to_contain_text("Trick 7 of 13")
    page.get_by_role("button", name="To the start").click()
    assert shown(page) == []


def test_a_swipe_plays_a_card(visit: Open) -> None:
    page = visit("/check/?example=3-hoyle-auction-6p-jackpot", viewport=PHONE, has_touch=True)
    swipe = """(felt, by) => {
      const at = (x) => [new Touch({identifier: 1, target: felt, clientX: x, clientY: 50})];
      const send = (type, touches, changedTouches) => felt.dispatchEvent(
        new TouchEvent(type, {touches, changedTouches, bubbles: true}));
      send("touchstart", at(200), at(200));
      send("touchend", [], at(200 + by));
    }"""
    felt = page.locator(".felt")
    for by in (-90, -90, -5, 90, -90):
        felt.evaluate(swipe, by)
    assert shown(page) == ["S3", "SJ"]


def test_legal_cards_are_shown_on_demand(visit: Open) -> None:
    page = visit("/check/?example=1-bicycle-auction-full")
    page.get_by_label("Show what is legal for the next card").check()
    # South leads and may not lead hearts.
    cards = page.locator(".at-S .fan li.allowed").evaluate_all(
        "all => all.map(c => c.dataset.card)"
    )
    assert len(cards) == 11
    assert not any(card.startswith("H") for card in cards)
    page.keyboard.press("ArrowRight")
    assert shown(page) == ["S2"]


def test_a_finding_jumps_to_its_line_and_to_its_card(visit: Open) -> None:
    page = visit("/check/")
    paste(page, REVOKE)
    expect(page.locator(".gutter .mark")).to_have_count(2)
    page.get_by_role("link", name="line 29").click()
    chosen = "box => box.value.slice(box.selectionStart, box.selectionEnd)"
    assert page.locator("#text").evaluate(chosen) == "S4"
    page.get_by_role("button", name="trick 3, West").click()
    assert shown(page)[-1] == "S4"
    expect(page.locator(".fault-note:not([hidden])")).to_contain_text("does not follow")
    expect(page.locator(".played.fault:not([hidden]) .fault-mark")).to_have_text("P51")


def test_checking_again_keeps_the_trick(visit: Open) -> None:
    page = visit("/check/?example=1-bicycle-auction-full")
    page.get_by_role("button", name="Show trick 7").click()
    before = shown(page)
    with page.expect_response("**/check/"):
        page.get_by_label("The record", exact=True).press("Control+End")
        page.keyboard.type("\n{seen}")
    expect(page.locator("#answer[aria-busy]")).to_have_count(0)
    assert shown(page) == before


def test_sharing_gives_a_link_that_opens_at_the_trick(visit: Open) -> None:
    page = visit("/check/")
    paste(page, SEVERAL)
    page.get_by_role("button", name="Share by link").click()
    page.wait_for_url(re.compile(r"/check/[\w-]{24}/$"))
    page.locator(".choices a").nth(2).click()
    page.locator(".tricks a", has_text=re.compile(r"^7$")).click()
    expect(page.locator(".said")).to_contain_text("Trick 7 of 8")
    link = page.get_by_label("Link").input_value()
    assert link.endswith("?record=3&trick=7")
    assert page.url == link
    other = visit(link)
    assert shown(other) == shown(page)
    expect(other.locator("#record-title")).to_contain_text("Board 4")
    page.keyboard.press("ArrowRight")
    assert page.get_by_label("Link").input_value().endswith("?record=3&trick=8&card=1")


def test_a_chosen_file_is_checked_and_shared_as_it_is(visit: Open) -> None:
    page = visit("/check/")
    content = example("2-hoyle-hearts-5p-play").replace("\n", "\r\n").encode("latin-1")
    page.get_by_label("A file").set_input_files(
        {"name": "night.phn", "mimeType": "text/plain", "buffer": content}
    )
    expect(page.locator("#answer")).to_contain_text("Novák, Ján")
    page.get_by_role("button", name="Share by link").click()
    page.wait_for_url(re.compile(r"/check/[\w-]{24}/$"))
    assert page.request.get(page.url + "record.phn").body() == content


def test_a_file_can_be_dropped_anywhere(visit: Open) -> None:
    page = visit("/check/")
    text = (FOLDER / "8-insurance-foot.phn").read_text(encoding="utf-8")
    drop = """(text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "foot.phn"));
      for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(
          new DragEvent(type, {dataTransfer, bubbles: true, cancelable: true}));
      }
    }"""
    page.evaluate(drop, text)
    expect(page.locator("#answer")).to_contain_text("East called a foot")
    assert page.get_by_label("The record", exact=True).input_value() == text


def test_without_a_network_the_text_stays(visit: Open) -> None:
    page = visit("/check/?example=1-bicycle-auction-full")
    page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('no network')); }")
    page.get_by_label("The record", exact=True).press("End")
    page.keyboard.type(" ")
    expect(page.locator(".working")).to_contain_text("Your text stays here")
    expect(page.locator("#answer")).to_contain_text("East took none")


def test_without_javascript_everything_works(visit: Open) -> None:
    page = visit("/check/", java_script_enabled=False)
    page.locator("#text").fill(REVOKE)
    page.get_by_role("button", name="Check", exact=True).last.click()
    expect(page.locator("#answer")).to_contain_text("The director has to rule")
    page.get_by_role("button", name="trick 3, West").click()
    expect(page.locator(".played:not([hidden])")).to_have_count(3)
    page.get_by_role("button", name="One card on").click()
    expect(page.locator(".played:not([hidden])")).to_have_count(4)
    page.get_by_role("button", name="Share by link").click()
    page.get_by_role("link", name="One trick on").click()
    expect(page.locator(".said")).to_contain_text("Trick 1 of 13")


def test_four_colours_are_remembered(visit: Open) -> None:
    page = visit("/check/?example=1-bicycle-auction-full")
    colour = "() => getComputedStyle(document.querySelector('.fan .suit-C')).color"
    two = page.evaluate(colour)
    page.get_by_role("button", name="Four-colour suits").click()
    four = page.evaluate(colour)
    assert four != two
    page.reload()
    assert page.evaluate(colour) == four


def settled(page: Page) -> None:
    page.wait_for_load_state("load")
    page.evaluate("""document.fonts.ready.then(() => {
      for (const one of document.getAnimations()) one.finish();
    })""")


AXE = (ASSETS / "axe.min.js").read_text(encoding="utf-8")
FIND_VIOLATIONS = """async (options) => {
  const { violations } = await axe.run(options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((one) => `${id}: ${one.target} ${one.failureSummary ?? ""}`));
}"""
"""Whatever else axe tells of a page costs as much as looking at it, when it leaves the browser."""


def violations(page: Page, *, only_colours: bool) -> list[str]:
    """What axe finds against WCAG 2.2 AA."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    # It would put imported stylesheets into the page, which the policy of the page forbids.
    options = {"resultTypes": ["violations"], "preload": False}
    colours = ["color-contrast", "target-size", "scrollable-region-focusable"]
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found: list[str] = page.evaluate(
        FIND_VIOLATIONS,
        options
        | {
            "runOnly": {"type": "rule", "values": colours}
            if only_colours
            else {"type": "tag", "values": tags}
        },
    )
    return found


def overflow(page: Page) -> int:
    """How many pixels the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


Scheme = Literal["light", "dark"]
PAGES = {
    "landing": ("/", "", 0),
    "empty": ("/check/", "", 0),
    "auction": ("/check/?example=1-bicycle-auction-full", "", 22),
    "five": ("/check/?example=2-hoyle-hearts-5p-play", "", 9),
    "six": ("/check/?example=3-hoyle-auction-6p-jackpot", "", 17),
    "insurance": ("/check/?example=4-insurance-centre-full", "", 28),
    "three": ("/check/?example=5-sahara-3p-claim-ruling", "", 2),
    "result-only": ("/check/?example=6-bicycle-score-only-split", "", 0),
    "settlement": ("/check/?example=7-hoyle-game-settlement", "", 0),
    "foot": ("/check/?example=8-insurance-foot", "", 0),
    "disputed": ("/check/", DISPUTED, 11),
    "long-names": ("/check/", LONG_NAMES, 3),
    "game": ("/check/", GAME, 0),
    "several": ("/check/", SEVERAL, 0),
    "no-record": ("/check/", "not a record", 0),
    "problems": ("/api/v1/problems", "", 0),
}
SIZES = {"desk": DESK, "phone": PHONE}
SCHEMES: Final[tuple[Scheme, ...]] = ("light", "dark")
THOROUGH: Final[tuple[tuple[str, Scheme], ...]] = (
    ("desk", "light"),
    ("phone", "dark"),
)
"""What is looked at by axe: the other looks have the same elements in other colours or places."""
LOOKS = tuple(product(SIZES, SCHEMES)) if TAKES_PICTURES else THOROUGH


@pytest.mark.parametrize("name", PAGES)
def test_every_record_is_accessible_and_fits_and_is_kept_as_a_picture(
    visit: Open, name: str
) -> None:
    path, text, cards = PAGES[name]
    page = visit(path)
    if text:
        paste(page, text)
        page.locator("h1").click()
    for _ in range(cards):
        page.keyboard.press("ArrowRight")
    look_around(page, name)


def test_a_shared_page_is_accessible_and_fits(visit: Open) -> None:
    page = visit("/check/")
    paste(page, DISPUTED)
    page.get_by_role("button", name="Share by link").click()
    page.wait_for_url(re.compile(r"/check/[\w-]{24}/$"))
    page.goto(page.url + "?trick=3")
    look_around(page, "shared")


def look_around(page: Page, name: str) -> None:
    """Look at a page on a desk and on a phone, light and dark."""
    for size, scheme in LOOKS:
        page.set_viewport_size(SIZES[size])
        page.emulate_media(color_scheme=scheme)
        look = f"{name}-{size}-{scheme}"
        assert_fits(page, look)
        if (size, scheme) in THOROUGH:
            assert violations(page, only_colours=scheme == "dark") == [], look


def take_picture(seen: Page | Locator, name: str, *, is_whole: bool = True) -> None:
    """Store what is seen in build/screenshots, if somebody will look at it.

    Of a page that is not ``is_whole``, only what is in the window.
    """
    if not TAKES_PICTURES:
        return
    path = SCREENSHOTS / f"{name}.png"
    if isinstance(seen, Page):
        seen.screenshot(path=path, full_page=is_whole)
    else:
        seen.screenshot(path=path)


def assert_fits(page: Page, name: str) -> None:
    """Nothing of a page that has settled is beyond the width of its window."""
    settled(page)
    take_picture(page, name)
    assert overflow(page) <= 0, name


def look_at(page: Page, name: str) -> None:
    """Look at a page as it is shown at this moment."""
    assert_fits(page, name)
    # The second scheme of a view has the same elements in other colours.
    assert violations(page, only_colours=name.endswith(("phone-dark", "desk-light"))) == [], name


def test_on_paper_there_are_no_buttons(visit: Open) -> None:
    page = visit("/check/?example=1-bicycle-auction-full")
    page.emulate_media(media="print")
    expect(page.locator(".steps")).to_be_hidden()
    expect(page.locator("#check")).to_be_hidden()
    expect(page.locator(".settlement")).to_be_visible()
    settled(page)
    take_picture(page, "print")


@pytest.mark.parametrize("path", ["/check/?example=1-bicycle-auction-full", "/clubs/"])
def test_paper_is_white_and_its_words_are_dark(visit: Open, path: str) -> None:
    page = visit(path)
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator("header.site nav")).to_be_hidden()
    expect(page.locator("footer.site")).to_be_hidden()
    lights = page.locator("h1").evaluate(
        """heading => [document.body, heading].map((one, place) => {
            const style = getComputedStyle(one);
            const colour = place ? style.color : style.backgroundColor;
            return Math.max(...colour.match(/[0-9]+/g).slice(0, 3).map(Number));
        })"""
    )
    assert lights[0] == 255
    assert lights[1] < 100


def test_at_200_percent_nothing_is_lost(visit: Open) -> None:
    page = visit(
        "/check/?example=3-hoyle-auction-6p-jackpot", viewport={"width": 640, "height": 400}
    )
    assert overflow(page) <= 0
    narrow = visit(
        "/check/?example=5-sahara-3p-claim-ruling", viewport={"width": 320, "height": 640}
    )
    assert overflow(narrow) <= 0


ATTACKS = [
    "<script>window.harmed = 1</script>",
    "<img src=x onerror='window.harmed = 1'>",
    "</textarea><svg onload='window.harmed = 1'>",
    "javascript:window.harmed=1//",
]


def test_names_that_attack_are_only_shown(visit: Open) -> None:
    page = visit("/check/")
    text = BICYCLE
    for name, attack in zip(("Adams, Nora", "Baker, Ed", "Clark, Sue"), ATTACKS, strict=False):
        text = text.replace(name, attack)
    paste(page, text.replace("Leiden Hearts League", ATTACKS[3]))
    page.keyboard.press("Tab")
    expect(page.locator(".at-N .player")).to_contain_text("<script>")
    page.get_by_role("button", name="Share by link").click()
    page.wait_for_url(re.compile(r"/check/[\w-]{24}/$"))
    expect(page.locator(".at-N .player")).to_contain_text("<script>")
    assert page.evaluate("window.harmed") is None


def test_an_empty_box_and_a_long_file_are_told_of(visit: Open) -> None:
    page = visit("/check/")
    page.get_by_role("button", name="Check", exact=True).last.click()
    expect(page.locator("#answer")).to_contain_text("Nothing to read yet")
    long: FilePayload = {
        "name": "a.phn",
        "mimeType": "text/plain",
        "buffer": b"x" * (1024 * 1024 + 1),
    }
    page.get_by_label("A file").set_input_files(long)
    with page.expect_response("**/check/"):
        page.get_by_role("button", name="Check", exact=True).last.click()
    expect(page.locator("#answer[aria-busy]")).to_have_count(0)
    expect(page.locator(".working")).to_contain_text("longer than 1 MiB")


def test_a_file_in_utf_16_is_readable_in_the_box(visit: Open) -> None:
    page = visit("/check/", viewport=PHONE)
    content = BICYCLE.encode("utf-16")
    file: FilePayload = {"name": "a.phn", "mimeType": "text/plain", "buffer": content}
    page.get_by_label("A file").set_input_files(file)
    expect(page.locator("#text")).to_have_value(re.compile("Adams, Nora"))
    expect(page.locator(".verdict")).to_be_in_viewport()


def test_another_record_comes_into_view_on_a_phone(visit: Open) -> None:
    page = visit("/check/", viewport=PHONE)
    paste(page, SEVERAL)
    page.locator(".choices button").nth(2).click()
    expect(page.locator("#record-title")).to_be_focused()
    expect(page.locator("#record-title")).to_be_in_viewport()
    page.get_by_role("button", name="Share by link").click()
    page.wait_for_url(re.compile(r"/check/[\w-]{24}/$"))
    other = visit(page.url + "?record=3&trick=7", viewport=PHONE)
    expect(other.locator(".board")).to_be_in_viewport()
