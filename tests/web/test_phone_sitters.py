"""Who sits at the table of a phone: names in whole, and two of one name told apart."""

import re

import pytest
from django.test import Client
from playwright.sync_api import Locator, Page, expect

from tests.api.desk import Night, taken
from tests.web.phones import Pockets, pockets, tokens
from tests.web.test_browser import look_at
from tournaments.models import Person, Player

__all__ = ["pockets"]

pytestmark = pytest.mark.browser

ANNA = "Jansen, Anna"
LONG = "Vandenberghe-Oosterhuizen van Wassenaer, Wilhelmina Alexandra"
EACH = ["(1)", "(2)", "(3)", "(4)"]
SHORT = ("Friedrich", "Wilhelmi", "Margaret", "Jonathan", "Adams, Nora", "Ed")


def call(night: Night, *names: str) -> None:
    for player, name in zip(night.players, names, strict=True):
        Person.objects.filter(player=player).update(name=name)


def shows(page: Page, where: str, marks: list[str]) -> None:
    """Wait until these numbers are all seen, each within the box of its seat."""
    script = """([where, marks]) => {
      const isSeen = (node) => {
        const [own, box] = [node, node.closest("li, button")].map((one) =>
          one.getBoundingClientRect());
        return own.width > 0 && own.left >= box.left && own.right <= box.right &&
          own.top >= box.top && own.bottom <= box.bottom;
      };
      const seen = [...document.querySelectorAll(`${where} .name span`)].filter(isSeen);
      return JSON.stringify(seen.map((node) => node.textContent)) === JSON.stringify(marks);
    }"""
    page.wait_for_function(script, arg=[where, marks])


def is_whole(name: Locator) -> bool:
    return bool(name.evaluate("(node) => node.scrollHeight <= node.clientHeight + 1"))


@pytest.mark.django_db
def test_a_table_is_told_the_numbers_of_namesakes_alone(client: Client) -> None:
    night = Night()
    call(night, ANNA, ANNA, "Stone, Ed", LONG)
    (token,) = tokens(night, "table")
    page = client.get(f"/t/{token}").content.decode()
    assert re.findall(r"<bdi>(.*?)</bdi>(?: <span>(.*?)</span>)?", page) == [
        (ANNA, "(1)"),
        (ANNA, "(2)"),
        ("Stone, Ed", ""),
        (LONG, ""),
    ]
    headers = {"authorization": f"Seat {token}"}
    told = client.get("/t/seating", headers=headers).json()
    assert told["marks"] == {"N": "(1)", "E": "(2)"}
    assert told["names"]["N"] == told["names"]["E"] == ANNA


@pytest.mark.django_db
def test_who_was_merged_is_called_as_he_is_everywhere(client: Client) -> None:
    night = Night()
    north, east = night.players[:2]
    Player.objects.filter(pk=east.pk).update(merged_into=north)
    call(night, ANNA, "Jansen, A.", "Stone, Ed", LONG)
    (token,) = tokens(night, "E")
    told = client.get("/t/seating", headers={"authorization": f"Seat {token}"}).json()
    assert told["names"]["E"] == ANNA
    assert told["marks"] == {}


@pytest.mark.django_db(transaction=True)
def test_namesakes_are_told_apart_wherever_a_phone_names_them(pockets: Pockets) -> None:
    night = Night("hoyle_auction", length="hands:1")
    call(night, ANNA, ANNA, LONG, LONG)
    table, east = tokens(night, "table", "E")
    phone = pockets.phone(table)
    shows(phone.page, "button", EACH)
    look_at(phone.page, "table-namesakes-choice-phone-light")
    phone.page.get_by_role("button", name=re.compile("^East")).click()
    phone.sees("What does East bid?", f"{ANNA} (2)")
    look_at(phone.page, "table-namesakes-phone-light")
    shows(phone.page, "#strip", EACH)
    look_at(phone.page, "table-namesakes-phone-light")
    phone.page.emulate_media(color_scheme="dark")
    look_at(phone.page, "table-namesakes-phone-dark")
    pockets.put_away()
    night.enter({"bidder": "E", "bid": 3, "pain": "H", "taken": taken("7/0/0/6")})
    last = pockets.phone(east).sees("This game is over.")
    places = last.page.locator(".ending tbody .name")
    assert sorted(places.all_inner_texts()) == [
        *(f"{ANNA} ({place})" for place in (1, 2)),
        *(f"{LONG} ({place})" for place in (3, 4)),
    ]
    look_at(last.page, "table-namesakes-over-phone-light")
    pockets.put_away()


@pytest.mark.django_db(transaction=True)
def test_six_short_names_are_whole_side_by_side(pockets: Pockets) -> None:
    night = Night("hoyle_hearts", players=6)
    call(night, *SHORT)
    phone = pockets.phone(*tokens(night, "N")).sees("Hand 1")
    names = phone.page.locator("#strip .name bdi")
    expect(names).to_have_count(6)
    look_at(phone.page, "table-of-six-phone-light")
    for name in names.all():
        assert is_whole(name), name.inner_text()
    heights = [name.evaluate("(node) => node.clientHeight") for name in names.all()]
    assert [height > heights[-1] for height in heights] == [" " in name for name in SHORT]
    pockets.put_away()
