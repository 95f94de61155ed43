"""First sight: how soon a phone on a slow network sees its table, and what that weighs.

It drives the browser of the tests, a Chromium of the system. Times are seconds of the clock; the
goals are absolute.
"""

import http.client
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final
from uuid import uuid4

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    ViewportSize,
    sync_playwright,
)

from benchmarks.figures import Figure, verdict
from tests.browsers import browser_path
from tests.chaos.house import House, standing

VIEW_MAX: Final = 1.0
"""Seconds to the first view."""
WEIGHT_MAX: Final = 60_000
"""Bytes that are sent until a hand can be told."""
PHONE: Final = ViewportSize(width=390, height=844)
_SLOWER: Final = 4
"""How many times slower the processor is made."""
_NETWORK: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
"""What browsers call slow 4G: milliseconds, and bytes a second."""
SLOW: Final = (
    f"A browser as on a phone, its processor {_SLOWER} times slower, 1.6 Mbit/s with 150 ms to "
    "the server and back, which runs beside it"
)
_READY: Final = ".pad .keys"
_WEIGHT: Final = """() => {
  const kinds = ["navigation", "resource"];
  const all = kinds.flatMap((kind) => performance.getEntriesByType(kind));
  const later = all.find(({ name }) => name.includes("/screens."))?.startTime ?? Infinity;
  const first = all.filter(({ startTime }) => startTime < later);
  const bytes = (some) => some.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  return [bytes(first), bytes(all), first.length];
}"""
"""What was sent before the screens that nobody needs at first, and in all; as it was compressed."""
PAINTED: Final = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


@dataclass(frozen=True, slots=True)
class Sight:
    """Seconds until something was seen and until a hand could be told; bytes and requests.

    ``weight`` and ``requests`` are those until a hand could be told, ``whole`` is all that is
    sent, so that everything works without a network.
    """

    view: float
    question: float
    weight: int
    whole: int
    requests: int


def figures(rounds: int) -> Iterator[Figure]:
    """A table for the first time, and the same one again, in a new browser each round."""
    with (
        tempfile.TemporaryDirectory(prefix="painsuit-sight-") as folder,
        standing(Path(folder)) as house,
        sync_playwright() as playwright,
    ):
        (game,) = house.desk("prepare", "1")
        address = f"http://127.0.0.1:{house.port}/t/"
        browser = open_browser(playwright)
        token = _link(house, game)
        _visits(browser, address, token)  # the server is warm, as on a club night
        visits = [_visits(browser, address, token) for _ in range(rounds)]
        browser.close()
    yield _figure([first for first, _ in visits], [again for _, again in visits])


def _link(house: House, game: dict[str, Any]) -> str:
    """What the code on the first seat of a table says."""
    headers = {
        "Authorization": f"Bearer {game['key']}",
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid4()),
    }
    connection = http.client.HTTPConnection("127.0.0.1", house.port, timeout=60)
    body = json.dumps({"seats": ["E"]})
    connection.request("POST", f"/api/v1/games/{game['game']}/links", body, headers)
    token: str = json.loads(connection.getresponse().read())["tokens"]
    return token


def _visits(browser: Browser, address: str, token: str) -> tuple[Sight, Sight]:
    """Scan the code with a phone that knows nothing, close the page, and open it again."""
    context = browser.new_context(
        viewport=PHONE, device_scale_factor=3, is_mobile=True, has_touch=True
    )
    first = _sight(context, address + token, _is_kept)
    again = _sight(context, address, lambda _page: None)
    context.close()
    return first, again


def _is_kept(page: Page) -> None:
    """Wait until the phone needs no network to open the page again."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def _sight(context: BrowserContext, address: str, wait: Callable[[Page], None]) -> Sight:
    page = context.new_page()
    slow_down(context, page)
    page.goto(address, wait_until="commit")
    page.wait_for_selector(_READY, timeout=60_000)
    question = page.evaluate("performance.now()") / 1e3
    view = page.evaluate(PAINTED) / 1e3
    wait(page)
    weight, whole, requests = page.evaluate(_WEIGHT)
    page.close()
    return Sight(view, question, weight, whole, requests)


def open_browser(playwright: Playwright) -> Browser:
    """The browser of the tests."""
    return playwright.chromium.launch(
        executable_path=browser_path(),
        args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    )


def slow_down(context: BrowserContext, page: Page) -> None:
    """Give a page a slow network and a slow processor."""
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", _NETWORK)
    session.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})


def _figure(first: Sequence[Sight], again: Sequence[Sight]) -> Figure:
    view, weight = median(one.view for one in first), max(one.weight for one in first)
    rows = [
        _times("the table is seen", [one.view for one in first], f"<= {VIEW_MAX:.0f} s"),
        _times("a hand can be told", [one.question for one in first], "-"),
        _times("opened again: it is seen", [one.view for one in again], "-"),
        _times("opened again: a hand can be told", [one.question for one in again], "-"),
        [
            "sent until a hand can be told",
            _kilobytes(weight),
            "",
            f"<= {_kilobytes(WEIGHT_MAX)}",
            "",
        ],
        ["sent in all", _kilobytes(max(one.whole for one in first)), "", "-", "-"],
    ]
    rows[0][-1] = verdict(reached=view <= VIEW_MAX)
    rows[-2][-1] = verdict(reached=weight <= WEIGHT_MAX)
    requests = max(one.requests for one in first)
    return Figure(
        "A phone that sees its table",
        ["what", "median", "slowest", "goal", "reached"],
        rows,
        f"{SLOW}; {requests} requests until a hand can be told.",
    )


def _times(what: str, seconds: Sequence[float], goal: str) -> list[str]:
    return [what, f"{median(seconds):.2f} s", f"{max(seconds):.2f} s", goal, "-"]


def _kilobytes(size: int) -> str:
    return f"{size / 1e3:.1f} kB"
