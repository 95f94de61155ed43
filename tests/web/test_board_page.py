"""The traveller of a board: the deal round a compass, how each table played it, and its key."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.games import nights
from scoring.models import Hand
from tests.scoring.club import DIRECTOR, at, chip_hand, enter, state_of
from tests.web.boards import play_board, start_duplicate
from tests.web.test_window import check_chips, read
from tests.web.window import Window, member_of, publish_all
from tournaments.models import Board, Event, Result

pytestmark = pytest.mark.django_db
CARD = re.compile(r'aria-label="[\w\d]+ of (?:spades|hearts|diamonds|clubs)"')


def address(event: Event, number: int = 1) -> str:
    return f"/e/{event.pk}/boards/{number}/"


def close(event: Event) -> None:
    nights.end_round(event_id=event.pk, number=1, why="late", by=DIRECTOR, at=at(9))


def page_of(client: Client, event: Event) -> str:
    return client.get(address(event)).content.decode()


def rows_of(page: str) -> list[str]:
    """The rows of the table by table part, as one line of words each."""
    body = page.partition("traveller seats-4")[2].partition("<tbody>")[2].partition("</tbody>")[0]
    rows = re.sub(r"<[^>]*aria-label=\"([^\"]*)\"[^>]*>", r" \1 ", body).split("</tr>")
    return [" ".join(re.sub(r"<[^>]*>", " ", row).split()) for row in rows if "<td" in row]


def test_each_table_tells_bid_lead_captures_and_matchpoints_and_leads_to_its_hand(
    client: Client, window: Window
) -> None:
    event, games = start_duplicate(window)
    hands = [play_board(event, game, 1, seed) for seed, game in enumerate(games)]
    close(event)
    page = page_of(client, event)
    assert [f"/h/{hand.pk}/" in page for hand in hands] == [True, True]
    rows = rows_of(page)
    assert len(rows) == 2
    for row, hand in zip(rows, hands, strict=True):
        _check_row(row, hand)


def _check_row(row: str, hand: Hand) -> None:
    results = list(Result.objects.filter(game=hand.game_id, number=1).order_by("seat"))
    text = bytes(hand.versions.get().text).decode()
    first = re.search(r'\[PlayTable "([NESW]);.*"\]\n(\S\S)', text)
    assert first
    ranks = {"T": "10"}
    assert f" {ranks.get(first[2][1], first[2][1])}" in row
    bid = results[0].bid
    assert bid is not None
    assert f" {bid} " in row
    for result in results:
        assert f"took {result.taken} MP" in row


def test_the_chips_of_a_round_are_those_of_its_boards_told_once(
    client: Client, window: Window
) -> None:
    event, games = start_duplicate(window)
    for seed, game in enumerate(games):
        for number in (1, 2):
            play_board(event, game, number, seed)
    close(event)
    publish_all()
    sheet = client.get(f"/e/{event.pk}/").context["sheet"]
    assert (sheet.unit, sheet.at_tables) == ("Matchpoints", "Chips")
    check_chips(sheet)


def test_the_compass_has_every_card_of_the_board_and_names_dealer_and_eldest_hand(
    client: Client, window: Window
) -> None:
    event, games = start_duplicate(window)
    for game in games:
        play_board(event, game, 1)
    close(event)
    page = page_of(client, event)
    deal = page.split('class="deal seats-4">')[1].partition("board-number")[0]
    words = re.sub(r"<[^>]*>", " ", deal)
    assert len(re.findall(r"\b(?:10|[2-9AKQJ])\b", words)) == 52
    assert re.search(r"North\s+dealer", words)
    assert re.search(r"East\s+eldest hand", words)
    eldest = Board.objects.get(event=event, number=1).deal.split(";")[0]
    spades = re.search(r"S([2-9TJQKA]+)", eldest)
    assert spades
    east = " ".join(words.partition("East")[2].partition("South")[0].split())
    assert f"♠ {' '.join(spades[1]).replace('T', '10')} ♥" in east


def test_while_others_play_it_strangers_see_no_bid_no_lead_no_card_and_no_key(
    client: Client, window: Window
) -> None:
    event, games = start_duplicate(window)
    play_board(event, games[0], 1)
    key = Board.objects.get(event=event, number=1).key
    for who in (client, member_of(window.club)):
        page = page_of(who, event)
        assert "Other tables have still to play these cards" in page
        assert key not in page
        assert "took" not in " ".join(rows_of(page))
        assert CARD.search(page) is None
        assert re.search(r"Table 1 [A-Z]", rows_of(page)[0])
    director = page_of(member_of(window.club, "director"), event)
    assert CARD.search(director)
    assert "took" in " ".join(rows_of(director))
    assert key not in director


def test_the_key_is_checked_where_the_board_is_over(client: Client, window: Window) -> None:
    event, games = start_duplicate(window)
    for game in games:
        play_board(event, game, 1)
    board = Board.objects.get(event=event, number=1)
    assert board.commitment in read(client, address(event))
    close(event)
    page = read(client, address(event))
    assert board.key in page
    assert "The deal is the one of this key." in page
    cards = board.deal.split("; ")
    Board.objects.filter(pk=board.pk).update(deal="; ".join([*cards[1:], cards[0]]))
    assert "The deal is not the one of this key." in read(client, address(event))


def test_boards_lead_to_the_one_before_and_the_next(client: Client, window: Window) -> None:
    event, _games = start_duplicate(window, hands=3)

    def neighbours(number: int) -> list[str]:
        page = client.get(address(event, number)).content.decode()
        return re.findall(rf'href="/e/{event.pk}/boards/(\d)/"', page)

    assert [neighbours(number) for number in (1, 2, 3)] == [["2"], ["1", "3"], ["2"]]


def test_a_result_without_cards_has_no_lead(client: Client, window: Window) -> None:
    event, games = start_duplicate(window)
    for game in games:
        enter(game, chip_hand(state_of(game), [6, 7, 0, 0]))
    close(event)
    page = page_of(client, event)
    assert CARD.search(page) is None
    assert "took 6" in rows_of(page)[0]
    assert " 3 hearts" in rows_of(page)[0]


def test_a_traveller_asks_as_much_of_the_database_for_two_tables_as_for_one(
    client: Client, window: Window
) -> None:
    event, games = start_duplicate(window)

    def statements() -> int:
        with CaptureQueriesContext(connection) as asked:
            page_of(client, event)
        return len(asked)

    play_board(event, games[0], 1)
    statements()
    one = statements()
    play_board(event, games[1], 1)
    assert statements() == one
    assert len(rows_of(page_of(client, event))) == 2


def test_the_api_tells_the_same_and_keeps_the_same_secrets(window: Window) -> None:
    event, games = start_duplicate(window)
    hand = play_board(event, games[0], 1)
    path = f"/api/v1/events/{event.pk}/boards/1"
    member, director = member_of(window.club), member_of(window.club, "director")
    told = ("namer", "bid", "suit", "lead", "taken")
    lines = [seat["lines"][0] for seat in member.get(path).json()["seats"]]
    assert {line[key] for line in lines for key in told} == {None}
    assert {line["hand_id"] for line in lines} == {str(hand.pk)}
    lines = [seat["lines"][0] for seat in director.get(path).json()["seats"]]
    assert all(line[key] is not None for line in lines for key in told)
    play_board(event, games[1], 1)
    close(event)
    assert member.get(path).json() == director.get(path).json()
    assert member.get(path.replace("boards/1", "boards/9")).status_code == 404
