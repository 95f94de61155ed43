"""A hand that one phone began to tell goes on at another: nothing is lost, overwritten, or told."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.cards import NAMES, members
from engine.seats import Seat
from scoring.games.links import make_links
from scoring.models import Game, Hand, HandDraft
from tests.api.desk import Night
from tests.scoring.club import DIRECTOR, state_of
from tests.tournaments.events.test_boards import prepared
from tests.tournaments.night import start
from tests.web.conftest import PATIENCE
from tests.web.phones import Phone, Pockets, look_again, pockets, tokens
from tests.web.test_browser import look_at
from tournaments.core.deals import read_deal
from tournaments.models import Board

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

TOLD = ("4", "Pass", "5", "Pass", "spades", "3")
REST = ("4", "6")
BY_SOUTH = "South is telling this hand on another phone"


def pair(pockets: Pockets, night: Night) -> tuple[Phone, Phone]:
    south, east = (pockets.phone(token) for token in tokens(night, "S", "E"))
    for phone in (south, east):
        phone.sees("What does East bid?")
    return south, east


def test_a_hand_goes_on_at_another_phone(pockets: Pockets) -> None:
    night = Night()
    south, east = pair(pockets, night)
    south.tap(*TOLD).keeps(len(TOLD))
    east.look_again().sees(BY_SOUTH, "West bid 5", "East 3 ♠")
    look_at(east.page, "table-goes-on-phone-light")
    south.page.close()
    east.tap("Go on here").sees("10 of 13 left").tap(*REST, "Send hand 1").told(1)
    pockets.put_away()
    assert night.chips() == "68/47/46/39 0"
    assert Hand.objects.count() == 1
    assert not Hand.objects.filter(pk__in=HandDraft.objects.filter(seat=2).values("pk")).exists()


def test_who_is_gone_on_from_sees_it_and_both_are_compared(pockets: Pockets) -> None:
    night = Night()
    south, east = pair(pockets, night)
    south.tap(*TOLD).keeps(len(TOLD))
    east.look_again().sees(BY_SOUTH).tap("Go on here", "5").keeps(2)
    south.look_again().sees("East goes on with your hand on another phone", "South 5 ♠")
    south.tap("4").keeps(len(TOLD) + 1)
    expect(south.page.locator(".offered")).to_contain_text("Not as you told it here: South 5 ♠")
    look_at(south.page, "table-told-twice-phone-light")
    east.look_again().sees(BY_SOUTH, "Not as you told it here: South 4 ♠")
    east.tap("5", "Send hand 1").told(1)
    south.look_again().sees("Another phone has entered hand 1 meanwhile").tap("6", "Send hand 1")
    for phone in (south, east):
        phone.sees("Disputed", "South's record").look_again().sees("East's record")
    pockets.put_away()
    assert night.look()["booked"] == 0


def test_what_was_told_here_is_kept_when_another_phones_telling_is_taken(pockets: Pockets) -> None:
    night = Night()
    south, east = pair(pockets, night)
    east.tap("2", "Pass")
    south.tap(*TOLD).keeps(len(TOLD))
    east.look_again().sees(BY_SOUTH, "Not as you told it here: East bid 4").tap("Go on here").sees(
        "10 of 13 left"
    )
    expect(east.page.locator(".offered", has_text="East bid 2")).to_be_visible()
    while HandDraft.objects.count() < 3:
        east.page.wait_for_timeout(20)
    pockets.put_away()
    north = pockets.phone(*tokens(night, "N")).sees("East is telling")
    north.page.get_by_text("Told on other phones before: 1").click()
    expect(north.page.locator(".offered", has_text="East bid 2")).to_be_visible()


def test_what_is_told_without_a_network_goes_up_with_the_queue(pockets: Pockets) -> None:
    night = Night()
    south, east = pair(pockets, night)
    south.context.set_offline(True)
    south.tap("4", "Pass", "Pass", "Pass", "hearts", "0", "6", "0", "Send hand 1")
    south.sees("Waiting: 1").tap("3", "Pass")
    east.misses("is telling this hand")
    south.context.set_offline(False)
    south.sent_all().keeps(2, number=2)
    east.look_again().sees(BY_SOUTH, "South bid 3").tap("Go on here").sees("What does North bid?")
    east.keeps(1, number=2)
    pockets.put_away()
    assert [row.number for row in HandDraft.objects.all()] == [2, 2]


def test_a_phone_that_forgot_everything_gets_its_own_hand_back(pockets: Pockets) -> None:
    """A private window that was closed, a phone that was exchanged."""
    night = Night()
    (token,) = tokens(night, "S")
    lost = pockets.phone(token).sees("What does East bid?").tap(*TOLD)
    while not HandDraft.objects.filter(change=len(TOLD)).exists():
        lost.page.wait_for_timeout(200)
    lost.context.close()
    pockets.contexts.remove(lost.context)
    found = pockets.phone(token).sees(BY_SOUTH).tap("Go on here")
    found.sees("10 of 13 left").tap(*REST, "Send hand 1").told(1)
    pockets.put_away()
    assert night.chips() == "68/47/46/39 0"


def test_papers_and_passes_never_leave_the_phone(pockets: Pockets) -> None:
    night = Night("insurance", centre_auction="off")
    south, east = (pockets.phone(token) for token in tokens(night, "S", "E"))
    south.sees("Somebody called a foot").tap("4", "6 ♠Q", "0")
    south.sees("What is on East's paper?").tap("5", "1")
    east.sees("South is telling", "South 6 ♥ ♠Q", "West 0 ♥").misses("wrote")
    for _ in range(5):
        south.tap("Undo")
    south.tap("Tell every card").sees("What does East pass to South?")
    for card in ("♥A", "♥K", "♥3"):
        south.tap(card)
    south.sees("East passed ♥A ♥K ♥3").tap("Passed cards are not noted")
    south.sees("Who led first?").page.get_by_role("button", name="West").first.click()
    east.sees("South is telling", "West led first").misses("♥A")
    pockets.put_away()
    (kept,) = HandDraft.objects.all()
    assert "paper" not in kept.answers
    assert "pass" not in kept.answers
    assert "HA" not in kept.answers


def test_two_windows_of_one_phone_tell_one_hand(pockets: Pockets) -> None:
    night = Night()
    (token,) = tokens(night, "S")
    phone = pockets.phone(token).sees("What does East bid?").tap("4")
    other = phone.tab()
    other.goto("/t/")
    asks(other, "What does South bid?")
    other.get_by_role("button", name="Pass", exact=True).click()
    asks(phone.page, "What does West bid?")
    phone.tap("5", "Pass")
    asks(other, "Which suit does West name?")
    phone.page.bring_to_front()
    phone.tap("spades", "3", "4", "6", "Send hand 1").told(1).tap("2", "Pass")
    asks(other, "What does North bid?")
    phone.keeps(2, number=2)
    other.close()
    phone.page.reload()
    phone.sees("What does North bid?")
    pockets.put_away()
    assert list(HandDraft.objects.order_by("number").values_list("number", flat=True)) == [1, 2]


def asks(window: Page, question: str) -> None:
    """What is asked in a window as soon as somebody looks at it; one behind it draws no frames."""
    window.bring_to_front()
    look_again(window)
    expect(window.locator("body")).to_contain_text(question, timeout=PATIENCE)


def whole_deal(game: Game) -> dict[str, list[str]]:
    board = Board.objects.get(event__round_rows__tables=game.table, number=1)
    held = read_deal(board.deal, state_of(game).dealer)
    return {
        seat: [NAMES[c] for c in members(cards)] for seat, cards in zip("NESW", held, strict=True)
    }


def test_with_the_cards_of_a_board_those_that_follow_are_filled_in(pockets: Pockets) -> None:
    game, _other = start(prepared(), 1)
    links = make_links(game_id=game.pk, seats=[Seat(0), Seat(1)], by=DIRECTOR, at=timezone.now())
    north, east = (pockets.phone(one.token) for one in links)
    deal = whole_deal(game)
    north.sees("Board 1", "What does East bid?").tap("Tell every card")
    north.page.get_by_text("We have played this board").click()
    look_at(north.page, "table-board-phone-light")
    north.tap("Show me its cards", "4", "Pass", "Pass", "Pass", "spades")
    east.sees("North has looked at the cards of the board")
    taps = 0
    while north.page.locator(".send").count() == 0:
        offered = north.page.locator(".picker > .cards .card")
        seat = north.page.locator(".pad h2").inner_text().split()[0][0]
        found = [card.get_attribute("data-focus") for card in offered.all()]
        assert set(found) <= set(deal[seat])
        offered.first.click()
        taps += 1
    assert taps <= 48
    north.tap("Send hand 1").told(1)
    pockets.put_away()
    assert Hand.objects.get(game=game).state == "accepted"
