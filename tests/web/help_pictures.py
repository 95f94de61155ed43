"""Take the pictures of the help anew, of a demo club that is served on this machine.

    python3 manage.py demo --seed 3      # prints the password
    python3 manage.py serve
    python -m tests.web.help_pictures http://127.0.0.1:8000 demo-3@example.org PASSWORD

A night is set up, seated and begun in the club, and one hand is told by a phone.
"""

import sys
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.browsers import browser_path

PICTURES: Final = Path(__file__).parents[2] / "docs" / "pictures"
DESK: Final[ViewportSize] = {"width": 1280, "height": 800}
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
_WIDTH_MAX: Final = 1000
"""Pixels of a picture, of which a page of the help shows fewer."""
_QUALITY: Final = 70
_A_BID: Final = 3
_TALL: Final = 1080


def take(page: Page, name: str, height: int | None = None) -> None:
    """Store what a page shows, small enough to lie in the repository."""
    if height is not None:
        page.set_viewport_size({"width": DESK["width"], "height": height})
    page.wait_for_load_state("networkidle")
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    picture.thumbnail((_WIDTH_MAX, 2 * _WIDTH_MAX))
    page.set_viewport_size(PHONE if name == "phone" else DESK)
    picture.save(PICTURES / f"{name}.webp", "WEBP", quality=_QUALITY, method=6)


def run_night(page: Page) -> None:
    """Set a night up and begin its first round."""
    page.get_by_role("link", name="Set up a night").first.click()
    page.get_by_label("Name").first.fill("Tuesday night")
    page.get_by_role("button", name="Set it up").click()
    take(page, "check-in")
    page.get_by_role("button", name="Check in").click()
    page.get_by_role("button", name="Seat round 1").click()
    take(page, "seating")
    page.get_by_role("button", name="Use this seating").click()
    page.get_by_role("button", name="Start round 1").click()
    page.get_by_role("heading", name="Round 1 is under way").wait_for()


def tell_hand(browser: Browser, address: str) -> None:
    """Open a table on a phone and answer what it asks until the numbers are asked for."""
    page = browser.new_page(viewport=PHONE)
    page.goto(address)
    page.locator(".picture button").first.click()
    keys = page.locator(".keys button:not([disabled])")
    keys.first.wait_for()
    keys.first.click()
    keys.nth(_A_BID).wait_for()
    take(page, "phone")


def main(base: str, email: str, password: str) -> None:
    """Sign in, run a night, and take every picture."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport=DESK, base_url=base)
        page.goto("/desk/")
        page.get_by_label("Email address").fill(email)
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Sign in").click()
        page.locator(".doors a").first.click()
        page.wait_for_url("**/desk/clubs/*/")
        desk = page.url
        page.goto(f"/c/{desk.rstrip('/').rpartition('/')[2]}/")
        take(page, "club", height=_TALL)
        page.get_by_role("link", name="All places").last.click()
        take(page, "season")
        page.goto(desk)
        run_night(page)
        night = page.url.partition("#")[0]
        page.get_by_role("link", name="Codes for the phones").click()
        address = page.locator("a[href*='/t/']").first.get_attribute("href")
        assert address is not None
        tell_hand(browser, address)
        page.goto(night)
        take(page, "desk", height=_TALL)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
