"""A real browser against the real server, for the tests marked `browser`."""

import os
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)
from pytest_django.live_server_helper import LiveServer

from scoring.web.desk import actions
from tests.browsers import browser_path
from tests.settings import NIGHTS_AGE
from tests.web.window import Window, make_window

ASSETS = Path(__file__).parent / "assets"
PATIENCE = 45_000  # milliseconds: a busy machine with two cores is slow, a hung page is not
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
DESK: Final[ViewportSize] = {"width": 1280, "height": 800}

# Playwright runs an event loop in the test's thread, where Django then suspects async code.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

Open = Callable[..., Page]


@pytest.fixture(autouse=True)
def night_of_this_week(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the night of the tests be young enough that its results are sent by themselves."""
    sent_by_itself = actions.SENT_BY_ITSELF + NIGHTS_AGE
    monkeypatch.setattr(actions, "SENT_BY_ITSELF", sent_by_itself)


@pytest.fixture(scope="module")
def night(module_db: None) -> Window:
    """One night for all tests of a module: each of them is rolled back to it."""
    return make_window()


@pytest.fixture
def window(night: Window, db: None) -> Window:
    return deepcopy(night)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a process."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path(),
            args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
            timeout=60_000,
        )
        yield browser
        browser.close()


def _is_wrong(message: ConsoleMessage) -> bool:
    """A form that is refused is no failure, though browsers say so."""
    return message.type == "error" and "status of 422" not in message.text


@pytest.fixture
def visit(chromium: Browser, live_server: LiveServer) -> Iterator[Open]:
    """Open pages; at the end no script may have failed and no policy been violated."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str, **options: object) -> Page:
        options = {"viewport": DESK, "base_url": live_server.url, **options}
        context = chromium.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: complaints.append(message.text) if _is_wrong(message) else None,
        )
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints
