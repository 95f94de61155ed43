"""Figure: how soon a visitor on a slow network sees each public page, at first and once more."""

import re
import tempfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from statistics import median
from typing import Final
from urllib.error import HTTPError
from urllib.parse import urljoin
from urllib.request import urlopen

from playwright.sync_api import Browser, BrowserContext, sync_playwright

import benchmarks.ready  # noqa: F401 (sets Django up for what is imported below)
from benchmarks.figures import Figure, verdict
from benchmarks.first_sight import PAINTED, PHONE, SLOW, open_browser, slow_down
from tests.chaos.house import standing
from tests.web.views_of_links import view_of

_FIRST_MAX: Final = 1.0
_AGAIN_MAX: Final = 0.4
"""Seconds until something of a page is seen, at the first visit and at the second one."""
_LINK: Final = re.compile(r'<a\b[^>]*?\bhref="([^"#]*)[^>]*>')


def figures(rounds: int) -> Iterator[Figure]:
    """Every view that links lead a stranger to from the first page; the slowest one first."""
    with (
        tempfile.TemporaryDirectory(prefix="painsuit-pages-") as folder,
        standing(Path(folder)) as house,
        sync_playwright() as playwright,
    ):
        house.manage("demo", "--small")
        browser = open_browser(playwright)
        pages = dict(_pages(f"http://127.0.0.1:{house.port}/"))
        seen = {
            name: [_visits(browser, address) for _ in range(rounds)]
            for name, address in pages.items()
        }
        browser.close()
    medians = {
        name: (median(first for first, _ in visits), median(again for _, again in visits))
        for name, visits in seen.items()
    }
    rows = [
        (
            name,
            f"{first:.2f} s",
            verdict(reached=first <= _FIRST_MAX),
            f"{again:.2f} s",
            verdict(reached=again <= _AGAIN_MAX),
        )
        for name, (first, again) in sorted(medians.items(), key=lambda one: -one[1][0])
    ]
    columns = "page", "first visit", f"<= {_FIRST_MAX} s", "second visit", f"<= {_AGAIN_MAX} s"
    note = f"{SLOW}. Until the first text or picture is painted; medians of {rounds}."
    yield Figure("Public pages that a visitor sees", columns, rows, note)


def _pages(start: str) -> Iterator[tuple[str, str]]:
    """An address of every public view."""
    waiting, known = [start, urljoin(start, "/clubs/")], set[str]()
    while waiting:
        address = waiting.pop(0)
        name = view_of(address)
        if name is None or name in known or "?" in name:
            continue
        known.add(name)
        try:
            with urlopen(address) as answer:  # noqa: S310 (a server of ours)
                is_page = answer.headers["Content-Type"].startswith("text/html")
                if not is_page or view_of(answer.url) != name:
                    continue
                page = answer.read().decode()
        except HTTPError:  # a page of the desk, or of a table's phone
            continue
        yield name, address
        waiting += [urljoin(address, unescape(link)) for link in _LINK.findall(page)]


def _visits(browser: Browser, address: str) -> tuple[float, float]:
    """Visit a page with a browser that knows nothing, and once more."""
    context = browser.new_context(
        viewport=PHONE, device_scale_factor=3, is_mobile=True, has_touch=True
    )
    first, again = _seconds(context, address), _seconds(context, address)
    context.close()
    return first, again


def _seconds(context: BrowserContext, address: str) -> float:
    page = context.new_page()
    slow_down(context, page)
    page.goto(address)
    page.wait_for_function(f"() => {PAINTED.removesuffix('.startTime')}")
    painted: float = page.evaluate(PAINTED)
    page.close()
    return painted / 1000
