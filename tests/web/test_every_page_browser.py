"""Every page that a link leads to, of a club with seasons behind it: all can use it.

One page of each view, found by following links from the beginning and from the desk.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route

from scoring.management.demo import Size, build
from tests.web.conftest import Open
from tests.web.pseudo import CODE, spoken
from tests.web.test_browser import overflow, settled, violations
from tests.web.views_of_links import BEGINNINGS, view_of
from tournaments.publishing import publish_due

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
]

WIDTHS = (320, 390, 1280, 1920)
"""The first is also a desk of 1280 pixels at 400 %."""
HEIGHT = 800
SHIFT_MAX = 0.02
SHIFT = """() => new Promise((resolve) => {
  let sum = 0;
  const add = (list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) sum += one.value;
  };
  const watched = new PerformanceObserver(add);
  watched.observe({ type: "layout-shift", buffered: true });
  setTimeout(() => { add({ getEntries: () => watched.takeRecords() }); resolve(sum); }, 100);
})"""

PAINTED = """() => new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
})"""


@pytest.fixture
def desk(visit: Open) -> Page:
    """The desk of the administrator of a club that has played two nights of a season."""
    club = build(seed=3, name="Demo Club", size=Size.SMALL, nights=2)
    while publish_due(clock=timezone.now):
        pass
    page = visit("/desk/")
    page.get_by_label("Email address").fill(club.sign_in.email)
    page.get_by_label("Password").fill(club.sign_in.password)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="My clubs").wait_for()
    return page


def pages(page: Page, go: Callable[[Page, str], object]) -> Iterator[str]:
    """Go to a page of every view that links lead to; give the names of the views."""
    waiting, known = [*BEGINNINGS], set[str]()
    while waiting:
        address = waiting.pop(0)
        name = view_of(address)
        if name is None or name in known:
            continue
        known.add(name)
        if not is_page(page, address):
            continue
        go(page, address)
        links = page.locator("a[href]:not([download])")
        waiting += links.evaluate_all("(all) => all.map((one) => one.href)")
        yield name


def is_page(page: Page, address: str) -> bool:
    """Whether there is a page at an address, and not a file, which a browser only downloads."""
    answer = page.request.head(address)
    return answer.headers.get("content-type", "").startswith("text/html")


def fits(page: Page, widths: tuple[int, ...]) -> Iterator[str]:
    """At which widths something runs off the page."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        if (beyond := overflow(page)) > 0:
            yield f"{beyond} px too wide at {width}"


def main_buttons(page: Page) -> Iterator[str]:
    """More than one button that says what a page is for."""
    shown = page.locator(".go").evaluate_all(
        "(all) => all.filter((one) => one.checkVisibility()).map((one) => one.textContent.trim())"
    )
    if len(shown) > 1:
        yield f"has {len(shown)} main buttons: {shown}"


def go_before_scripts(page: Page, address: str) -> None:
    """Let scripts come after the page, as they do on a slow line, and show what they move."""
    is_painted = False
    held: list[Route] = []

    def hold_back(route: Route) -> None:
        if is_painted:
            route.continue_()
        else:
            held.append(route)

    page.route("**/*.js", hold_back)
    page.goto(address, wait_until="commit")
    page.evaluate(PAINTED)
    is_painted = True
    for route in held:
        route.continue_()
    page.wait_for_load_state()
    page.unroute_all()


def look_in_english(page: Page) -> Iterator[str]:
    """What is wrong with a page, while it loads, dark and light, narrow and wide."""
    if (shift := page.evaluate(SHIFT)) > SHIFT_MAX:
        yield f"moves by {shift:.3f} while it loads"
    if "#" not in page.url and (top := page.evaluate("scrollY")):
        yield f"opens {top} px below its top"
    settled(page)
    yield from violations(page, only_colours=True)
    page.emulate_media(color_scheme="light")
    yield from fits(page, WIDTHS)
    yield from main_buttons(page)
    settled(page)
    yield from violations(page, only_colours=False)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})


def look_in_german(page: Page) -> Iterator[str]:
    if page.evaluate("document.documentElement.lang") != "de":
        yield "is not in German"
    yield from fits(page, WIDTHS)


def look_from_right_to_left(page: Page) -> Iterator[str]:
    if page.evaluate("getComputedStyle(document.body).direction") != "rtl":
        yield "runs from left to right"
    yield from fits(page, (320, 1280))
    settled(page)
    yield from violations(page, only_colours=False)


LOOKS = {"en": look_in_english, "de": look_in_german, CODE: look_from_right_to_left}


# One worker for each language, not one for all of them.
@pytest.mark.parametrize(
    "language", [pytest.param(one, marks=pytest.mark.xdist_group(f"pages-{one}")) for one in LOOKS]
)
def test_every_page_fits_and_can_be_used_by_all(desk: Page, tmp_path: Path, language: str) -> None:
    with spoken(tmp_path):
        desk.set_extra_http_headers({"Accept-Language": language})
        desk.emulate_media(color_scheme="dark")
        desk.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
        look = LOOKS[language]
        go = go_before_scripts if look is look_in_english else Page.goto
        found = {name: list(look(desk)) for name in pages(desk, go)}
    assert len(found) > 1
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
