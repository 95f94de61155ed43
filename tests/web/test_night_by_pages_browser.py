"""A night in each system by the pages alone: a director at the desk, two phones at the table.

Every screen that the phones come to is looked at: on one screen, without a scroll bar, nothing
moved under the finger, keys as large as a thumb, readable by all, light and dark. The taps are
counted.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect

from scoring.models import Hand, State
from tests.web.conftest import Open
from tests.web.phones import Phone, Pockets, pockets
from tests.web.test_browser import overflow, settled, take_picture, violations
from tournaments.people.setup_code import make_setup_code

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
]

NAMES = ("Kim Abel", "Lea Brandt", "Fay Cole", "Gus Dorn")
LARGE: ViewportSize = {"width": 390, "height": 844}
SMALL: ViewportSize = {"width": 320, "height": 568}
TAPS_LEAST, TAPS_MAX = 4, 10
HANDS = 2
STEPS_MAX = 30
UNSEEN = 0.0001
"""A shift that is a part of a pixel."""
SHIFT = """
  window.moved = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.moved += one.value;
  }).observe({ type: "layout-shift", buffered: true });
"""
SMALL_KEYS = """([width, height]) => {
  const isScrolledAway = (one, y) => {
    for (let around = one.parentElement; around; around = around.parentElement) {
      const { top, bottom } = around.getBoundingClientRect();
      const isScrolled = getComputedStyle(around).overflowY !== "visible";
      if (isScrolled && (y < top || y > bottom)) return true;
    }
    return y > innerHeight;
  };
  return [...document.querySelectorAll("main button:not([disabled])")]
  .filter((one) => {
    const box = one.getBoundingClientRect();
    const isHit = (x, y) => document.elementFromPoint(x, y)?.closest("button") === one;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    // What lies in closed details may have a box, which nobody sees.
    if (!one.checkVisibility() || !box.width || isScrolledAway(one, y)) return false;
    const [right, down] = [width / 2 - 1, height / 2 - 1];
    return ![[0, 0], [-right, 0], [right, 0], [0, -down], [0, down]]
      .every(([dx, dy]) => isHit(x + dx, y + dy));
  })
  .map((one) => `${one.innerText}: ${one.offsetWidth} x ${one.offsetHeight}`);
}"""
"""Buttons that a finger which is so wide and so high off their middle misses."""


@dataclass(frozen=True)
class System:
    """A game as the set-up calls it, and the answers of one hand by what is asked."""

    title: str
    answers: Mapping[str, str] = field(default_factory=dict)


TOOK = {"Kim took": "2", "Lea took": "4", "Fay took": "0", "Gus took": "7"}
AUCTION = {"Who bid highest": "Lea", "Lea bid": "5", "suit does Lea": "clubs", **TOOK}
QUEEN = {"Who took the queen": "Gus", **TOOK}
SYSTEMS = {
    "bicycle": System("Auction Hearts (Bicycle)", AUCTION),
    "hoyle-auction": System("Auction Hearts (Hoyle)", AUCTION),
    "hoyle-hearts": System("Hearts (Hoyle), average settlement", TOOK),
    "insurance": System(
        "Insurance Hearts", {"on .* paper": "2", "pay for the centre": "Nobody pays", **QUEEN}
    ),
    "sahara": System("Sahara Sands Hearts", QUEEN),
}


class Night:
    """The director's browser, from the first account on."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def set_up(self, system: System) -> list[str]:
        """The first account, its club and round 1; the links of its tables."""
        page = self.page
        page.goto(f"/desk/set-up/#{make_setup_code(at=timezone.now())}")
        page.get_by_label("Name of the club").fill("Leiden Hearts")
        page.get_by_label("Your name").fill("Pat Reed")
        page.get_by_label("Email address").fill("pat@example.org")
        page.get_by_label("Password", exact=True).fill("a quiet shuffled pack of cards")
        page.get_by_role("button", name="Go on").click()
        page.locator("textarea").fill("\n".join(NAMES))
        expect(page.get_by_text("names read")).to_contain_text(str(len(NAMES)))
        page.get_by_role("radio", name=system.title).check()
        page.get_by_label("Rounds", exact=True).fill("1")
        page.get_by_label("Hands in a round").fill(str(HANDS))
        page.get_by_role("button", name="Start round 1").click()
        expect(page.get_by_role("heading", name="Table 1")).to_be_visible()
        shown = page.locator("main a[href*='/t/']").all()
        return [link.inner_text().rpartition("/")[2] for link in shown]


def look(phone: Phone, name: str) -> list[str]:
    """Find what is wrong with the screen of a phone as it is, light and dark."""
    page = phone.page
    size = page.viewport_size
    assert size is not None
    least = [40, 44] if size["width"] < LARGE["width"] else [44, 44]
    wrong = [f"key {key}" for key in page.evaluate(SMALL_KEYS, least)]
    if overflow(page) > 0:
        wrong.append("too wide")
    if page.evaluate("document.documentElement.scrollHeight - innerHeight") > 0:
        wrong.append("too high")
    if (moved := page.evaluate("window.moved")) > UNSEEN:
        wrong.append(f"moved by {moved}")
        page.evaluate("window.moved = 0")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        settled(page)
        take_picture(page, f"night-{name}-{size['width']}-{scheme}", is_whole=False)
        wrong += violations(page, only_colours=scheme == "dark")
    page.emulate_media(color_scheme="light")
    return [f"{name} at {size['width']}: {one}" for one in wrong]


def tell(phone: Phone, system: System, number: int, name: str) -> list[str]:
    """Answer what is asked until nothing is, and send it; what is wrong with the screens."""
    send = phone.page.get_by_role("button", name=f"Send hand {number}")
    wrong, asked = [], ""
    for step in range(STEPS_MAX):
        if send.is_visible():
            wrong += look(phone, f"{name}-review")
            send.click()
            phone.taps += 1
            return wrong
        asked = phone.page.locator("#question").inner_text()
        (answer,) = [said for words, said in system.answers.items() if re.search(words, asked)]
        wrong += look(phone, f"{name}-{step}")
        keys = phone.page.locator(".pad button:not([disabled])")
        keys.filter(has_text=re.compile(rf"^\W*{re.escape(answer)}\b")).first.click()
        phone.taps += 1
    raise AssertionError(f"no end of questions: {asked}")


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_a_night_by_the_pages_alone(visit: Open, pockets: Pockets, name: str) -> None:
    system = SYSTEMS[name]
    (link,) = Night(visit("/")).set_up(system)
    large, small = (pockets.phone(viewport=size, has_touch=True) for size in (LARGE, SMALL))
    wrong = []
    for phone in (large, small):
        phone.page.add_init_script(SHIFT)
        phone.scan(link)
        wrong += look(phone, f"{name}-where-do-you-sit")
    for phone, who in ((large, "Fay"), (small, "Gus")):
        phone.page.locator("main button", has_text=who).click()
        phone.page.locator("#question").wait_for()
    wrong += tell(large, system, 1, name)
    large.told(1)
    wrong += look(large, f"{name}-sent")
    small.look_again().sees("entered by Fay")
    for words in ("It is right", "It is wrong"):
        button = small.page.get_by_role("button", name=words)
        expect(button).to_be_in_viewport(ratio=1)
    wrong += look(small, f"{name}-of-another")
    small.tap("It is right").sent_all()
    small.taps = 0
    wrong += tell(small, system, 2, name)
    small.told(2)
    wrong += look(small, f"{name}-last-hand")
    taps = (large.taps, small.taps)
    pockets.put_away()
    assert not wrong, "\n".join(wrong)
    assert all(TAPS_LEAST <= one <= TAPS_MAX for one in taps), taps
    assert Hand.objects.filter(state=State.ACCEPTED).count() == HANDS
