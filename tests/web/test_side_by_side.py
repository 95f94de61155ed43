"""Two tables that played one board, replayed side by side: who may see it, and what it says."""

import re
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.games import nights
from scoring.models import Hand
from tests.scoring.club import DIRECTOR, at, chip_hand, enter, state_of
from tests.web.boards import play_board, start_duplicate
from tests.web.window import Window, member_of
from tournaments.models import Club, Event

pytestmark = pytest.mark.django_db


def beside(first: UUID, second: UUID) -> str:
    return f"/h/{first}/beside/{second}/"


def html(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def close(event: Event) -> None:
    nights.end_round(event_id=event.pk, number=1, why="late", by=DIRECTOR, at=at(9))


def board_played(window: Window) -> tuple[Event, list[Hand]]:
    event, games = start_duplicate(window)
    return event, [play_board(event, game, 1, seed) for seed, game in enumerate(games)]


def test_a_hand_lists_the_same_cards_at_other_tables_and_leads_to_both_in_step(
    client: Client, window: Window
) -> None:
    event, (first, second) = board_played(window)
    close(event)
    page = html(client, f"/h/{first.pk}/")
    assert "The same cards at other tables" in page
    assert beside(first.pk, second.pk) in page
    both = html(client, beside(first.pk, second.pk))
    assert both.count('class="board ') == 2
    assert both.count('class="steps"') == 1
    assert [f"/h/{hand.pk}/" in both for hand in (first, second)] == [True, True]


def test_an_address_opens_both_tables_at_the_same_card(client: Client, window: Window) -> None:
    event, (first, second) = board_played(window)
    close(event)
    page = html(client, f"{beside(first.pk, second.pk)}?at=1.3.2")
    assert re.findall(r'data-cursor="(\d+)"', page) == ["10", "10"]


def test_while_others_play_the_board_there_is_no_list_and_no_page(
    client: Client, window: Window
) -> None:
    event, (first, second) = board_played(window)
    director = member_of(window.club, "director")
    for who in (client, member_of(window.club)):
        assert "The same cards at other tables" not in html(who, f"/h/{first.pk}/")
        assert who.get(beside(first.pk, second.pk)).status_code == 404
    assert director.get(beside(first.pk, second.pk)).status_code == 200
    close(event)
    assert client.get(beside(first.pk, second.pk)).status_code == 200


def test_only_hands_of_one_deal_with_every_card_stand_side_by_side(
    client: Client, window: Window
) -> None:
    event, games = start_duplicate(window)
    first = play_board(event, games[0], 1)
    other_board = play_board(event, games[0], 2)
    result = enter(games[1], chip_hand(state_of(games[1]), (13, 0, 0, 0))).hand
    close(event)
    elsewhere = Hand.objects.exclude(game__in=games).earliest("entered_at")
    for hand in (other_board.pk, result.pk, elsewhere.pk, first.pk, uuid4()):
        for address in (beside(first.pk, hand), beside(hand, first.pk)):
            assert client.get(address).status_code == 404, address
    page = html(client, f"/h/{first.pk}/")
    assert "The same cards at other tables" in page
    assert "/beside/" not in page


def test_strangers_find_no_hands_of_a_private_club_side_by_side(
    client: Client, window: Window
) -> None:
    event, (first, second) = board_played(window)
    close(event)
    Club.objects.filter(pk=window.club.pk).update(is_public=False)
    assert client.get(beside(first.pk, second.pk)).status_code == 404
    assert member_of(window.club).get(beside(first.pk, second.pk)).status_code == 200


@pytest.mark.parametrize("is_beside", [False, True])
def test_the_list_and_the_page_ask_few_questions(
    client: Client, window: Window, *, is_beside: bool
) -> None:
    event, games = start_duplicate(window)
    first = play_board(event, games[0], 1)
    second = play_board(event, games[1], 1, seed=2)
    close(event)
    address = beside(first.pk, second.pk) if is_beside else f"/h/{first.pk}/"
    with CaptureQueriesContext(connection) as captured:
        html(client, address)
    # Each hand is compared with the deals of its event, and with decisions on boards.
    assert len(captured) <= 33, [query["sql"] for query in captured]
