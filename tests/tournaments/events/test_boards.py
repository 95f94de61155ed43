"""Prepared deals: every table plays the same, and each seat is compared with the same elsewhere."""

from fractions import Fraction
from typing import Any

import pytest

from engine.core.cards import CardSet, Suit, show, suit_ranks
from engine.core.seats import DEFAULT_SEATS, Seat
from engine.rules.presets import preset
from scoring.hands.corrections import Correction, correct_hand
from scoring.models import Game, HandVersion
from scoring.settlement.plan import state_before
from scoring.transfer.verifying import look_at_games
from tests.api.asking import account_of, role_of, signed_in
from tests.scoring.club import DIRECTOR, at, chip_hand, enter, state_of
from tests.tournaments.night import draw, make_night, start
from tournaments.core.deals import deal_board, read_deal
from tournaments.core.errors import RefusedError
from tournaments.events import boards
from tournaments.events.boards import Preparation
from tournaments.models import Board, Event, Result, Round
from tournaments.publishing.event_inputs import read_event_inputs
from tournaments.publishing.event_standings import rank_event_inputs

pytestmark = pytest.mark.django_db
SEATS = DEFAULT_SEATS[4]


def prepared(players: int = 8, records: str = "", **fields: Any) -> Event:
    event = make_night(players, duplicate=True, rounds=1, **fields)
    preparation = Preparation(records=records)
    boards.prepare_boards(event_id=event.pk, preparation=preparation, by=DIRECTOR, at=at())
    draw(event)
    return event


def with_deal(game: Game, taken: list[int], deal: str) -> bytes:
    """A result together with the cards that were dealt."""
    state = state_of(game)
    held = read_deal(deal, state.dealer)
    rows = "\n".join(
        f"{SEATS[seat]} {' '.join(_suits(int(cards)))}" for seat, cards in enumerate(held)
    )
    text = chip_hand(state, taken).decode().replace('[Detail "score"]\n', "")
    return f'{text}[DealTable "Seat;S;H;D;C"]\n{rows}\n'.encode()


def _suits(cards: int) -> list[str]:
    return [suit_ranks(CardSet(cards), suit) or "-" for suit in reversed(Suit)]


def test_a_seed_makes_the_same_deals_everywhere() -> None:
    event = prepared()
    deals = list(
        Board.objects.filter(event=event).order_by("number").values_list("deal", flat=True)
    )
    assert len(set(deals)) == 2
    boards.prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    again = Board.objects.filter(event=event).order_by("number")
    assert deals == list(again.values_list("deal", flat=True))
    held = read_deal(deals[0], Seat(0))
    assert sorted(cards.bit_count() for cards in held) == [13] * 4
    assert len("".join(show(cards) for cards in held)) == 52 + sum(
        sum(letter in "SHDC" for letter in show(cards)) for cards in held
    )


def test_a_seat_is_compared_with_the_same_seat_elsewhere() -> None:
    event = prepared()
    first, second = start(event, 1)
    enter(first, chip_hand(state_of(first), [13, 0, 0, 0]))
    enter(second, chip_hand(state_of(second), [0, 13, 0, 0]))
    found = boards.traveller(Board.objects.get(event=event, number=1))
    scores = {(line.game, seat): line for seat, lines in found.seats.items() for line in lines}
    for seat in range(4):
        one, other = scores[first.pk, seat], scores[second.pk, seat]
        assert one.points is not None
        assert other.points is not None
        assert one.points + other.points == 2
        assert (one.points > other.points) == (one.score > other.score)
        assert one.datum == one.score - other.score


def test_a_table_that_played_other_cards_is_found_and_compared_with_nobody() -> None:
    event = prepared()
    first, second = start(event, 1)
    right, wrong = Board.objects.filter(event=event).order_by("number")
    enter(first, with_deal(first, [13, 0, 0, 0], right.deal))
    enter(second, with_deal(second, [0, 13, 0, 0], wrong.deal))
    assert fits(first) == {True}
    assert fits(second) == {False}
    found = boards.traveller(right)
    lines = [line for line in found.seats[0] if line.game == second.pk]
    assert [line.points for line in lines] == [None]


def fits(game: Game) -> set[bool | None]:
    return set(Result.objects.filter(game=game.pk).values_list("fits", flat=True))


def test_deals_come_from_a_file_of_records() -> None:
    source = prepared()
    (game, _) = start(source, 1)
    one, other = Board.objects.filter(event=source).order_by("number")
    text = "\n".join(with_deal(game, [13, 0, 0, 0], board.deal).decode() for board in (one, other))
    event = prepared(records=text)
    found = Board.objects.filter(event=event).order_by("number").values_list("deal", flat=True)
    assert list(found) == [one.deal, other.deal]


def test_a_file_with_too_few_deals_says_how_many_are_needed() -> None:
    with pytest.raises(RefusedError, match="2 deals are needed; the file has 0"):
        prepared(records='[Event "A"]\n')


def test_matchpoints_rank_the_event() -> None:
    event = prepared(scoring={"method": "matchpoints"})
    first, second = start(event, 1)
    enter(first, chip_hand(state_of(first), [13, 0, 0, 0]))
    enter(second, chip_hand(state_of(second), [0, 13, 0, 0]))
    standings: Any = rank_event_inputs(read_event_inputs(event.pk))
    assert len(standings["rows"]) == 8
    assert sum(Fraction(row["total"]) for row in standings["rows"]) == 8


def test_nobody_else_sees_cards_that_other_tables_have_still_to_play() -> None:
    event = prepared()
    first, _ = start(event, 1)
    board = Board.objects.get(event=event, number=1)
    hand = enter(first, with_deal(first, [13, 0, 0, 0], board.deal)).hand
    asked = f"/api/v1/hands/{hand.pk}"
    people = {kind: account_of(f"{kind}@club.example") for kind in ("player", "director")}
    for kind, account in people.items():
        role_of(account, event.club, kind)
    player, director = (signed_in(people[kind]) for kind in ("player", "director"))
    assert director.get(f"{asked}/record").status_code == 200
    assert player.get(f"{asked}/record").status_code == 403
    assert "DealTable" in director.get(f"{asked}/versions").json()["versions"][0]["text"]
    assert "DealTable" not in str(player.get(f"{asked}/versions").json()["versions"][0]["text"])
    Round.objects.filter(event=event).update(stage="closed")
    assert player.get(f"{asked}/record").status_code == 200


def dealt_there(players: int = 12, **wanted: Any) -> Event:
    """A night whose boards are dealt at a table."""
    event = make_night(players, duplicate=True, rounds=1)
    preparation = Preparation(**({"table": 1} | wanted))
    boards.prepare_boards(event_id=event.pk, preparation=preparation, by=DIRECTOR, at=at())
    draw(event)
    return event


def deals(count: int) -> list[str]:
    return [
        deal_board(preset("bicycle"), 4, f"some deal {number}".encode()) for number in range(count)
    ]


def compared(event: Event, number: int = 1) -> dict[int, bool | None]:
    """By table, whether it played the cards of a board."""
    found = boards.traveller(Board.objects.get(event=event, number=number))
    return {line.table: line.fits for lines in found.seats.values() for line in lines}


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_the_record_of_a_table_tells_the_deal_whenever_it_comes(order: tuple[int, ...]) -> None:
    event = dealt_there()
    right, wrong = deals(2)
    played = [right, right, wrong]
    games = start(event, 1)
    for place in order:
        enter(games[place], with_deal(games[place], [13, 0, 0, 0], played[place]))
    (board,) = boards.with_deals(Board.objects.filter(event=event, number=1))
    assert (board.deal, board.source, board.source_table) == (right, "table", 1)
    assert compared(event) == {1: True, 2: True, 3: False}
    counted = {one.game for one in read_event_inputs(event.pk).boards}
    assert counted == {games[0].pk, games[1].pk}


def test_until_that_table_tells_its_cards_nobody_is_left_out() -> None:
    event = dealt_there()
    games = start(event, 1)
    enter(games[0], chip_hand(state_of(games[0]), [13, 0, 0, 0]))
    enter(games[1], with_deal(games[1], [13, 0, 0, 0], deals(1)[0]))
    (board, later) = boards.with_deals(Board.objects.filter(event=event).order_by("number"))
    assert (board.deal, later.deal) == ("", "")
    assert compared(event) == {1: None, 2: None}
    assert {one.game for one in read_event_inputs(event.pk).boards} == {games[0].pk, games[1].pk}


def test_a_corrected_record_of_that_table_corrects_the_deal() -> None:
    event = dealt_there(8)
    wrong, right = deals(2)
    games = start(event, 1)
    hand = enter(games[0], with_deal(games[0], [13, 0, 0, 0], wrong)).hand
    enter(games[1], with_deal(games[1], [0, 13, 0, 0], right))
    assert compared(event) == {1: True, 2: False}
    text = with_deal_of(games[0], right)
    correct_hand(
        hand_id=hand.pk,
        correction=Correction(text=text, why="The cards were typed wrong."),
        by=DIRECTOR,
        at=at(9),
    )
    assert compared(event) == {1: True, 2: True}
    assert not look_at_games([games[0].pk, games[1].pk]).differences


def with_deal_of(game: Game, deal: str) -> bytes:
    """The first hand of a game with other cards."""
    text = bytes(HandVersion.objects.get(hand__game=game).text).decode()
    head = text.split("[DealTable")[0]
    rows = "\n".join(
        f"{SEATS[seat]} {' '.join(_suits(int(cards)))}"
        for seat, cards in enumerate(read_deal(deal, state_before(game, 1).dealer))
    )
    return f'{head}[DealTable "Seat;S;H;D;C"]\n{rows}\n'.encode()


def test_only_the_boards_of_a_round_may_come_from_a_table() -> None:
    event = make_night(8, duplicate=True, rounds=2)
    for wanted in (Preparation(), Preparation(table=2, round=2)):
        boards.prepare_boards(event_id=event.pk, preparation=wanted, by=DIRECTOR, at=at())
    rows = Board.objects.filter(event=event).order_by("number")
    assert [row.source_table for row in rows] == [None, None, 2, 2]
    assert [bool(row.deal) for row in rows] == [True, True, False, False]


@pytest.mark.parametrize(
    ("wanted", "field"),
    [({"round": 3}, "round"), ({"records": "[Event]"}, "table"), ({"table": 3}, "table")],
)
def test_a_table_that_cannot_tell_the_deals_is_refused(wanted: Any, field: str) -> None:
    event = make_night(8, duplicate=True, rounds=2)
    draw(event)
    start(event, 1)
    preparation = Preparation(**({"table": 1} | wanted))
    with pytest.raises(RefusedError) as refused:
        boards.prepare_boards(event_id=event.pk, preparation=preparation, by=DIRECTOR, at=at())
    assert refused.value.field == field


def test_cards_that_a_table_tells_are_shown_to_nobody_who_has_still_to_play_them() -> None:
    event = dealt_there(8)
    games = start(event, 1)
    (deal,) = deals(1)
    hand = enter(games[0], with_deal(games[0], [13, 0, 0, 0], deal)).hand
    account = account_of("player@club.example")
    role_of(account, event.club, "player")
    player = signed_in(account)
    path = f"/api/v1/events/{event.pk}/boards"
    told = player.get(path).json()["items"][0]
    assert (told["deal"], told["source"], told["table"]) == (None, "table", 1)
    assert player.get(f"{path}/1").json()["board"]["deal"] is None
    assert player.get(f"/api/v1/hands/{hand.pk}/record").status_code == 403
    Round.objects.filter(event=event).update(stage="closed")
    assert player.get(path).json()["items"][0]["deal"] == deal
