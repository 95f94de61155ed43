"""Who sits at the table of a phone: names in whole, and two of one name told apart."""

import re

import pytest
from django.test import Client
from playwright.sync_api import Locator, expect

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


def is_whole(name: Locator) -> bool:
    return bool(name.evaluate("(node) => node.scrollWidth <= node.clientWidth + 1"))


@pytest.mark.django_db
def test_a_table_is_told_the_numbers_of_namesakes_alone(client: Client) -> None:
    night = Night()
    call(night, ANNA, ANNA, "Stone, Ed", LONG)
    (token,) = tokens(night, "table")
    page = client.get(f"/t/{token}").content.decode()
    assert re.findall(r'<bdi class="name[ a-z]*">(.*?)</bdi>', page) == [
        f"{ANNA} (1)",
        f"{ANNA} (2)",
        "Ed",
        "Wilhelmina",
    ]
    headers = {"authorization": f"Seat {token}"}
    told = client.get("/t/seating", headers=headers).json()
    assert told["called"]["N"] == f"{ANNA} (1)"
    assert told["called"]["S"] == "Ed"
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
    for number in EACH:
        expect(phone.page.get_by_role("button", name=re.compile(re.escape(number)))).to_be_visible()
    look_at(phone.page, "table-namesakes-choice-phone-light")
    phone.press(phone.page.get_by_role("button", name=re.compile("^E ")))
    phone.sees("Who bid highest?", *EACH)
    look_at(phone.page, "table-namesakes-phone-light")
    phone.page.emulate_media(color_scheme="dark")
    look_at(phone.page, "table-namesakes-phone-dark")
    pockets.put_away()
    night.enter({"bidder": "E", "bid": 3, "pain": "H", "taken": taken("7/0/0/6")})
    last = pockets.phone(east).sees("This game is over.")
    places = last.page.locator(".ending tbody th")
    assert sorted(places.all_inner_texts()) == [
        *(f"{ANNA} ({place})" for place in (1, 2)),
        *(f"{LONG} ({place})" for place in (3, 4)),
    ]
    look_at(last.page, "table-namesakes-over-phone-light")
    pockets.put_away()


@pytest.mark.django_db(transaction=True)
def test_six_short_names_are_whole_on_small_phones_too(pockets: Pockets) -> None:
    night = Night("hoyle_hearts", players=6)
    call(night, *SHORT)
    phone = pockets.phone(*tokens(night, "N")).sees("Hand 1", "took how many")
    names = phone.page.locator(".slip .name")
    for width, height in ((390, 844), (320, 568)):
        phone.page.set_viewport_size({"width": width, "height": height})
        expect(names).to_have_text(["Friedrich", "Wilhelmi", "Margaret", "Jonathan", "Nora", "Ed"])
        look_at(phone.page, f"table-of-six-phone-{width}-light")
        for name in names.all():
            assert is_whole(name), name.inner_text()
    pockets.put_away()
