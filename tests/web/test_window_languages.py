"""The window from right to left: names keep their order."""

from pathlib import Path

import pytest

from tests.scoring.club import chip_hand, enter, state_of
from tests.web.conftest import Open
from tests.web.pseudo import CODE, spoken
from tests.web.texts import REVOKE
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


@pytest.fixture
def window() -> Window:
    window = make_window()
    # Standings of the second round are counted just now.
    enter(window.game, chip_hand(state_of(window.game), (13, 0, 0, 0)))
    return window


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
