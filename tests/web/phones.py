"""Phones at a table, in a real browser: each with its own storage, link and network."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import HandDraft
from scoring.presentation.cards import seat_name
from scoring.web.phone.files import TABLE
from tests.api.desk import Night
from tests.web.conftest import PATIENCE, PHONE
from tournaments.models import Person

TAP_PAUSE = 260
"""Milliseconds after which a second tap at the same place counts."""
ITS_OWN = (
    "Failed to load resource",
    "The Cross-Origin-Opener-Policy header has been ignored",
    "An unknown error occurred when fetching the script",
)
"""What the browser itself says: without a network, of every 4xx, of a page without TLS."""


def tokens(night: Night, *seats: str) -> list[str]:
    """A link for each seat, or for the whole ``table``; players without a name get their seat's."""
    for seat, player in zip(night.look()["seats"], night.players, strict=False):
        nameless = Person.objects.filter(player=player, name__startswith="Player ")
        nameless.update(name=seat_name(seat))
    made = night.desk.post(f"games/{night.game['id']}/links", {"seats": list(seats)})
    assert made.status == 201, made
    found: list[str] = made["tokens"].split("\n")
    return found


def call_by_names(night: Night, *names: str) -> None:
    """Give the players names of people, in the order of their seats, before anybody has a link."""
    for player, name in zip(night.players, names, strict=True):
        Person.objects.filter(player=player).update(name=name)


def look_again(page: Page) -> None:
    """As who takes up the phone: the page asks at once what is new, not seconds later."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


class Phone:
    """A phone with the page open; counts the taps that tell a hand."""

    def __init__(self, context: BrowserContext, complaints: list[str]) -> None:
        self.context = context
        self.complaints = complaints
        self.taps = 0
        self.tapped = 0.0
        self.page = self.tab()

    def tab(self) -> Page:
        """Another tab of the same browser."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self._heard(message.type, message.text))
        return page

    def _heard(self, kind: str, text: str) -> None:
        if kind == "error" and not text.startswith(ITS_OWN):
            self.complaints.append(text)

    def scan(self, token: str) -> "Phone":
        self.page.goto(f"/t/{token}")
        return self

    def tap(self, *names: str) -> "Phone":
        """Tap buttons by their names, one after the other."""
        for name in names:
            self.press(self.page.get_by_role("button", name=name, exact=True))
            self.taps += 1
        return self

    def press(self, button: Locator) -> "Phone":
        """Tap as a person does, with a pause: two taps at once at the same place count once."""
        self.page.wait_for_timeout(max(0.0, self.tapped + TAP_PAUSE - 1000 * time.monotonic()))
        button.click()
        self.tapped = 1000 * time.monotonic()
        return self

    def more(self, name: str) -> "Phone":
        """Tap what no question leads to."""
        return self.tap("More…", name)

    def open_sheet(self) -> "Phone":
        """Tap the line above: the rest of the table lies over the page."""
        self.page.locator("button.hand").click()
        expect(self.page.get_by_role("dialog")).to_be_visible()
        return self

    def close_sheet(self) -> "Phone":
        self.page.get_by_role("dialog").get_by_role("button", name="Close").click()
        return self

    def sees(self, *texts: str) -> "Phone":
        for text in texts:
            expect(self.page.locator("body")).to_contain_text(text, timeout=PATIENCE)
        return self

    def misses(self, text: str) -> "Phone":
        expect(self.page.locator("body")).not_to_contain_text(text)
        return self

    def box(self, selector: str) -> dict[str, float]:
        """Where an element lies, also while the page is drawn anew between two questions to it."""
        read = "(one) => document.querySelector(one).getBoundingClientRect().toJSON()"
        found: dict[str, float] = self.page.evaluate(read, selector)
        return found

    def look_again(self) -> "Phone":
        look_again(self.page)
        return self

    def keeps(self, change: int, number: int = 1) -> "Phone":
        """Look again, and wait until what was told is on the server: so many answers of a hand."""
        self.look_again()
        while not HandDraft.objects.filter(change=change, number=number).exists():
            self.page.wait_for_timeout(20)
        return self

    def told(self, number: int, state: str = "Settled") -> "Phone":
        """Wait for the answer to a hand, and until nothing waits on the phone."""
        answer = self.page.locator(".answer", has_text=f"Hand {number}")
        expect(answer).to_contain_text(state, timeout=PATIENCE)
        return self.sent_all()

    def sent_all(self) -> "Phone":
        expect(self.page.locator(".badge")).to_have_count(0, timeout=PATIENCE)
        return self

    def is_ready_offline(self) -> "Phone":
        """Wait until the page and its files are kept on the phone."""
        self.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        kept = (
            "caches.keys().then(async (all) => (await (await caches.open(all[0])).keys()).length)"
        )
        page_and_files = 1 + len(TABLE.addresses())
        self.page.wait_for_function(f"() => {kept}.then((count) => count >= {page_and_files})")
        return self

    @contextmanager
    def offline(self) -> Iterator[None]:
        self.context.set_offline(True)
        yield
        self.context.set_offline(False)

    def queue(self) -> list[dict[str, Any]]:
        """What waits on the phone, read from its own storage."""
        script = """() => new Promise((resolve) => {
          const asked = indexedDB.open("painsuit-table", 1);
          asked.onsuccess = () => {
            const all = asked.result.transaction("queue").objectStore("queue").getAll();
            all.onsuccess = () => { asked.result.close(); resolve(all.result); };
          };
        })"""
        found: list[dict[str, Any]] = self.page.evaluate(script)
        return found


class Pockets:
    """Where phones come from; at the end no script may have failed on any of them."""

    def __init__(self, chromium: Browser, address: str) -> None:
        self.chromium = chromium
        self.address = address
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def phone(self, token: str = "", **options: Any) -> Phone:
        options = {"viewport": PHONE, "base_url": self.address, **options}
        context = self.chromium.new_context(**options)
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        phone = Phone(context, self.complaints)
        return phone.scan(token) if token else phone

    def put_away(self) -> None:
        """Close all phones: on SQLite in memory, who reads is in the way of who writes."""
        while self.contexts:
            self.contexts.pop().close()
        time.sleep(0.3)  # what was asked just before is still being answered

    def close(self) -> None:
        self.put_away()
        assert not self.complaints, self.complaints


@pytest.fixture
def pockets(chromium: Browser, live_server: LiveServer) -> Iterator[Pockets]:
    """Phones for one test."""
    found = Pockets(chromium, live_server.url)
    yield found
    found.close()
