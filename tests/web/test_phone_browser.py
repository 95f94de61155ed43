"""The phone at the table in a real browser: taps, the second seat, and what each system asks."""

import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.utils import timezone
from playwright.sync_api import expect

from scoring.games.links import make_links
from tests.api.desk import Night, taken
from tests.collected_files import collected_files
from tests.scoring.club import DIRECTOR
from tests.tournaments.night import draw, make_night, play, start
from tests.web.phones import Phone, Pockets, pockets, tokens
from tests.web.test_browser import SCHEMES, SIZES, look_at, overflow

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

AUCTION = ("West", "5", "spades", "0", "3", "4")
"""West bids 5; East, South and West take 3, 4 and 6 spades."""


def test_a_hand_is_told_in_seven_taps(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?")
    phone.tap("West").sees("West bid how many?").tap("5")
    phone.sees("Which suit does West name?").tap("spades")
    phone.tap("0", "3").sees("10 left").tap("4").sees("West 6: what is left.")
    phone.sees("West bid 5 and named spades; North took none and wins 18.")
    phone.tap("Send hand 1").told(1).sees("Pot 0", "East deals", "Who bid highest?")
    assert phone.taps <= 7
    assert night.chips() == "68/47/46/39 0"


def test_a_hand_is_told_by_the_files_that_a_service_sends_in_few_requests(
    pockets: Pockets, settings: LazySettings, tmp_path: Path
) -> None:
    night = Night()
    (token,) = tokens(night, "S")
    with collected_files(tmp_path):
        settings.STATICFILES_DIRS = [tmp_path]
        phone = pockets.phone()
        asked: list[str] = []
        phone.page.on("request", lambda request: asked.append(request.url))
        phone.scan(token).page.locator("#question").wait_for()
        assert len(asked) <= 12, asked
        assert [url for url in asked if "/js/phone/" in url], asked
        phone.more("Enter every card").tap("Only the result")
        phone.tap(*AUCTION, "Send hand 1").told(1).is_ready_offline()
        with phone.offline():
            phone.page.goto("/t/")
            phone.sees("Who bid highest?").tap("All passed", "Send hand 2").sees("Waiting: 1")
        phone.sent_all()
        pockets.put_away()
    assert len({url for url in asked if "/js/phone/" in url}) == 3
    assert night.chips() == "68/47/46/39 0"


def test_the_token_leaves_the_address_and_the_next_visit_needs_none(pockets: Pockets) -> None:
    night = Night()
    (token,) = tokens(night, "S")
    phone = pockets.phone(token).sees("Who bid highest?")
    assert phone.page.url.endswith("/t/")
    assert phone.page.evaluate("history.length") <= 2
    assert token not in phone.page.content()
    phone.page.goto("/t/")
    phone.sees("Who bid highest?").open_sheet().sees("You are South.")


def test_a_jackpot_asks_only_for_the_suit(pockets: Pockets) -> None:
    night = Night()
    night.enter({"bidder": "E", "bid": 6, "pain": "H", "taken": taken("3/2/4/4")})
    phone = pockets.phone(*tokens(night, "N"))
    phone.sees("Jackpot 19", "East deals", "Which suit does East name?")
    phone.tap("diamonds", "3", "5", "5")
    phone.sees("East named diamonds for the jackpot; West took none and wins 32.")
    phone.tap("Send hand 2").told(2)
    pockets.put_away()
    assert night.chips() == "44/37/41/78 0"


def test_everybody_passes(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "N")).tap("All passed")
    phone.sees("Everybody passed; the deal goes on.").tap("Send hand 1").told(1, "Passed out")
    pockets.put_away()
    assert night.state()["dealer"] == "E"


def test_a_number_is_changed_by_a_tap_on_it(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "N")).tap(*AUCTION)
    phone.tap("North, cards taken: 0").sees("North took how many").tap("1")
    phone.sees("nobody was clean: the pot of 18 is a jackpot")
    phone.tap("North, cards taken: 1", "0", "Suit spades").sees("Which suit does West name?")
    phone.tap("clubs", "South, cards taken: 4").sees("10 left").tap("10")
    phone.sees("West bid 5 and named clubs; North and West took none and win 9 each.")
    phone.tap("Send hand 1").told(1)
    pockets.put_away()
    assert night.chips() == "59/47/40/54 0"


def test_a_second_seat_confirms_the_version_it_sees(pockets: Pockets) -> None:
    night = Night()
    night.club.confirming = "required"
    night.club.save()
    night.game = night.open()
    south, east = (pockets.phone(token) for token in tokens(night, "S", "E"))
    south.sees("Who bid highest?").tap(*AUCTION, "Send hand 1").told(
        1, "It waits for a second seat to confirm."
    )
    south.misses("It is right")
    east.sees("Is hand 1 right?", "entered by South", "North took none and wins 18")
    east.tap("It is right").sees("Settled")
    south.sees("Settled")
    pockets.put_away()
    assert night.look()["booked"] == 1


def test_a_second_seat_objects(pockets: Pockets) -> None:
    night = Night()
    south, east = (pockets.phone(token) for token in tokens(night, "S", "E"))
    south.sees("Who bid highest?").tap(*AUCTION, "Send hand 1")
    east.sees("Is hand 1 right?").tap("It is wrong", "Or say it in words")
    east.page.get_by_label("Or in your words").fill("I took five.")
    east.tap("Object").sees("Disputed", "I took five.")
    south.sees("Disputed", "I took five.", "It waits for you.")
    pockets.put_away()
    assert night.look()["booked"] == 0


def test_nobody_is_asked_about_a_bid_where_none_is_made(pockets: Pockets) -> None:
    night = Night("sahara")
    (east,) = (pockets.phone(token) for token in tokens(night, "E"))
    night.enter({"taken": taken("3/4/6/0"), "queen": "S"})
    east.sees("Is hand 1 right?").tap("It is wrong", "Or say it in words")
    east.sees("The cards taken are wrong.")
    east.misses("The bid is wrong.").misses("The suit is wrong.")
    east.tap("Somebody else took the queen.").sees("Disputed", "Somebody else took the queen.")
    pockets.put_away()


def test_two_records_of_one_hand_are_shown_to_both(pockets: Pockets) -> None:
    night = Night()
    south, east = (pockets.phone(token) for token in tokens(night, "S", "E"))
    for phone in (south, east):
        phone.sees("Who bid highest?")
    east.context.set_offline(True)
    east.tap("West", "5", "spades", "1", "3", "4", "Send hand 1")
    south.tap(*AUCTION, "Send hand 1").told(1)
    east.context.set_offline(False)
    south.sees("Hand 1: East's slip and yours differ.")
    east.sees("Hand 1: South's slip and yours differ.")
    for phone in (south, east):
        rows = phone.page.locator(".pair .unlike")
        expect(rows).to_have_text([re.compile("North.*01$"), re.compile("West.*65$")])
    pockets.put_away()
    assert night.look()["booked"] == 0


def test_a_table_link_asks_for_the_seat_and_lets_it_change(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "table")).sees("Where do you sit?", "East")
    phone.press(phone.page.get_by_role("button", name="East"))
    phone.sees("Who bid highest?").tap(*AUCTION, "Send hand 1").told(1)
    look_at(phone.page, "table-seat-changes-phone-light")
    phone.open_sheet().sees("You are East.").tap("Change seat")
    phone.press(phone.page.get_by_role("button", name="West"))
    phone.sees("entered by East").tap("It is right").misses("It is right").sent_all()
    pockets.put_away()
    hand = night.desk.get(f"games/{night.game['id']}/hands")["items"][0]
    assert hand["certainty"] == "confirmed"


def test_a_link_that_was_revoked_keeps_what_waits(pockets: Pockets) -> None:
    night = Night()
    (token,) = tokens(night, "S")
    phone = pockets.phone(token).sees("Who bid highest?").tap(*AUCTION)
    phone.context.set_offline(True)
    links = night.desk.get(f"games/{night.game['id']}/links")["links"]
    night.desk.send("DELETE", f"games/{night.game['id']}/links/{links[0]['id']}")
    (other,) = tokens(night, "S")
    phone.context.set_offline(False)
    phone.tap("Send hand 1").sees("This link was revoked", "stays here", "Waiting: 1")
    assert [item["state"] for item in phone.queue()] == ["waiting"]
    phone.scan(other).told(1)
    pockets.put_away()
    assert night.chips() == "68/47/46/39 0"


def test_codes_of_no_table_say_so(pockets: Pockets) -> None:
    phone = pockets.phone().scan("x" * 32).sees("No such table")
    phone.press(phone.page.get_by_role("link", name="To the table I was at"))
    phone.sees("Scan the code that lies on your table.")


SYSTEMS: list[tuple[str, tuple[str, ...], str]] = [
    ("hoyle_hearts", ("4", "3", "2"), "4/3/2/4"),
    ("sahara", ("3", "4", "6", "South"), "3/4/19/0"),
    ("standard", ("3", "4", "6", "West"), "3/4/6/13"),
    ("standard", ("3", "4", "6", "North"), "16/4/6/0"),
    ("standard", ("0", "4", "9", "South"), "0/4/22/0"),
    ("standard", ("West, cards taken: nothing entered yet", "13", "West"), "26/26/26/0"),
    ("sweepstake", ("3", "6", "0"), ""),
]


@pytest.mark.parametrize(("preset", "taps", "totals"), SYSTEMS)
def test_each_system_asks_for_what_it_needs(
    pockets: Pockets, preset: str, taps: tuple[str, ...], totals: str
) -> None:
    night = Night(preset)
    phone = pockets.phone(*tokens(night, "N")).sees("took how many ♥?").tap(*taps)
    phone.tap("Send hand 1").told(1)
    pockets.put_away()
    assert not totals or night.totals() == totals


def test_insurance_by_hand(pockets: Pockets) -> None:
    night = Night("insurance")
    phone = pockets.phone(*tokens(night, "N"))
    phone.sees("What does North pay for the centre card?").tap("3", "0", "2", "1")
    phone.sees("North took how many ♥?").tap("3", "4", "6").sees("queen of spades?").tap("South")
    phone.sees("What is on North's paper?").tap("2", "0", "5", "1")  # known when all is over
    phone.sees("South scores 16 with the queen").tap("Send hand 1").told(1)
    phone.open_sheet().sees("Pass: right")
    pockets.put_away()
    assert night.totals() == "8/4/16/2"  # rules.md D-14


def test_a_foot_on_paper_cancels_the_hand(pockets: Pockets) -> None:
    night = Night("insurance")
    phone = pockets.phone(*tokens(night, "N")).more("Somebody called a foot")
    expect(phone.page.get_by_role("button", name="Done")).to_be_disabled()
    phone.tap("East", "Done").sees("East called a foot; the hand is cancelled.")
    phone.tap("Send hand 1").told(1, "Foot")
    phone.open_sheet().sees("Foot used: East", "Dealer: East", "Pass: right").close_sheet()
    phone.more("Somebody called a foot")
    expect(phone.page.locator(".pad .key.person:enabled")).to_have_count(3)
    expect(phone.page.locator(".pad .key.person:disabled")).to_have_text("East")
    pockets.put_away()
    assert night.totals() == "0/0/0/0"


def test_papers_are_sealed_seat_by_seat_and_shown_when_all_are_open(pockets: Pockets) -> None:
    night = Night("insurance", centre_auction="off")
    phones = dict(zip("NESW", map(pockets.phone, tokens(night, *"NESW")), strict=True))
    written = {"N": ("North", "2"), "E": ("East", "0"), "S": ("South", "5"), "W": ("West", "1")}
    for seat, (name, value) in written.items():
        panel = phones[seat].page.get_by_text("Secret papers: insurance")
        expect(panel).to_be_visible()
        if phones[seat].page.locator("details.papers[open]").count() == 0:
            phones[seat].press(panel)
        phones[seat].tap(f"{name} writes")
        pen = phones[seat].page.locator(".pen")
        phones[seat].press(pen.get_by_role("button", name=value, exact=True))
        phones[seat].tap(f"Seal: {value}").misses(f"Seal: {value}")
    for phone in phones.values():
        phone.sees("All papers are sealed").tap("Open my paper")
    phones["N"].sees("South: 5", "North took how many ♥?").tap("3", "4", "6", "South")
    phones["N"].sees("South scores 14 with the queen").tap("Send hand 1").told(1)
    pockets.put_away()
    assert night.totals() == "5/4/14/1"  # rules.md D-04


def test_a_foot_is_told_by_the_open_papers_alone(pockets: Pockets) -> None:
    """Nobody has to answer anything: the hand can be sent as soon as the papers are open."""
    night = Night("insurance", centre_auction="off")
    phone = pockets.phone(*tokens(night, "table"))
    phone.press(phone.page.get_by_role("button", name="North"))
    phone.sees("took how many").press(phone.page.get_by_text("Secret papers: insurance"))
    phone.tap("North writes")
    for name, value in {"North": "2", "East": "0", "South": "Foot", "West": "1"}.items():
        phone.sees(f"Hand the phone to {name}.").misses(f"Only {name} looks now")
        phone.tap(f"I am {name}, nobody else looks").sees(f"Only {name} looks now")
        phone.press(phone.page.locator(".pen").get_by_role("button", name=value, exact=True))
        phone.tap(f"Seal: {value}").misses(f"Seal: {value}").sent_all()
    phone.sees("All papers are sealed").tap("Open the papers")
    phone.sees("South called a foot; the hand is cancelled.").tap("Send hand 1").told(1, "Foot")
    phone.sees("Hand 2")


def test_a_ruling_on_an_earlier_hand_is_seen_before_the_next_is_sent(pockets: Pockets) -> None:
    night = Night()
    hand = night.enter({"bidder": "E", "bid": 4, "pain": "S", "taken": taken("0/3/4/6")})
    phone = pockets.phone(*tokens(night, "N")).sees("Who bid highest?")
    phone.tap("South", "3", "hearts", "3", "4", "3").sees("Is a number wrong?")
    table = phone.page.locator(".slip")
    expect(table.locator(".row").first).to_contain_text("64")
    phone.context.set_offline(True)
    night.adjust(hand, {"N": -2, "E": 2})
    phone.context.set_offline(False)
    expect(table.locator(".row").first).to_contain_text("62")
    phone.tap("Send hand 2").told(2)


def test_a_table_that_is_done_with_the_round_is_told_so(pockets: Pockets) -> None:
    event = make_night(4, sizes=[4], hands=2)
    draw(event)
    (game,) = start(event, 1)
    play(game, 1)
    made = make_links(game_id=game.pk, seats=[0], by=DIRECTOR, at=timezone.now())[0]
    phone = pockets.phone(made.token).sees("Hand 2").misses("of this round are played")
    phone.context.set_offline(True)
    play(game, 1)
    phone.context.set_offline(False)
    phone.sees("Hand 3", "All 2 hands of this round are played. Wait for the director.")


def look_in_both_schemes(phone: Phone, name: str) -> None:
    for scheme in SCHEMES:
        phone.page.emulate_media(color_scheme=scheme)
        look_at(phone.page, f"{name}-{scheme}")


@pytest.mark.parametrize("size", SIZES)
def test_every_step_is_accessible_and_fits(pockets: Pockets, size: str) -> None:
    night = Night()
    for place, player in enumerate(night.players):
        player.person.name = LONG_NAME if place == 2 else player.person.name
        player.person.save()
    table, south = tokens(night, "table", "S")
    phone = pockets.phone(table, viewport=SIZES[size]).sees("Where do you sit?")
    look_in_both_schemes(phone, f"table-seat-{size}")
    phone = pockets.phone(south, viewport=SIZES[size]).sees("Who bid highest?")
    look_in_both_schemes(phone, f"table-bid-{size}")
    phone.tap(*AUCTION[:2])
    look_in_both_schemes(phone, f"table-suit-{size}")
    phone.tap(*AUCTION[2:])
    look_in_both_schemes(phone, f"table-review-{size}")
    phone.tap("Send hand 1").told(1)
    phone.context.set_offline(True)
    night.enter({"bidder": "S", "bid": 2, "pain": "H", "taken": taken("5/3/4/9")})
    phone.context.set_offline(False)
    phone.sees("21 of 13 pain cards").open_sheet().press(phone.page.get_by_text("Hands so far"))
    look_in_both_schemes(phone, f"table-disputed-{size}")
    phone.context.set_offline(True)
    phone.close_sheet().tap("West", "3", "hearts", "7", "0", "6", "Send hand 3", "Waiting: 1")
    look_in_both_schemes(phone, f"table-waiting-{size}")


LONG_NAME = "Maximiliane Alexandra Freifrau von Hohenstein-Wolkenkuckucksheim"


def test_other_systems_are_accessible_and_fit(pockets: Pockets) -> None:
    night = Night("insurance")
    phone = pockets.phone(*tokens(night, "N"))
    phone.sees("What does North pay").press(phone.page.get_by_text("Secret papers: the centre"))
    phone.tap("North writes", "Yes")
    look_in_both_schemes(phone, "table-centre-phone")
    night = Night("hoyle_auction", players=6)
    phone = pockets.phone(*tokens(night, "N")).sees("Who bid highest?")
    look_in_both_schemes(phone, "table-six-phone")
    small = pockets.phone(*tokens(night, "NE"), viewport={"width": 320, "height": 568})
    small.sees("Who bid highest?")
    assert overflow(small.page) <= 0


@pytest.mark.parametrize("answer", ["My sealed paper", "What was entered; the director decides"])
def test_who_sealed_another_paper_than_was_told_is_asked_which_is_right(
    pockets: Pockets, answer: str
) -> None:
    night = Night("insurance", centre_auction="off")
    north, east = (pockets.phone(token) for token in tokens(night, "N", "E"))
    east.press(east.page.get_by_text("Secret papers: insurance"))
    east.tap("East writes")
    east.press(east.page.locator(".pen").get_by_role("button", name="3", exact=True))
    east.tap("Seal: 3").misses("Seal: 3").sent_all()
    north.sees("North took how many ♥?").tap("3", "4", "6", "South")
    for value in ("2", "0", "5", "1"):
        north.press(north.page.locator(".pad").get_by_role("button", name=value, exact=True))
    north.tap("Send hand 1")
    east.sees("the sealed paper counts as 3, the record says 0", "Which is right?")
    east.misses("Something is wrong here")
    north.sees("It waits for East").misses("Which is right?")
    if answer == "My sealed paper":
        look_at(east.page, "sealed-paper")
    east.tap(answer).misses("Which is right?")
    if answer == "My sealed paper":
        north.told(1)
    else:
        north.sees("The director decides")
    pockets.put_away()
    paid = night.totals().split("/")
    assert paid[1] == ("7" if answer == "My sealed paper" else "4")


def test_papers_can_be_opened_after_the_hand_is_sent(pockets: Pockets) -> None:
    """One phone goes around the table; the hand is sent before the papers are opened."""
    night = Night("insurance", centre_auction="off")
    phone = pockets.phone(*tokens(night, "table"))
    phone.press(phone.page.get_by_role("button", name="North"))
    phone.sees("took how many").press(phone.page.get_by_text("Secret papers: insurance"))
    phone.tap("North writes")
    for name, value in {"North": "2", "East": "0", "South": "5", "West": "1"}.items():
        phone.tap(f"I am {name}, nobody else looks")
        phone.press(phone.page.locator(".pen").get_by_role("button", name=value, exact=True))
        phone.tap(f"Seal: {value}").misses(f"Seal: {value}").sent_all()
    phone.sees("All papers are sealed").tap("3", "4", "6", "South")
    phone.sees("Open the sealed papers above")
    for value in ("2", "0", "5", "1"):
        phone.press(phone.page.locator(".pad").get_by_role("button", name=value, exact=True))
    phone.tap("Send hand 1").told(1)
    pockets.put_away()
    assert night.totals() == "5/4/14/1"
