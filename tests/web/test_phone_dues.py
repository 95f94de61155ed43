"""Money and chips in words on a phone: who had too few of them, and what averages come to."""

from collections.abc import Iterable

import pytest
from django.test import Client
from playwright.sync_api import expect

from tests.api.desk import Night
from tests.web.phones import Phone, Pockets, call_by_names, pockets, tokens
from tests.web.test_browser import look_at
from tournaments.web.number_format import MINUS

__all__ = ["pockets"]

pytestmark = pytest.mark.browser

HAND = ("North", "9", "hearts", "6", "0", "1")
"""North bids 9 and takes 6; East is clean."""


def told(phone: Phone) -> Phone:
    phone.sees("Who bid highest?")
    return phone.tap(*HAND)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("insolvency", "words"),
    [
        ("rebuy", "North buys in again for 10."),
        ("pay_what_you_have", "North owed 15 and paid 10."),
    ],
)
def test_who_has_too_few_chips_is_told_before_and_after(
    pockets: Pockets, insolvency: str, words: str
) -> None:
    night = Night(starting_chips="10", insolvency=insolvency)
    north, east = (pockets.phone(token) for token in tokens(night, "N", "E"))
    told(north)
    if insolvency == "rebuy":
        north.sees("North cannot pay. How many stacks does North buy again?").tap("1")
    expect(north.page.locator(".ask .say")).to_contain_text(words)
    look_at(north.page, f"table-{insolvency}-review-phone-light")
    north.tap("Send hand 1").told(1)
    expect(north.page.locator(".answer .sentence")).to_contain_text(words)
    look_at(north.page, f"table-{insolvency}-phone-light")
    east.look_again()
    expect(east.page.locator(".confirm .sentence")).to_contain_text(words)
    pockets.put_away()


@pytest.mark.django_db(transaction=True)
def test_a_table_is_asked_whether_who_has_nothing_left_buys_again(pockets: Pockets) -> None:
    night = Night(starting_chips="15", insolvency="rebuy")
    north = told(pockets.phone(*tokens(night, "N")))
    north.sees("North has no chips left. How many stacks does North buy again?").tap("2")
    north.sees("North buys in again for 30.")
    north.tap("Send hand 1").told(1).misses("The game is over")
    pockets.put_away()


@pytest.mark.django_db(transaction=True)
def test_who_can_pay_is_not_told_of(pockets: Pockets) -> None:
    night = Night(insolvency="rebuy")
    north = told(pockets.phone(*tokens(night, "N")))
    north.sees("East took none and wins 22.").misses("buys in again").misses("owed")
    north.tap("Send hand 1").told(1).misses("buys in again").misses("owed")
    pockets.put_away()


def plain(texts: Iterable[str]) -> list[str]:
    """What is shown, with minus signs that a keyboard has."""
    return [text.replace(MINUS, "-") for text in texts]


def averages(**overrides: str) -> Night:
    """The worked example B-03: 13, 0 and 0."""
    night = Night("hoyle_hearts", players=3, length="hands:1", **overrides)
    first, *others = night.game["seats"]
    night.enter({"taken": {first: 13} | dict.fromkeys(others, 0)})
    return night


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("overrides", "points", "money", "left"),
    [
        ({}, ["-8.67 (-8 2/3)", "+4.33 (4 1/3)", "+4.33 (4 1/3)"], None, ""),
        ({"average_rounding": "howell_units"}, ["-26", "+13", "+13"], None, ""),
        ({"average_rounding": "odd_to_pot"}, ["-9", "+4", "+4"], None, "1"),
        (
            {"unit": "10", "currency": "EUR"},
            ["-8.67 (-8 2/3)", "+4.33 (4 1/3)", "+4.33 (4 1/3)"],
            ["-0.87 EUR", "+0.44 EUR", "+0.43 EUR"],
            "",
        ),
    ],
)
def test_averages_are_told_exactly(
    client: Client,
    overrides: dict[str, str],
    points: list[str],
    money: list[str] | None,
    left: str,
) -> None:
    (token,) = tokens(averages(**overrides), "table")
    told = client.get("/t/seating", headers={"authorization": f"Seat {token}"}).json()["averaged"]
    assert plain(told["points"].values()) == points
    assert (told["money"] and plain(told["money"].values())) == money
    assert told["left"] == left


@pytest.mark.django_db
@pytest.mark.parametrize("preset", ["bicycle", "howell", "sahara"])
def test_other_rules_have_no_averages_in_the_end(client: Client, preset: str) -> None:
    night = Night(preset)
    (token,) = tokens(night, "table")
    version = str(night.look()["version"])
    night.desk.post(f"games/{night.game['id']}/closing", {"reason": "Late."}, version=version)
    told = client.get("/t/seating", headers={"authorization": f"Seat {token}"}).json()
    assert told["averaged"] is None


@pytest.mark.django_db
def test_a_game_that_goes_on_has_no_averages(client: Client) -> None:
    (token,) = tokens(Night("hoyle_hearts"), "table")
    told = client.get("/t/seating", headers={"authorization": f"Seat {token}"}).json()
    assert told["averaged"] is None


@pytest.mark.django_db(transaction=True)
def test_at_the_end_everybody_sees_what_he_collects_or_pays(pockets: Pockets) -> None:
    night = averages(unit="10", currency="EUR")
    call_by_names(night, "Edda", "Sami", "Wim")
    phone = pockets.phone(*tokens(night, night.game["seats"][0])).sees("This game is over.")
    rows = phone.page.locator(".ending tbody tr")
    expect(rows).to_have_count(3)
    assert plain(" ".join(row.inner_text().split()) for row in rows.all()) == [
        "1 Sami 0 +0.44 EUR +4.33 (4 1/3)",
        "1 Wim 0 +0.43 EUR +4.33 (4 1/3)",
        "3 Edda 13 -0.87 EUR -8.67 (-8 2/3)",
    ]
    look_at(phone.page, "table-averages-phone-light")
    phone.page.emulate_media(color_scheme="dark")
    look_at(phone.page, "table-averages-phone-dark")
    pockets.put_away()
