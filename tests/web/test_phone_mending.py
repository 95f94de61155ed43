"""A table mends its own hand on its phones: taking back, objecting by a tap, settling."""

import pytest
from playwright.sync_api import expect

from scoring.models import Hand
from tests.api.desk import Night, taken
from tests.web.phones import Phone, Pockets, pockets, tokens
from tests.web.test_browser import look_at
from tests.web.test_phone_browser import AUCTION

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


def sent(pockets: Pockets, night: Night, *seats: str) -> list[Phone]:
    """Phones of these seats; the first one has told and sent hand 1."""
    phones = [pockets.phone(token) for token in tokens(night, *seats)]
    phones[0].sees("Who bid highest?").tap(*AUCTION, "Send hand 1").told(1)
    return phones


def test_who_sent_a_hand_takes_it_back_and_tells_it_anew(pockets: Pockets) -> None:
    night = Night()
    (south,) = sent(pockets, night, "S")
    south.sees("Hand 2").tap("Take back").sees("Hand 1: Taken back.", "Who bid highest?")
    south.tap("East", "4", "hearts", "13", "Send hand 1").told(1).sees(
        "East bid 4 and named hearts"
    )
    pockets.put_away()
    assert night.state()["number"] == 2


def test_who_sent_a_hand_mends_a_number_of_it(pockets: Pockets) -> None:
    night = Night()
    (south,) = sent(pockets, night, "S")
    south.tap("Correct a number").sees("Tap the number that is wrong")
    look_at(south.page, "table-mending-phone-light")
    expect(south.page.locator(".foot .send")).to_be_disabled()
    south.tap("South, cards taken: 4", "5").sees("That makes 14 ♠, not 13")
    south.tap("West").sees("West 5: what is left.").tap("Send hand 1 again").sent_all()
    south.sees("Settled", "West 40")
    pockets.put_away()
    assert night.chips() == "68/47/45/40 0"


def test_who_mends_nothing_after_all_leaves_it(pockets: Pockets) -> None:
    night = Night()
    (south,) = sent(pockets, night, "S")
    south.tap("Correct a number", "Leave it").sees("Hand 2", "Who bid highest?", "Take back")
    pockets.put_away()
    assert night.chips() == "68/47/46/39 0"


def test_who_objects_taps_what_was_different_and_the_table_settles_it(pockets: Pockets) -> None:
    night = Night()
    south, east = sent(pockets, night, "S", "E")
    east.look_again().sees("entered by South").tap("It is wrong").sees("Tap what was different")
    look_at(east.page, "table-objecting-phone-light")
    east.tap("South, cards taken: 4", "5", "West", "Send my version").sent_all()
    east.look_again().sees("Hand 1: South's slip and yours differ.", "Mine is right")
    look_at(east.page, "table-two-versions-phone-light")
    south.look_again().sees("Hand 1: East's slip and yours differ.")
    south.tap("East's is right South 5 and West 5").sent_all().sees("Settled", "West 40")
    pockets.put_away()
    assert night.chips() == "68/47/45/40 0"


def test_the_director_is_called_where_the_table_does_not_agree(pockets: Pockets) -> None:
    night = Night()
    south, east = sent(pockets, night, "S", "E")
    east.look_again().sees("entered by South").tap("It is wrong")
    east.tap("South, cards taken: 4", "5", "West", "Send my version").sent_all()
    south.look_again().sees("yours differ.").tap("Settle it later").sees("Hand 1", "Disputed")
    east.look_again().sees("yours differ.").tap("Call the director").sent_all()
    for phone in (south, east):
        phone.look_again().sees("The director decides").misses("yours differ.")
    pockets.put_away()
    assert Hand.objects.get(rival=None).director_called_at is not None


def test_the_table_is_told_what_the_director_decided_and_why(pockets: Pockets) -> None:
    night = Night()
    (south,) = (pockets.phone(token) for token in tokens(night, "S"))
    hand = night.enter({"bidder": "E", "bid": 4, "pain": "S", "taken": taken("0/3/4/6")})
    south.look_again().sees("Is hand 1 right?").tap("It is right")
    south.misses("It is right").sent_all()
    agreed = night.desk.get(f"hands/{hand['id']}")
    assert agreed["certainty"] == "confirmed"
    night.adjust(agreed, {"N": -2, "E": 2})
    south.look_again().sees("Ruled", "The director decided", "set up", "What it changes: ")
    look_at(south.page, "table-decided-phone-light")
    pockets.put_away()
