"""Every card on the phone: one tap a card, what is illegal behind plain words, claims."""

from typing import Any

import pytest
from playwright.sync_api import expect

from engine.judge import latest_date
from engine.seats import DEFAULT_SEATS
from scoring.presentation.checks import check
from tests.api.desk import Night
from tests.scoring.club import START
from tests.web.phones import Phone, Pockets, pockets, tokens
from tests.web.test_browser import look_at
from tests.web.texts import example

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def hand() -> Any:
    """A hand of Auction Hearts with all its cards, judged by the engine."""
    text = example("1-bicycle-auction-full")
    return check(text, rules="", mode="", today=latest_date(START))["records"][0]


def begin(pockets: Pockets, hand: Any) -> tuple[Night, Phone]:
    """The same hand at a table: the auction is told, the play begins."""
    night = Night()
    night.game = night.open(dealer=DEFAULT_SEATS[4].index(hand["dealer"]))
    phone = pockets.phone(*tokens(night, "N")).sees("What does").tap("Tell every card")
    highest = 0
    for call in (one["call"] for one in hand["auction"]):
        if call.isdigit() and int(call) <= highest:
            phone.page.get_by_text("A bid that was not higher").click()
        phone.tap(call)
        highest = max(highest, int(call) if call.isdigit() else 0)
    return night, phone.tap(
        {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}[hand["pain"]]
    )


def cards_of(hand: Any) -> list[str]:
    return [card["card"] for trick in hand["tricks"] for card in trick["plays"]]


def play(phone: Phone, card: str) -> None:
    phone.page.locator(f'.picker > .cards .card[data-focus="{card}"]').click()
    phone.taps += 1


def play_on(phone: Phone, cards: list[str], first: int = 0) -> None:
    """Tell the cards from one place on; those that could not be others are there by themselves."""
    for place, card in enumerate(cards[first:], first):
        told = phone.page.locator(f'[data-focus="fix {place}"]')
        if told.count() == 0:
            play(phone, card)
        expect(told).to_have_text(shown(card))


def shown(card: str) -> str:
    return {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[card[0]] + card[1].replace("T", "10")


def test_a_whole_hand_card_by_card(pockets: Pockets, hand: Any) -> None:
    night, phone = begin(pockets, hand)
    cards, told = cards_of(hand), phone.taps
    play_on(phone, cards[:20])
    look_at(phone.page, "table-cards-phone-light")
    phone.tap("Undo")
    play_on(phone, cards, 19)
    assert phone.taps - told <= len(cards) + 1  # one was taken back
    phone.tap("Send hand 1").told(1)
    pockets.put_away()
    chips = night.state()["chips"]
    gained = {row["seat"]: row["values"] for row in hand["scores"]}
    assert chips == {s: 50 + v["After"] - v["Before"] for s, v in gained.items()}
    shown = night.desk.get(f"hands/{night.desk.get(hands(night))['items'][0]['id']}/record")
    assert cards_of(shown.data) == cards


def hands(night: Night) -> str:
    return f"games/{night.game['id']}/hands"


def test_an_illegal_card_is_behind_plain_words_and_judged(pockets: Pockets, hand: Any) -> None:
    _night, phone = begin(pockets, hand)
    pain = hand["pain"]
    legal = phone.page.locator(f'.picker > .cards .card[data-focus^="{pain}"]')
    assert legal.count() == 0  # the suit cannot be led first (A4)
    phone.page.get_by_text("That is what happened").click()
    phone.page.locator(f'.otherwise .card[data-focus="{pain}2"]').click()
    assert not phone.page.locator(f'.card[data-focus="{pain}2"]').count()
    phone.tap("Undo")
    assert legal.count() == 0


def test_any_card_can_be_changed_later(pockets: Pockets, hand: Any) -> None:
    night, phone = begin(pockets, hand)
    cards = cards_of(hand)
    mixed = [*cards[:8], cards[9], cards[8], *cards[10:]]  # two cards of one suit, told in turn
    assert cards[8][0] == cards[9][0]
    play_on(phone, mixed[:12])
    phone.page.get_by_text("Tricks so far").click()
    look_at(phone.page, "table-tricks-phone-light")
    told = name_at(phone, 8)
    phone.page.locator('[data-focus="fix 8"]').click()
    phone.sees(f"Instead of {told}?")
    look_at(phone.page, "table-other-card-phone-light")
    phone.tap("Leave it")
    phone.page.locator('[data-focus="fix 8"]').click()
    play(phone, cards[8])
    expect(phone.page.locator('[data-focus="fix 9"]')).to_have_text(shown(cards[9]))
    play_on(phone, cards, phone.page.locator('[data-focus^="fix "]').count())
    phone.tap("Send hand 1").told(1)
    pockets.put_away()
    found = night.desk.get(f"hands/{night.desk.get(hands(night))['items'][0]['id']}/record")
    assert cards_of(found.data) == cards


def name_at(phone: Phone, place: int) -> str:
    label = phone.page.locator(f'[data-focus="fix {place}"]').get_attribute("aria-label")
    assert label is not None
    return label.removeprefix("Change: ")


def test_a_hand_is_told_anew_from_any_card_on(pockets: Pockets, hand: Any) -> None:
    _night, phone = begin(pockets, hand)
    cards = cards_of(hand)
    play_on(phone, cards[:12])
    phone.page.get_by_text("Tricks so far").click()
    phone.page.locator('[data-focus="fix 5"]').click()
    phone.tap("Tell it anew from here")
    expect(phone.page.locator('[data-focus^="fix "]')).to_have_count(5)
    play_on(phone, cards[:12], 5)


PASSED = {"East": "♥A ♥K ♥3", "South": "♠Q ♠5 ♠2", "West": "♦A ♦K ♦Q", "North": "♣A ♣K ♣2"}


def test_passed_cards_are_noted_and_then_known(pockets: Pockets) -> None:
    """Cards go left: North's club leads from East, and nobody else is offered what East got."""
    night = Night("standard")
    phone = pockets.phone(*tokens(night, "N"), color_scheme="dark").sees("Pass: left")
    phone.tap("Tell every card", "♥A").sees("Cards to choose: 2")
    look_at(phone.page, "table-passing-phone-dark")
    phone.tap("♥A")
    for seat, cards in PASSED.items():
        phone.sees(f"What does {seat} pass to").tap(*cards.split())
    phone.sees("East ♣2", "South plays")
    for place, card in enumerate(("C3", "C4", "C5"), 1):
        play(phone, card)
        expect(phone.page.locator(f'[data-focus="fix {place}"]')).to_have_text(shown(card))
    phone.sees("North plays").page.get_by_text("Somebody takes the rest").click()
    phone.tap("West").sees("West took everything and shot the moon.").tap("Send hand 1").told(1)
    pockets.put_away()
    record = night.desk.get(f"hands/{night.desk.get(hands(night))['items'][0]['id']}/versions")
    text = record["versions"][0]["text"]
    assert "[PassTable" in text
    for row in ("N E CAK2", "E S HAK3", "S W SQ52", "W N DAKQ"):
        assert row in text


def test_a_card_is_passed_once_and_passes_need_not_be_noted(pockets: Pockets) -> None:
    night = Night("standard", pass_count="2")  # noqa: S106 (no password)
    phone = pockets.phone(*tokens(night, "N")).sees("Pass: left").tap("Tell every card")
    phone.sees("Cards to choose: 2").tap("♥A").sees("Cards to choose: 1").tap("♥A", "♥K", "♥A")
    phone.sees("What does South pass to West?")
    expect(phone.page.locator('.picker > .cards .card[data-focus="HA"]')).to_have_count(0)
    phone.tap("Passed cards are not noted").sees("Who led first?", "Passes not noted")


def test_the_rest_can_be_claimed(pockets: Pockets, hand: Any) -> None:
    night, phone = begin(pockets, hand)
    for card in cards_of(hand)[:40]:
        play(phone, card)
    phone.page.get_by_text("Somebody takes the rest").click()
    phone.page.locator('[data-focus^="claim "]').first.click()
    phone.tap("Send hand 1").told(1)
    pockets.put_away()
    assert night.look()["hands"] == 1
    listed = night.desk.get(hands(night))["items"][0]
    assert listed["state"] == "accepted", listed


def test_the_low_club_leads_and_who_held_it_is_asked(pockets: Pockets) -> None:
    night = Night("sahara")
    phone = pockets.phone(*tokens(night, "N")).sees("took how many").tap("Tell every card")
    phone.sees("Who led first?").page.get_by_role("button", name="East").click()
    phone.sees("East ♣2", "South plays")  # the only card that can lead is filled in
    for card in ("C3", "C4", "CA"):
        play(phone, card)
    phone.sees("Trick 2", "North plays")
    assert phone.page.locator('.picker > .cards .card[data-focus^="H"]').count() == 0
    for card in ("D2", "D3", "SQ", "D4"):
        play(phone, card)
    phone.sees("West plays")
    assert phone.page.locator('.picker > .cards .card[data-focus^="H"]').count() == 13
    phone.page.get_by_text("Somebody takes the rest").click()
    phone.tap("North").sees("North scores 13 and West scores 13 with the queen.")
    phone.tap("Send hand 1").told(1)
    pockets.put_away()
    assert night.totals() == "13/0/0/13"
