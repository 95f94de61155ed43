"""A hand with other cards than its board is found, named and decided on (DEC-15)."""

from collections import Counter

import pytest

from scoring.games import nights
from scoring.hands.corrections import Correction, correct_hand, undo_correction
from scoring.hands.recording import judge_current_hand
from scoring.models import Game, Hand, HandVersion, State
from scoring.settlement.reporting import find_played_board
from scoring.transfer.verifying import look_at_club, look_at_games
from tests.api.asking import Asking, account_of, role_of, signed_in
from tests.scoring.club import DIRECTOR, at, enter, state_of
from tests.tournaments.events.test_boards import prepared, with_deal
from tests.tournaments.night import start
from tests.web.desk import director_of
from tests.web.test_desk_floor import tasks
from tests.web.test_desk_nights import words
from tournaments.core.deals import find_dealt_board
from tournaments.core.errors import RefusedError
from tournaments.events import events, leagues
from tournaments.events.amendments import AmendmentChoice
from tournaments.events.board_decisions import NewBoardDecision, decide_board
from tournaments.events.boards import traveller
from tournaments.models import Board, BoardVerdict, Event
from tournaments.publishing.event_inputs import read_event_inputs
from tournaments.publishing.event_standings import rank_event_inputs

pytestmark = pytest.mark.django_db
OTHER, FOULED, MISWRITTEN = (
    BoardVerdict.OTHER_BOARD,
    BoardVerdict.FOULED,
    BoardVerdict.MISWRITTEN,
)


def exchanged() -> tuple[Event, Game, Game]:
    """Two tables with two boards; the second table took them in the wrong order."""
    event = prepared(scoring={"method": "matchpoints"})
    first, second = start(event, 1)
    one, two = Board.objects.filter(event=event).order_by("number")
    for game, deals in ((first, (one, two)), (second, (two, one))):
        for taken, board in zip(([0, 4, 4, 5], [0, 0, 6, 7]), deals, strict=True):
            # The cards lie in the seats that the board names, whoever deals this hand.
            shift = (state_of(game).dealer - (board.number - 1)) % 4
            parts = board.deal.split("; ")
            deal = "; ".join([*parts[shift:], *parts[:shift]])
            hand = enter(game, with_deal(game, taken, deal)).hand
            assert hand.state == State.ACCEPTED
    return event, first, second


def decide(event: Event, game: Game, number: int, verdict: BoardVerdict) -> None:
    other = turn = None
    if verdict is OTHER:
        hand = Hand.objects.get(game=game, number=number)
        played = judge_current_hand(hand.game, hand)
        assert played is not None
        found = find_played_board(played)
        assert found is not None
        other, turn = found
    new = NewBoardDecision(
        game=game.pk, number=number, verdict=verdict, other_board=other, turn=turn or 0
    )
    decide_board(event_id=event.pk, new=new, by=DIRECTOR, at=at(5))


def desk_of(event: Event) -> Asking:
    account = account_of("director@club.example")
    role_of(account, event.club, "director")
    return signed_in(account)


def close(event: Event) -> None:
    nights.end_round(event_id=event.pk, number=1, why="Late.", by=DIRECTOR, at=at(9))


def counted(event: Event) -> Counter[tuple[object, ...]]:
    return Counter(
        (one.game, one.board, one.score is None) for one in read_event_inputs(event.pk).boards
    )


def test_holdings_are_found_on_their_board_also_turned_or_exchanged() -> None:
    deals = {1: "S2; H3; D4; C5", 2: "C6; C7; C8; C9"}
    assert find_dealt_board(deals, deals[2]) == (2, 0)
    assert find_dealt_board(deals, "D4; C5; S2; H3") == (1, 2)
    assert find_dealt_board(deals, "H3; S2; D4; C5") == (1, None)
    assert find_dealt_board(deals, "S2; H3; D4; C6") is None


def test_a_hand_with_other_cards_is_accepted_and_says_whose_they_are() -> None:
    _event, _first, second = exchanged()
    for hand, text in zip(
        Hand.objects.filter(game=second).order_by("number"),
        ("board 2, not of board 1", "board 1, not of board 2"),
        strict=True,
    ):
        played = judge_current_hand(hand.game, hand)
        assert played is not None
        said = [str(one.message) for one in played.judged.entry.diagnostics]
        assert f"these are the cards of {text}" in said


def test_a_round_is_not_closed_before_the_director_decided() -> None:
    event, _first, second = exchanged()
    with pytest.raises(RefusedError, match="hand 1 of table 2 has other cards than board 1"):
        close(event)
    decide(event, second, 1, OTHER)
    with pytest.raises(RefusedError, match="hand 2 of table 2 has other cards"):
        close(event)
    decide(event, second, 2, OTHER)
    close(event)
    assert not look_at_games([second.pk]).differences
    assert not look_at_club(event.club_id)


def test_boards_in_the_wrong_order_count_as_the_boards_they_were() -> None:
    event, first, second = exchanged()
    for number in (1, 2):
        decide(event, second, number, OTHER)
    assert counted(event) == {
        (game.pk, board, False): 4 for game in (first, second) for board in (1, 2)
    }
    for board in Board.objects.filter(event=event):
        shown = traveller(board)
        assert len(shown.seats) == 4
        for lines in shown.seats.values():
            assert {line.table for line in lines} == {1, 2}
            assert all(line.fits is not False for line in lines)
    turned = [one.seat for one in read_event_inputs(event.pk).boards if one.to_dealer == 0]
    # Each board names the seat to whom its first cards belong, at both tables the same.
    assert turned == [1, 2, 1, 2]


def test_a_fouled_hand_brings_its_table_the_assigned_score() -> None:
    event, first, second = exchanged()
    decide(event, second, 1, FOULED)
    decide(event, second, 2, MISWRITTEN)
    close(event)
    assert counted(event) == {
        (first.pk, 1, False): 4,
        (first.pk, 2, False): 4,
        (second.pk, 1, True): 4,
        (second.pk, 2, False): 4,
    }
    assert rank_event_inputs(read_event_inputs(event.pk))


def test_one_board_does_not_count_twice_for_a_table() -> None:
    event, _first, second = exchanged()
    decide(event, second, 1, MISWRITTEN)
    with pytest.raises(RefusedError, match="has played board 1 with hand 1 already"):
        decide(event, second, 2, OTHER)
    decide(event, second, 1, FOULED)
    decide(event, second, 2, OTHER)


def test_a_record_that_is_corrected_needs_no_decision() -> None:
    event, first, second = exchanged()
    for hand in Hand.objects.filter(game=second):
        right = HandVersion.objects.get(hand__game=first, hand__number=hand.number)
        change = Correction(text=bytes(right.text), why="Written on the wrong slip.")
        correct_hand(hand_id=hand.pk, correction=change, by=DIRECTOR, at=at(6))
    close(event)
    with pytest.raises(RefusedError, match="has the cards of its board"):
        decide(event, second, 1, FOULED)


def correct_cards(hand: Hand, of: Game, number: int) -> None:
    """Give a hand the record of another one, with its cards."""
    other = Hand.objects.get(game=of, number=number)
    right = HandVersion.objects.get(hand=other, number=other.current)
    change = Correction(text=bytes(right.text), why="Written on the wrong slip.")
    correct_hand(hand_id=hand.pk, correction=change, by=DIRECTOR, at=at(9))


def official(event: Event) -> Event:
    return events.publish_officially(event_id=event.pk, version=None, by=DIRECTOR, at=at(11))


def test_a_correction_after_the_round_asks_before_anything_is_official() -> None:
    """The decision was on another record: it is asked again, also for a league and an amendment."""
    event, first, second = exchanged()
    for number in (1, 2):
        decide(event, second, number, OTHER)
    close(event)
    Event.objects.filter(pk=event.pk).update(correction_hours=0)
    nights.finish_night(event_id=event.pk, version=None, by=DIRECTOR, at=at(10))
    hand = Hand.objects.get(game=second, number=1)
    director, path = director_of(event.club), f"/desk/events/{event.pk}/"
    place = f"/desk/hands/{hand.pk}/board/"
    assert place not in director.get(path).content.decode()
    correct_cards(hand, first, 2)
    with pytest.raises(RefusedError, match="hand 1 of table 2 in round 1 has other cards"):
        official(event)
    assert place in director.get(path).content.decode()
    decide(event, second, 1, FOULED)
    official(event)
    league = leagues.create_league(
        club_id=event.club_id, new={"name": "Autumn"}, by=DIRECTOR, at=at(11)
    )
    leagues.add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=at(11))
    undo_correction(
        hand_id=hand.pk, correction=Correction(why="It was right."), by=DIRECTOR, at=at(12)
    )
    with pytest.raises(RefusedError, match="has other cards than board 1"):
        leagues.close_league(league_id=league.pk, version=None, by=DIRECTOR, at=at(12))
    choice = AmendmentChoice(version=1, reason="The right cards.")
    with pytest.raises(RefusedError, match="has other cards than board 1"):
        events.confirm_amendment(event_id=event.pk, choice=choice, by=DIRECTOR, at=at(12))
    assert place in director.get(path).content.decode()
    decide(event, second, 1, OTHER)
    leagues.close_league(league_id=league.pk, version=None, by=DIRECTOR, at=at(12))


def test_a_decision_on_a_record_that_changed_meanwhile_is_refused() -> None:
    event, _first, second = exchanged()
    hand = Hand.objects.get(game=second, number=1)
    asking, path = desk_of(event), f"/api/v1/hands/{hand.pk}/board-decision"
    sent = {"verdict": "other", "reason": "Boxes mixed up."}
    stale = asking.ask("POST", path, sent, If_Match=f'"{hand.revision + 1}"')
    assert stale.status_code == 412
    answer = asking.ask("POST", path, sent, If_Match=f'"{hand.revision}"')
    assert answer.status_code == 200, answer.json()
    said = answer.json()
    assert (said["hand"], said["verdict"], said["other_board"]) == (str(hand.pk), "other", 2)
    with pytest.raises(RefusedError, match="hand 2 of table 2"):
        close(event)


def test_the_desk_has_it_as_a_task_and_decides_it() -> None:
    event, _first, second = exchanged()
    director, path = director_of(event.club), f"/desk/events/{event.pk}/"
    page = director.get(path)
    assert [one for one in tasks(page) if "slow" not in one] == ["cards 2 1", "cards 2 2"]
    assert "These are the cards of board 2, not of board 1." in words(page)
    for number in (1, 2):
        hand = Hand.objects.get(game=second, number=number)
        assert f"/desk/hands/{hand.pk}/board/" in director.get(path).content.decode()
        director.fill(f"/desk/hands/{hand.pk}/board/", verdict="other", reason="Boxes mixed up.")
    assert [one for one in tasks(director.get(path)) if "slow" not in one] == ["done"]
