"""A hand that one phone began to tell goes on at another: nothing is lost, overwritten, or told."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.core.cards import NAMES, members
from engine.core.seats import Seat
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

TOLD = ("West", "5", "spades", "0", "3")
REST = ("4",)
BY_SOUTH = "South tells this hand"


def pair(pockets: Pockets, night: Night) -> tuple[Phone, Phone]:
    south, east = (pockets.phone(token) for token in tokens(night, "S", "E"))
    for phone in (south, east):
        phone.sees("Who bid highest?")
    return south, east


def test_a_hand_goes_on_at_another_phone(pockets: Pockets) -> None:
    night = Night()
    south, east = pair(pockets, night)
    south.tap(*TOLD).keeps(len(TOLD))
    east.look_again().sees(BY_SOUTH, "Bid West 5", "Taken 3 of 13")
    look_at(east.page, "table-goes-on-phone-light")
    south.page.close()
    east.tap("I tell instead").sees("10 left").tap(*REST, "Send hand 1").told(1)
    pockets.put_away()
    assert night.chips() == "68/47/46/39 0"
    assert Hand.objects.count() == 1
    assert not Hand.objects.filter(pk__in=HandDraft.objects.filter(seat=2).values("pk")).exists()


def test_who_is_gone_on_from_sees_it_and_both_are_compared(pockets: Pockets) -> None:
    night = Night()
    south, east = pair(pockets, night)
    south.tap(*TOLD).keeps(len(TOLD))
    east.look_again().sees(BY_SOUTH).tap("I tell instead", "5").keeps(2)
    south.look_again().sees("East tells, too")
    south.tap("4").keeps(len(TOLD) + 1).open_sheet()
    south.sees("East goes on with your hand on another phone")
    expect(south.page.locator(".offered")).to_contain_text("Not as you entered it here: South 5 ♠")
    look_at(south.page, "table-told-twice-phone-light")
    south.close_sheet()
    east.look_again().open_sheet().sees("Not as you entered it here: South 4 ♠").close_sheet()
    east.tap("Send hand 1").told(1)
    south.look_again().open_sheet().sees("Another phone has entered hand 1 meanwhile")
    south.close_sheet().tap("Send hand 1")
    for phone, other in ((south, "East"), (east, "South")):
        phone.look_again().sees(f"Hand 1: {other}'s slip and yours differ.")
    pockets.put_away()
    assert night.look()["booked"] == 0


def test_what_was_told_here_is_kept_when_another_phones_telling_is_taken(pockets: Pockets) -> None:
    night = Night()
    south, east = pair(pockets, night)
    east.tap("East", "2")
    south.tap(*TOLD).keeps(len(TOLD))
    east.look_again().sees("South tells, too").open_sheet()
    east.sees("Not as you entered it here: Highest: West, West bid 5").tap("Go on here")
    east.sees("10 left", "East tells, too").open_sheet()
    expect(east.page.locator(".offered", has_text="East bid 2")).to_be_visible()
    while HandDraft.objects.count() < 3:
        east.page.wait_for_timeout(20)
    pockets.put_away()
    north = pockets.phone(*tokens(night, "N")).sees("East tells this hand").open_sheet()
    expect(north.page.locator(".offered", has_text="East bid 2")).to_be_visible()


def test_what_is_told_without_a_network_goes_up_with_the_queue(pockets: Pockets) -> None:
    night = Night()
    south, east = pair(pockets, night)
    south.context.set_offline(True)
    south.tap("East", "4", "hearts", "7", "0", "6", "Send hand 1")
    south.sees("Waiting: 1").tap("South", "3")
    east.misses("tells this hand")
    south.context.set_offline(False)
    south.sent_all().keeps(2, number=2)
    east.look_again().sees(BY_SOUTH, "Bid South 3").tap("I tell instead").sees("Which suit")
    east.keeps(1, number=2)
    pockets.put_away()
    assert [row.number for row in HandDraft.objects.all()] == [2, 2]


def test_a_phone_that_forgot_everything_gets_its_own_hand_back(pockets: Pockets) -> None:
    """A private window that was closed, a phone that was exchanged."""
    night = Night()
    (token,) = tokens(night, "S")
    lost = pockets.phone(token).sees("Who bid highest?").tap(*TOLD)
    while not HandDraft.objects.filter(change=len(TOLD)).exists():
        lost.page.wait_for_timeout(200)
    lost.context.close()
    pockets.contexts.remove(lost.context)
    found = pockets.phone(token).sees(BY_SOUTH).tap("I tell instead")
    found.sees("10 left").tap(*REST, "Send hand 1").told(1)
    pockets.put_away()
    assert night.chips() == "68/47/46/39 0"


def test_papers_and_passes_never_leave_the_phone(pockets: Pockets) -> None:
    night = Night("insurance", centre_auction="off")
    south, east = (pockets.phone(token) for token in tokens(night, "S", "E"))
    south.sees("took how many").tap("3", "4", "6", "South")
    south.sees("What is on North's paper?").tap("5", "1")
    east.sees("South tells this hand", "Queen South").misses("paper: 5")
    south.more("Enter it again").more("Enter every card").sees("What does East pass to South?")
    for card in ("♥A", "♥K", "♥3"):
        south.tap(card)
    south.tap("Passed cards are not noted")
    south.sees("Who led first?").press(south.page.get_by_role("button", name="West").first)
    east.sees("South tells this hand").misses("♥A")
    pockets.put_away()
    drafts = "".join(HandDraft.objects.values_list("answers", flat=True))
    assert drafts
    for secret in ("paper", "pass", "HA"):
        assert secret not in drafts


def test_two_windows_of_one_phone_tell_one_hand(pockets: Pockets) -> None:
    night = Night()
    (token,) = tokens(night, "S")
    phone = pockets.phone(token).sees("Who bid highest?").tap("West")
    other = phone.tab()
    other.goto("/t/")
    asks(other, "West bid how many?")
    other.get_by_role("button", name="5", exact=True).click()
    asks(phone.page, "Which suit does West name?")
    phone.tap("spades")
    asks(other, "North took how many")
    phone.page.bring_to_front()
    phone.tap("0", "3", "4", "Send hand 1").told(1).tap("South", "2")
    asks(other, "Which suit does South name?")
    phone.keeps(2, number=2)
    other.close()
    phone.page.reload()
    phone.sees("Which suit does South name?")
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
    north.sees("Who bid highest?").more("Enter every card")
    north.tap("More…")
    look_at(north.page, "table-board-phone-light")
    north.tap("We have played this board: show me its cards").sees("Who bid highest?")
    for key in ("E", "4", "S"):
        north.press(north.page.locator(f'[data-focus="key {key}"]'))
    east.sees("has looked at the cards of the board")
    taps = 0
    while north.page.locator(".send:enabled").count() == 0:
        offered = north.page.locator(".card-key:not(.run)")
        seat = north.page.locator(".place.turn small").first.inner_text().split()[0]
        found = [card.get_attribute("data-focus") for card in offered.all()]
        assert set(found) <= set(deal[seat])
        north.press(offered.first)
        taps += 1
    assert taps <= 48
    north.tap("Send hand 1").told(1)
    pockets.put_away()
    assert Hand.objects.get(game=game).state == "accepted"
