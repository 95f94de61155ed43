"""Take the pictures of the help anew, of a demo club that is served on this machine.

    python3 manage.py demo --seed 3      # prints the password
    python3 manage.py serve
    python -m tests.web.help_pictures http://127.0.0.1:8000 demo-3@example.org PASSWORD
    python -m tests.web.help_pictures http://127.0.0.1:8000 demo-3@example.org PASSWORD de

A night is set up, seated and begun in the club, and one hand is told by a phone. With a language
the pages are in it, and the pictures are stored in a folder of its name.
"""

import gettext
import sys
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, FilePayload, Page, ViewportSize, sync_playwright

from tests.browsers import browser_path
from tests.web.paper import cut_slips, fill_in, photograph_pile

ROOT: Final = Path(__file__).parents[2]
PICTURES: Final = ROOT / "docs" / "pictures"
DESK: Final[ViewportSize] = {"width": 1280, "height": 800}
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
_WIDTH_MAX: Final = 1000
"""Pixels of a picture, of which a page of the help shows fewer."""
_QUALITY: Final = 70
_A_BID: Final = 3
_TALL: Final = 1080

_A_HAND: Final = {
    "bid": "5",
    "bidder": "1",
    "pain": "D",
    "taken N": "5",
    "taken E": "4",
    "taken S": "2",
    "taken W": "2",
}
_TWO_MARKS: Final = {"taken W": "2|3"}

NIGHTS: Final = {"en": "Tuesday night", "de": "Dienstagabend"}


class Photographer:
    """Takes the pictures of a club with the pages in one language."""

    def __init__(self, browser: Browser, base: str, language: str) -> None:
        self.browser = browser
        self.context = browser.new_context(viewport=DESK, base_url=base, locale=language)
        self.language = language
        self.folder = PICTURES if language == "en" else PICTURES / language
        self.folder.mkdir(exist_ok=True)
        self.words = gettext.translation(
            "django", ROOT / "locale", [language], fallback=language == "en"
        )

    def say(self, msgid: str, **values: int) -> str:
        """Return the words of a page as it shows them in this language."""
        return self.words.gettext(msgid) % values

    def press(self, page: Page, msgid: str, **values: int) -> None:
        """Press the button with these words."""
        page.get_by_role("button", name=self.say(msgid, **values)).click()

    def take(self, page: Page, name: str, height: int | None = None) -> None:
        """Store what a page shows, small enough to lie in the repository."""
        if height is not None:
            page.set_viewport_size({"width": DESK["width"], "height": height})
        page.wait_for_load_state("networkidle")
        picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
        picture.thumbnail((_WIDTH_MAX, 2 * _WIDTH_MAX))
        page.set_viewport_size(PHONE if name == "phone" else DESK)
        picture.save(self.folder / f"{name}.webp", "WEBP", quality=_QUALITY, method=6)

    def run_night(self, page: Page) -> None:
        """Set a night up and begin its first round."""
        page.get_by_role("link", name=self.say("Set up a night")).first.click()
        page.get_by_label(self.say("Name")).first.fill(NIGHTS[self.language])
        self.press(page, "Set it up")
        self.take(page, "check-in")
        self.press(page, "Check in")
        self.press(page, "Seat round %(next_number)s", next_number=1)
        self.take(page, "seating")
        self.press(page, "Use this seating")
        self.press(page, "Start round %(n)s", n=1)
        page.get_by_role("heading", name=self.say("Round %(n)s is under way", n=1)).wait_for()

    def tell_hand(self, address: str) -> None:
        """Open a table on a phone and answer what it asks until the numbers are asked for."""
        page = self.browser.new_page(viewport=PHONE, locale=self.language)
        page.goto(address)
        page.locator(".picture button").first.click()
        keys = page.locator(".keys button:not([disabled])")
        keys.first.wait_for()
        keys.first.click()
        keys.nth(_A_BID).wait_for()
        self.take(page, "phone")

    def read_slips(self, page: Page) -> None:
        """Print slips, fill them in, photograph them, and look at one with a question."""
        page.get_by_role("link", name=self.say("Slips"), exact=True).click()
        address = page.get_by_role("link", name=self.say("Print score slips")).get_attribute("href")
        assert address is not None
        dice = Random(7)
        slips = [slip for slip in cut_slips(page.request.get(address).body()) if slip.code.hand < 3]
        marked = [
            fill_in(slip, _A_HAND | (_TWO_MARKS if slip.code.hand == 1 else {}), dice)
            for slip in slips
        ]
        photos = photograph_pile(marked, dice)
        page.locator("input[type=file]").set_input_files(
            [
                FilePayload(name=f"{number}.jpg", mimeType="image/jpeg", buffer=data)
                for number, data in enumerate(photos)
            ]
        )
        page.locator("#pile a.go", has_text=str(len(slips))).wait_for()
        page.locator(".slip-strip .is-question").first.click()
        page.locator(".slip-answers [data-key]").first.wait_for()
        page.locator(".slip-sheet img").scroll_into_view_if_needed()
        self.take(page, "slips")

    def take_all(self, email: str, password: str) -> None:
        """Sign in, run a night, and take every picture."""
        page = self.context.new_page()
        page.goto("/desk/")
        page.get_by_label(self.say("Email address")).fill(email)
        page.get_by_label(self.say("Password")).fill(password)
        self.press(page, "Sign in")
        page.locator(".doors a").first.click()
        page.wait_for_url("**/desk/clubs/*/")
        desk = page.url
        page.goto(f"/c/{desk.rstrip('/').rpartition('/')[2]}/")
        self.take(page, "club", height=_TALL)
        page.get_by_role("link", name=self.say("All places")).last.click()
        self.take(page, "season")
        page.goto(desk)
        self.run_night(page)
        night = page.url.partition("#")[0]
        page.get_by_role("link", name=self.say("Codes for the phones")).click()
        address = page.locator("a[href*='/t/']").first.get_attribute("href")
        assert address is not None
        self.tell_hand(address)
        page.goto(night)
        self.take(page, "desk", height=_TALL)
        self.read_slips(page)


def main(base: str, email: str, password: str, language: str = "en") -> None:
    """Take every picture in a language."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"]
        )
        Photographer(browser, base, language).take_all(email, password)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
