"""The phone at the table in a real browser: taps, the second seat, and hours without a network."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from tests.api.desk import Night
from tests.web.phones import Pockets, tokens

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def pockets(chromium: Browser, live_server: LiveServer) -> Iterator[Pockets]:
    found = Pockets(chromium, live_server.url)
    yield found
    found.close()


def test_a_hand_is_told_in_at_most_twelve_taps(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("What does East bid?", "Dealer: North")
    phone.tap("4").sees("Highest so far: 4, East").tap("Pass", "5", "Pass")
    phone.sees("Which suit does West name?").tap("spades")
    phone.tap("3").sees("10 of 13 left").tap("4")
    phone.tap("6").sees("West bid 5 and named spades; North took none and wins 18.")
    phone.tap("Send hand 1")
    phone.sees("Settled", "Pot: 0", "Dealer: East", "What does South bid?")
    assert phone.taps <= 12
    assert night.chips() == "68/47/46/39 0"
