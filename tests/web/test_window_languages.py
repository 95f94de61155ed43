"""The window in German and from right to left: everybody can use it, and names keep their order."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.scoring.club import chip_hand, enter, state_of
from tests.web.conftest import DESK, PHONE, Open
from tests.web.pseudo import CODE, spoken
from tests.web.test_browser import SCREENSHOTS, overflow, violations
from tests.web.texts import REVOKE, SLUGS
from tests.web.window import Window, hand_with_cards, make_window
from tournaments.models import Person

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]
SHORT = "K. F."
"""A name whose last sign has no direction of its own."""
ENDS = """(element) => {
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  const left = (at) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect().left;
  };
  const begins = text.data.indexOf("K. F");
  return [left(begins), left(begins + 4)];
}"""


@pytest.fixture(params=["de", CODE])
def language(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """German, and a language from right to left."""
    with spoken(tmp_path) if request.param == CODE else nullcontext():
        yield request.param


@pytest.fixture
def window() -> Window:
    window = make_window()
    # Standings of the second round are counted just now.
    enter(window.game, chip_hand(state_of(window.game), (13, 0, 0, 0)))
    return window


def test_everybody_can_use_it_in_every_language(visit: Open, window: Window, language: str) -> None:
    hand = hand_with_cards(window.club, REVOKE)
    entry = window.event.entries.first()
    assert entry is not None
    paths = {
        "landing": "/",
        "check": f"/check/?example={SLUGS[0]}",
        "signature": "/signature/",
        "found": f"{window.addresses['club']}?q=a",
        **window.addresses,
        "event": f"{window.addresses['event']}?open={entry.pk}",
        "league": f"{window.addresses['league']}?open={entry.player_id}",
        "cards": f"/h/{hand.pk}/?trick=3",
        "framed": f"/h/{hand.pk}/embed/?at=1.3.0",
    }
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    # A card that still fades in has no colours of its own.
    headers = {"Accept-Language": language}
    page = visit("/", extra_http_headers=headers, reduced_motion="reduce")
    found = []
    for name, path in paths.items():
        page.set_viewport_size(DESK)
        page.goto(path)
        assert page.evaluate("document.documentElement.lang") == language
        found += [f"{name}: {one}" for one in violations(page, only_colours=False)]
        page.set_viewport_size(PHONE)
        if overflow(page) > 0:
            found.append(f"{name} is too wide for a phone")
        page.screenshot(path=SCREENSHOTS / f"{language}-{name}.png", full_page=True)
    assert not found, "\n".join(found)


def test_a_name_that_ends_in_a_full_stop_reads_from_left_to_right(
    visit: Open, window: Window, tmp_path: Path
) -> None:
    Person.objects.update(name="K. Fox", sought="k. fox")
    hand = hand_with_cards(window.club, REVOKE)
    places = {
        window.addresses["event"]: ["a.opener", ".sitting li"],
        window.addresses["league"]: ["a.opener"],
        window.addresses["player"]: ["h1"],
        window.addresses["game"]: [".key li", ".hands thead th", ".sitting a"],
        window.addresses["hand"]: [".seated .player"],
        window.addresses["club"]: ["h1"],
        f"/h/{hand.pk}/": ["h1"],
    }
    with spoken(tmp_path):
        page = visit("/", extra_http_headers={"Accept-Language": CODE})
        wrong, seen = [], 0
        for path, selectors in places.items():
            page.goto(path)
            for selector in selectors:
                for element in page.locator(selector, has_text=SHORT).all():
                    first, last = element.locator("bdi").evaluate(ENDS)
                    seen += 1
                    if last < first:
                        wrong.append(f"{path} {selector}")
    assert seen > 20
    assert wrong == []
