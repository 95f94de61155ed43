"""Other languages in a real browser: from right to left on a phone, and without a network."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.api.desk import Night
from tests.web.conftest import PHONE, Open
from tests.web.desk import director_of
from tests.web.phones import Pockets, pockets, tokens
from tests.web.pseudo import CODE, spoken
from tests.web.test_browser import overflow, take_picture
from tests.web.texts import SLUGS
from tests.web.window import make_window

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def _pseudo(tmp_path: Path) -> Iterator[None]:
    with spoken(tmp_path):
        yield


@pytest.mark.usefixtures("_pseudo")
def test_from_right_to_left_nothing_runs_off_a_phone(visit: Open) -> None:
    window = make_window()
    page = visit("/", viewport=PHONE, extra_http_headers={"Accept-Language": CODE})
    wide = {}
    for path in ("/", f"/check/?example={SLUGS[0]}", f"/check/?example={SLUGS[3]}", "/clubs/"):
        page.goto(path)
        wide[path] = overflow(page)
    for name, path in window.addresses.items():
        page.goto(path)
        assert page.evaluate("getComputedStyle(document.body).direction") == "rtl"
        take_picture(page, f"rtl-{name}")
        wide[name] = overflow(page)
    assert {name: found for name, found in wide.items() if found > 0} == {}


@pytest.mark.usefixtures("_pseudo")
def test_the_seats_round_a_table_stay_where_the_compass_has_them(visit: Open) -> None:
    page = visit(f"/check/?example={SLUGS[0]}", extra_http_headers={"Accept-Language": CODE})
    west = page.locator(".seat.at-W").bounding_box()
    east = page.locator(".seat.at-E").bounding_box()
    assert west is not None
    assert east is not None
    assert west["x"] + west["width"] <= east["x"]
    fan = page.locator(".seat.at-S .fan li")
    first, last = fan.first.bounding_box(), fan.last.bounding_box()
    assert first is not None
    assert last is not None
    assert first["x"] < last["x"]


@pytest.mark.usefixtures("_pseudo")
def test_from_right_to_left_the_desk_fits_a_phone(visit: Open) -> None:
    window = make_window()
    client = director_of(window.club, "admin").client
    page = visit("/", viewport=PHONE, extra_http_headers={"Accept-Language": CODE})
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": page.url}
    # The browser driver has a type of its own for a plain dictionary.
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    paths = [
        "/desk/",
        f"/desk/clubs/{window.club.pk}/",
        f"/desk/events/{window.event.pk}/",
        f"/desk/games/{window.game.pk}/",
        f"/desk/hands/{window.hand.pk}/",
    ]
    wide = {}
    for path in paths:
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 200
        wide[path] = overflow(page)
    assert {path: found for path, found in wide.items() if found > 0} == {}


def test_a_phone_keeps_the_language_that_was_chosen_without_a_network(pockets: Pockets) -> None:
    phone = pockets.phone(*tokens(Night(), "S")).sees("Who bid highest?").is_ready_offline()
    phone.open_sheet().tap("Deutsch").sees("Wer hat am höchsten geboten?")
    assert phone.page.evaluate("document.documentElement.lang") == "de"
    take_picture(phone.page, "phone-german")
    assert overflow(phone.page) <= 0
    phone.context.set_offline(True)
    phone.page.reload()
    phone.sees("Wer hat am höchsten geboten?")
    phone.tap("West", "5", "Pik", "0", "3", "4", "Spiel 1 abschicken")
    phone.sees("Wartet: 1")
    phone.context.set_offline(False)
    answer = phone.page.locator(".answer", has_text="Spiel 1")
    expect(answer).to_contain_text("Abgerechnet")
    expect(answer).to_contain_text("West bot 5 und nannte Pik. North nahm keine und gewinnt")
    expect(phone.page.locator(".badge")).to_have_count(0)
    take_picture(phone.page, "phone-german-settled")
    assert overflow(phone.page) <= 0
    phone.page.locator("button.hand").click()
    phone.tap("English").sees("Hand 1", "took none and wins", "Who bid highest?")
    phone.page.reload()
    phone.sees("Who bid highest?").open_sheet().sees("Hands so far: 1")


@pytest.mark.usefixtures("_pseudo")
def test_a_minus_stands_on_the_left_of_its_number(visit: Open) -> None:
    window = make_window()
    page = visit(window.addresses["event"], extra_http_headers={"Accept-Language": CODE})
    cells = page.locator("td.number", has_text="\N{MINUS SIGN}")
    assert cells.count() > 0
    assert {cell.evaluate("e => getComputedStyle(e).direction") for cell in cells.all()} == {"ltr"}
