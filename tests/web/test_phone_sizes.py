"""Every question fits on phones of all sizes, and what comes in is read out with its screen."""

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.api.desk import Night, taken
from tests.web.phones import Phone, Pockets, call_by_names, pockets, tokens
from tests.web.test_browser import look_at, overflow
from tests.web.test_night_by_pages_browser import SMALL_KEYS

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

NAMES = ("Kim Abel", "Lea Brandt", "Fay Cole", "Gus Dorn", "Wilhelmina Ebers", "Ed Fox")
SIZES = ((320, 568), (360, 640), (375, 667), (390, 664), (390, 844), (412, 915))
CUT = """() => [...document.querySelectorAll(
    ".arc small, .row.head .col, .key, .send, :is(.arc, .slip, .picture, .podium) .name")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.innerText)"""
"""What stands in a box that is too small for it."""


def wrong_at(phone: Phone, size: tuple[int, int], least: tuple[int, int]) -> list[str]:
    """Find what does not fit on a screen of this size: width x height in pixels."""
    page = phone.page
    page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
    hidden = page.evaluate("(({scrollHeight, clientHeight}) => scrollHeight - clientHeight)(main)")
    found = [f"hides {hidden} px"] if hidden > 0 else []
    found += [f"key {one}" for one in page.evaluate(SMALL_KEYS, list(least))]
    found += [f"cut: {one}" for one in page.evaluate(CUT)]
    if overflow(page) > 0:
        found.append("too wide")
    return [f"{size} {page.locator('#question').inner_text()}: {one}" for one in found]


def wrong_everywhere(phone: Phone) -> list[str]:
    """What does not fit on any of the sizes."""
    return [
        one
        for size in SIZES
        for one in wrong_at(phone, size, (40, 44) if size[0] < 390 else (43, 44))
    ]


@pytest.mark.parametrize(
    ("preset", "players", "taps"),
    [
        ("hoyle-auction", 6, ["Lea", "4", "hearts", "3", "3", "3", "3", "0"]),
        ("hoyle-auction", 5, ["Lea", "4", "hearts", "3", "3", "3", "3"]),
        ("insurance", 4, ["Nobody pays", "3", "3", "3", "Gus", "2", "2", "2", "2"]),
        ("sahara", 5, ["3", "3", "3", "3", "Nobody knows"]),
    ],
)
def test_a_hand_is_told_on_one_screen_of_any_size(
    pockets: Pockets, preset: str, players: int, taps: list[str]
) -> None:
    night = Night(preset, players)
    call_by_names(night, *NAMES[:players])
    phone = pockets.phone(*tokens(night, "S"))
    phone.page.locator("#question").wait_for()
    wrong = wrong_everywhere(phone)
    for tap in taps:
        phone.tap(tap)
        wrong += wrong_everywhere(phone)
    phone.tap("Send hand 1").told(1, "")
    phone.page.locator(".arc .deals").wait_for()
    for width, height in SIZES:
        phone.page.set_viewport_size(ViewportSize(width=width, height=height))
        expect(phone.page.locator(".arc .deals")).to_be_in_viewport(ratio=1)
        wrong += [f"{width} x {height}: cut: {one}" for one in phone.page.evaluate(CUT)]
    assert not wrong, "\n".join(wrong)


LONG = (
    "Maximilianean",
    "Hildegardemma",
    "Annemariehand",
    "Bartholomäusm",
    "Wilhelmina W.",
    "Konstantinusx",
)
ON_THE_FELT = """() => {
  const table = document.querySelector(".picture");
  const picture = table.getBoundingClientRect();
  const felt = getComputedStyle(table, "::before");
  const sides = ["left", "right", "top", "bottom"];
  const [left, right, top, bottom] = sides.map((one) => parseFloat(felt[one]));
  return [...document.querySelectorAll(".picture li")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.right > picture.left + left && box.left < picture.right - right
      && box.bottom > picture.top + top && box.top < picture.bottom - bottom;
  }).map((one) => one.innerText);
}"""


@pytest.mark.parametrize(("preset", "players"), [("hoyle-auction", 6), ("insurance", 4)])
def test_names_below_14_letters_are_whole_and_outside_the_felt(
    pockets: Pockets, preset: str, players: int
) -> None:
    night = Night(preset, players)
    call_by_names(night, *LONG[:players])
    phone = pockets.phone(*tokens(night, "S"))
    phone.page.locator("#question").wait_for()
    wrong = phone.page.evaluate(CUT)
    phone.open_sheet()
    wrong += phone.page.evaluate(CUT) + phone.page.evaluate(ON_THE_FELT)
    phone.close_sheet()
    if preset == "hoyle-auction":
        phone.tap("Maximilianean", "4", "hearts", *"33331")
        wrong += phone.page.evaluate(CUT)
        phone.tap("Send hand 1").told(1)
        phone.page.locator(".arc .deals").wait_for()
        wrong += phone.page.evaluate(CUT)
    assert not wrong


def test_at_200_percent_on_a_phone_no_word_is_cut(pockets: Pockets) -> None:
    night = Night("hoyle-auction", 5)
    call_by_names(night, *NAMES[:5])
    phone = pockets.phone(*tokens(night, "S"), viewport={"width": 195, "height": 422})
    phone.page.locator("#question").wait_for()
    wrong = []
    for tap in ("Lea", "4", "hearts", "3", "3", "3", "3", "Send hand 1"):
        wrong += [f"before {tap}: {one}" for one in phone.page.evaluate(CUT)]
        assert overflow(phone.page) <= 0
        phone.tap(tap)
    assert not wrong, "\n".join(wrong)


def test_steps_lead_back_where_six_rows_hide_them_while_numbers_are_told(pockets: Pockets) -> None:
    night = Night("hoyle-auction", 6)
    call_by_names(night, *NAMES)
    phone = pockets.phone(*tokens(night, "S"), viewport={"width": 320, "height": 568})
    phone.tap("Lea", "4", "hearts")
    expect(phone.page.locator(".steps")).to_be_hidden()
    slip = phone.box(".slip")
    phone.tap("3", "3", "3", "3", "0").sees("Is a number wrong? Tap it.")
    assert phone.box(".slip") == slip
    phone.press(phone.page.locator(".steps button", has_text="Suit"))
    phone.sees("Which suit does Lea name?")


def test_ten_has_room_on_its_card_in_the_whole_pack(pockets: Pockets) -> None:
    phone = pockets.phone(*tokens(Night("hoyle-hearts"), "S"))
    phone.more("Enter every card").page.locator(".rank.ten").first.wait_for()
    margins = """() => [...document.querySelectorAll(".card-key:has(.ten)")].map((key) => {
      const box = key.getBoundingClientRect();
      const inner = [...key.children].map((one) => one.getBoundingClientRect());
      return Math.min(inner[0].left - box.left, box.right - inner[inner.length - 1].right);
    })"""
    for width in (320, 360, 390):
        phone.page.set_viewport_size({"width": width, "height": 844})
        assert min(phone.page.evaluate(margins)) >= 2, width


def test_what_comes_in_is_read_out(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?")
    spoken = phone.page.locator("#spoken")
    expect(spoken).to_be_empty()
    night.enter({"bidder": "E", "bid": 4, "pain": "S", "taken": taken("0/3/4/6")})
    phone.look_again()
    expect(spoken).to_have_text("Is hand 1 right?")
    phone.tap("It is right").sent_all()
    expect(spoken).to_contain_text("Hand 1: Settled. East bid 4")


def test_an_objection_in_words_says_that_the_words_are_missing(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?")
    night.enter({"bidder": "E", "bid": 4, "pain": "S", "taken": taken("0/3/4/6")})
    phone.look_again().tap("It is wrong", "Or say it in words")
    box = phone.page.get_by_label("Or in your words")
    expect(phone.page.get_by_role("button", name="Still to tell: what is wrong")).to_be_disabled()
    box.fill("  ")
    expect(phone.page.get_by_role("button", name="Still to tell: what is wrong")).to_be_disabled()
    box.fill("I took five.")
    phone.tap("Object").sent_all().sees("Disputed", "I took five.")


LARGE = ((390, 844, 32), (320, 568, 24))
"""Width and height in pixels, and the size of the root font: text twice as large."""
HIDDEN = """() => {
  const shown = (one) => {
    const { width, height } = one.getBoundingClientRect();
    return width > 1 && height > 1;
  };
  const isAway = (one) => one.closest(".away, .skip, [hidden], [inert], details:not([open])");
  const wrong = [];
  for (const one of document.querySelectorAll("header *, main *")) {
    const texts = [...one.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE);
    const words = texts.map((child) => child.data.trim()).join("");
    if (!words || isAway(one)) continue;
    if (!shown(one)) wrong.push(`hidden: ${words}`);
    for (let box = one; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = box;
      const isCut = scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
      if (isCut) wrong.push(`cut: ${words} in ${box.tagName}.${box.className}`);
    }
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) wrong.push(`too wide: ${scrollWidth}`);
  return [...new Set(wrong)];
}"""


def wrong_in_large_text(phone: Phone, name: str) -> list[str]:
    """What is hidden or cut with text twice as large, and is not with text as it is."""
    found = []
    for width, height, font in LARGE:
        phone.page.set_viewport_size({"width": width, "height": height})
        phone.page.evaluate("document.documentElement.style.fontSize = ''")
        before = {one for one in phone.page.evaluate(HIDDEN) if one.startswith("hidden")}
        phone.page.evaluate(f"document.documentElement.style.fontSize = '{font}px'")
        look_at(phone.page, f"table-large-{name}-{width}")
        wrong = [one for one in phone.page.evaluate(HIDDEN) if one not in before]
        found += [f"{name} {width}: {one}" for one in wrong]
    return found


def test_text_twice_as_large_hides_and_cuts_nothing(pockets: Pockets) -> None:
    night = Night()
    call_by_names(night, *NAMES[:2], NAMES[4], NAMES[3])
    south, east = (pockets.phone(token) for token in tokens(night, "S", "E"))
    found: list[str] = []
    south.sees("Who bid highest?")
    found += wrong_in_large_text(south, "bidder")
    south.tap("Lea", "4", "hearts")
    found += wrong_in_large_text(south, "taken")
    south.tap("3", "3", "4")
    found += wrong_in_large_text(south, "review")
    south.tap("Send hand 1").told(1)
    found += wrong_in_large_text(south, "answer")
    east.look_again().sees("Is hand 1 right?")
    found += wrong_in_large_text(east, "confirm")
    pockets.put_away()
    assert not found, "\n".join(found)
