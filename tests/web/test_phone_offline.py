"""A phone without a network: nothing is lost, nothing is sent twice, nothing is dropped."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect
from pytest_django.live_server_helper import LiveServer

from scoring.hands import recording
from scoring.models import Hand
from tests.api.desk import Night, taken
from tests.browsers import browser_path
from tests.disks import FULL_DATABASES
from tests.scoring.club import assert_recomputes
from tests.web.phones import Phone, Pockets, pockets, tokens

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

FIRST = ("West", "5", "spades", "0", "3", "4")
"""Hand 1: West bids 5, North is clean and wins 18."""
SECOND = ("South", "2", "hearts", "0", "7", "0")
"""Hand 2, dealt by East: South bids 2; South and North are clean."""


def told(phone: Phone, taps: tuple[str, ...], number: int) -> Phone:
    return phone.tap(*taps, f"Send hand {number}")


def check(night: Night, hands: int) -> None:
    """Every hand once, nothing beside, and the books as if they were folded anew."""
    rows = Hand.objects.filter(game=night.game["id"]).order_by("number")
    assert [row.number for row in rows] == list(range(1, hands + 1))
    assert not any(row.rival_id for row in rows)
    assert_recomputes(rows[0].game)


def test_an_hour_offline_is_sent_once_and_in_order(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?").is_ready_offline()
    phone.context.set_offline(True)
    told(phone, FIRST, 1).sees("Waiting: 1", "Who bid highest?")
    assert seats(phone) == ["68", "47", "46", "39"]
    told(phone, SECOND, 2).sees("Waiting: 2")
    phone.sees("No network. 2 hands are safe on this phone; leave this page open.")
    assert seats(phone) == ["75", "40", "51", "33"]
    queued = [json.loads(item["body"])["id"] for item in phone.queue()]
    phone.context.set_offline(False)
    phone.sent_all().told(2).misses("No network")
    assert seats(phone) == ["75", "40", "51", "33"]
    pockets.put_away()
    check(night, 2)
    rows = Hand.objects.order_by("number")
    assert [str(row.pk) for row in rows] == queued
    assert rows[0].entered_at < rows[1].entered_at
    assert all(row.pk.version == 7 for row in rows)
    assert night.chips() == "75/40/51/33 1"


def seats(phone: Phone) -> list[str]:
    """The chips that the picture of the table shows, as the phone's owner sees it from North on."""
    held = phone.open_sheet().page.locator(".picture .held")
    found = held.all_inner_texts()
    phone.close_sheet()
    return found


def test_a_closed_tab_keeps_the_queue_and_the_hand_that_was_being_told(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?").is_ready_offline()
    phone.context.set_offline(True)
    told(phone, FIRST, 1).tap(*SECOND[:4]).sees("13 left")
    phone.page.close()
    phone.page = phone.tab()
    phone.page.goto("/t/")
    phone.sees("Waiting: 1", "13 left")
    phone.tap("7", "0", "Send hand 2").sees("Waiting: 2")
    phone.page.close()
    phone.context.set_offline(False)
    phone.page = phone.tab()
    phone.page.goto("/t/")
    phone.sent_all().told(2)
    pockets.put_away()
    check(night, 2)


def test_answers_that_never_arrive_are_asked_for_again(pockets: Pockets) -> None:
    """The server has the hand; the phone does not know."""
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?")
    sent: list[tuple[str | None, str | None]] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        sent.append((route.request.header_value("idempotency-key"), route.request.post_data))
        if len(sent) <= 3:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    phone.page.route("**/api/v1/games/*/hands", lose)
    told(phone, FIRST, 1).sees("Waiting: 1").told(1)
    assert len(sent) > 3
    assert len(set(sent)) == 1
    phone.page.unroute_all()
    pockets.put_away()
    check(night, 1)


def test_a_hand_waits_on_the_phone_while_the_disk_of_the_server_is_full(
    pockets: Pockets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told so in plain words; nobody has to send it again."""
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?")
    whole = recording.enter_hand

    def refuse(*_args: Any, **_kwargs: Any) -> None:
        error = FULL_DATABASES["SQLite is full"]()
        raise error

    monkeypatch.setattr(recording, "enter_hand", refuse)
    told(phone, FIRST, 1).sees("Waiting: 1", "The disk of the server is full. Nothing is lost")
    told(phone, SECOND, 2).sees("Waiting: 2")
    assert [item["state"] for item in phone.queue()] == ["waiting", "waiting"]
    monkeypatch.setattr(recording, "enter_hand", whole)
    phone.sent_all().misses("The disk of the server")
    pockets.put_away()
    check(night, 2)


def test_two_tabs_of_one_phone_send_a_hand_once(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?").is_ready_offline()
    phone.context.set_offline(True)
    told(phone, FIRST, 1).sees("Waiting: 1")
    other = phone.tab()
    other.goto("/t/")
    expect(other.locator("body")).to_contain_text("Waiting: 1")
    phone.context.set_offline(False)
    phone.sent_all()
    expect(other.locator(".badge")).to_have_count(0)
    pockets.put_away()
    check(night, 1)


def test_a_second_tap_on_send_sends_nothing_more(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?").tap(*FIRST)
    phone.page.get_by_role("button", name="Send hand 1").dblclick()
    phone.told(1)
    pockets.put_away()
    check(night, 1)


def test_what_the_server_refuses_stays_until_somebody_decides(pockets: Pockets) -> None:
    """The first of two waiting hands is refused: it is shown, and the second one waits for it."""
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?").is_ready_offline()
    phone.context.set_offline(True)
    told(phone, FIRST, 1)
    told(phone, SECOND, 2)
    phone.page.evaluate(SPOILED)
    phone.context.set_offline(False)
    phone.sees("Not taken: 1", "The server did not take this", "'bonus'")
    assert [item["state"] for item in phone.queue()] == ["refused", "waiting"]
    phone.tap("Change it and send it again").sees("West bid 5 and named spades")
    phone.tap("Send hand 1").told(2)
    pockets.put_away()
    check(night, 2)


SPOILED = """() => new Promise((resolve) => {
  const asked = indexedDB.open("painsuit-table", 1);
  asked.onsuccess = () => {
    const store = asked.result.transaction("queue", "readwrite").objectStore("queue");
    store.getAll().onsuccess = ({target: {result: [first]}}) => {
      const body = JSON.parse(first.body);
      body.result.bonus = 5;
      store.put({...first, body: JSON.stringify(body)}).onsuccess = () => {
        asked.result.close();
        resolve();
      };
    };
  };
})"""


def test_giving_up_takes_two_taps(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?").is_ready_offline()
    phone.context.set_offline(True)
    told(phone, FIRST, 1)
    phone.page.evaluate(SPOILED)
    phone.context.set_offline(False)
    phone.sees("Not taken: 1").tap("Give it up")
    assert len(phone.queue()) == 1
    phone.tap("Yes, throw it away").sent_all()
    assert phone.queue() == []
    pockets.put_away()
    assert not Hand.objects.exists()


def test_a_hand_that_another_phone_entered_meanwhile_is_compared(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?").tap(*FIRST[:3])
    phone.context.set_offline(True)
    night.enter({"bidder": "W", "bid": 5, "pain": "S", "taken": taken("0/3/4/6")})
    phone.context.set_offline(False)
    phone.sees("Entered already", "Hand 1").misses("Hand 2").tap(*FIRST[3:])
    phone.sees("Another phone has entered hand 1 meanwhile").tap("Send hand 1")
    phone.told(1, "Said the same").sees("Hand 2", "Who bid highest?")
    pockets.put_away()
    (item, rival) = Hand.objects.order_by("rival_id")
    assert {item.state, rival.state} == {"accepted", "void"}
    assert "confirmed" in {item.certainty, rival.certainty}


def test_objections_wait_too(pockets: Pockets) -> None:
    night = Night()
    (south,) = tokens(night, "S")
    night.enter({"bidder": "W", "bid": 5, "pain": "S", "taken": taken("0/3/4/6")})
    phone = pockets.phone(south).sees("Is hand 1 right?", "entered at the desk")
    phone.context.set_offline(True)
    phone.tap("It is wrong", "Or say it in words", "The bid is wrong.").sees("Waiting: 1")
    phone.misses("It is wrong")
    phone.context.set_offline(False)
    phone.sent_all().sees("Disputed", "The bid is wrong.")


def test_another_version_of_a_hand_waits_too(pockets: Pockets) -> None:
    night = Night()
    night.enter({"bidder": "W", "bid": 5, "pain": "S", "taken": taken("0/3/4/6")})
    phone = pockets.phone(*tokens(night, "S")).sees("Is hand 1 right?")
    phone.context.set_offline(True)
    phone.tap("It is wrong", "South, cards taken: 4", "5", "West", "Send my version")
    phone.sees("Waiting: 1").misses("It is wrong")
    phone.context.set_offline(False)
    phone.sent_all().sees("Disputed", "The desk's record", "South's record", "South 5, West 5")
    pockets.put_away()
    assert Hand.objects.get(rival=None).director_called_at is not None  # nobody else told it


@pytest.fixture
def wifi(chromium: Browser, live_server: LiveServer, settings: Any) -> Iterator[Pockets]:
    """Phones in the club's own Wi-Fi, where there is no TLS: browsers trust such a page less."""
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "table.club"]
    browser = chromium.browser_type.launch(
        executable_path=browser_path(),
        args=[
            *("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"),
            "--host-resolver-rules=MAP table.club 127.0.0.1",
        ],
    )
    port = live_server.url.rsplit(":", 1)[1]
    found = Pockets(browser, f"http://table.club:{port}")
    yield found
    found.close()
    browser.close()


def test_without_tls_hands_wait_and_papers_are_sealed_too(wifi: Pockets) -> None:
    night = Night("standard", foot="on")
    phone = wifi.phone(*tokens(night, "N")).sees("Next: hand 1")
    assert phone.page.evaluate("!isSecureContext && !crypto.subtle && !navigator.serviceWorker")
    phone.press(phone.page.get_by_text("Secret papers: foot"))
    phone.tap("North writes", "Yes", "Seal: Foot").misses("Seal: Foot").sent_all()
    phone.sees("Not yet sealed: East, South")
    phone.context.set_offline(True)
    phone.tap("3", "4", "6", "South", "Send hand 1").sees("Waiting: 1")
    phone.context.set_offline(False)
    phone.told(1, "Waits")
    wifi.put_away()
    assert night.totals() == "3/4/19/0"


def test_the_browser_is_asked_once_to_keep_what_waits(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone()
    phone.context.add_init_script(
        """navigator.storage.persist = async () => {
          sessionStorage.setItem("asked", 1 + Number(sessionStorage.getItem("asked")));
          return true;
        };"""
    )
    token, *_others = tokens(night, "S")
    asked = "sessionStorage.getItem('asked')"
    phone.scan(token).sees("Who bid highest?")
    phone.page.wait_for_function(f"() => {asked}")
    phone.scan(token).sees("Who bid highest?").is_ready_offline()
    assert phone.page.evaluate(asked) == "1"
