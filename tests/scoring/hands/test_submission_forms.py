"""A hand in each of the three forms, through the door by which hands come in."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.live.hand import Hand
from engine.record.game_state import GameState
from engine.rules.presets import preset
from scoring.hands.corrections import Correction, correct_hand, preview_correction
from scoring.hands.recording import RecordedHand, enter_hand
from scoring.hands.submission import HandSubmission
from scoring.models import Form, Game, HandVersion, State
from scoring.settlement.plan import rules_of
from tests.engine.table import playout, seeded
from tests.examples import examples
from tests.scoring.club import DIRECTOR, at, make_club, make_game, make_rules, seat, state_of
from tests.scoring.forms import as_actions, as_record, as_result
from tests.scoring.submissions.test_records import HOUSES, TABLES
from tournaments.core.errors import RefusedError
from tournaments.core.ids import new_id

pytestmark = pytest.mark.django_db


def record(hand: Hand, number: int) -> HandSubmission:
    return HandSubmission(id=new_id(), number=number, text=as_record(hand))


def result(hand: Hand, number: int) -> HandSubmission:
    sent = json.dumps(as_result(hand)).encode()
    return HandSubmission(id=new_id(), number=number, form=Form.RESULT, sent=sent)


def actions(hand: Hand, number: int) -> HandSubmission:
    sent = json.dumps(as_actions(hand, whole=number % 2 == 0)).encode()
    return HandSubmission(id=new_id(), number=number, form=Form.ACTIONS, sent=sent)


FORMS: dict[str, Callable[[Hand, int], HandSubmission]] = {
    "record": record,
    "actions": actions,
    "result": result,
}


def send(game: Game, sent: HandSubmission) -> RecordedHand:
    return enter_hand(game_id=game.pk, sent=sent, by=seat(0), at=at(sent.number))


@pytest.mark.property
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_game_sent_so_stands_as_it_was_played(name: str, players: int, form: str) -> None:
    base, overrides = HOUSES[name]
    club = make_club()
    game = make_game(club, make_rules(club, base, overrides), players, dealer=players - 1)
    dice = seeded(f"{form} {name} {players}")
    for number in range(1, 1 + examples(8, 4)):
        before = state_of(game)
        if before.over is not None:
            break
        hand = playout(rules_of(game), before, dice)
        recorded = send(game, FORMS[form](hand, number))
        if form == "record" and recorded.hand.state == State.DISPUTED:
            assert "choice" in recorded.hand.reason
            break
        assert recorded.hand.state != State.DISPUTED, recorded.hand.reason
        assert _but_tricks(state_of(game)) == _but_tricks(hand.settle().after)


def _but_tricks(state: GameState) -> GameState:
    return replace(state, tricks=())


RESULT = {"bidder": "E", "bid": 3, "pain": "S", "taken": {"N": 5, "E": 4, "S": 4}}


def a_result(number: int = 1, **changes: Any) -> HandSubmission:
    fields = {name: value for name, value in (RESULT | changes).items() if value is not None}
    sent = json.dumps(fields).encode()
    return HandSubmission(id=new_id(), number=number, form=Form.RESULT, sent=sent)


def test_what_was_sent_is_kept_beside_the_record_made_of_it() -> None:
    game, sent = make_game(), a_result()
    hand = send(game, sent).hand
    version = HandVersion.objects.get(hand=hand)
    assert (bytes(version.sent or b""), version.form) == (sent.sent, Form.RESULT)
    assert b'[Declarer "E"]' in bytes(version.text)
    assert not send(game, sent).is_new


def test_a_completed_record_sent_again_changes_nothing() -> None:
    text = b'[Declarer "E"]\n[PainSuit "S"]\n[ScoreTable "Seat;Pain;Bid"]\n'
    text += b"N 5 0\nE 4 3\nS 4 0\nW 0 0\n"
    game, sent = make_game(), HandSubmission(id=new_id(), number=1, text=text)
    assert send(game, sent).hand.state == State.ACCEPTED
    assert not send(game, sent).is_new
    version = HandVersion.objects.get()
    assert bytes(version.sent or b"") == text
    assert bytes(version.text).endswith(text)


def test_a_second_seat_that_sends_the_same_result_says_the_same() -> None:
    game = make_game()
    send(game, a_result())
    rival = send(game, a_result()).hand
    assert rival.state == State.VOID


def test_hands_may_come_in_any_order() -> None:
    game = make_game()
    later = send(game, a_result(2, dealer="E")).hand
    assert later.reason == "It waits for hand 1."
    send(game, a_result(1))
    later.refresh_from_db()
    assert later.state == State.ACCEPTED
    assert state_of(game).hands == 2


def test_what_cannot_be_written_down_is_refused_and_nothing_is_kept() -> None:
    game = make_game()
    with pytest.raises(RefusedError) as refused:
        send(game, a_result(bidder="NE"))
    assert refused.value.field == "bidder"
    with pytest.raises(RefusedError):
        send(game, HandSubmission(id=new_id(), number=1, form=Form.RESULT, sent=b"[" * 5000))
    assert not HandVersion.objects.exists()


BLAMED: list[tuple[dict[str, Any], str]] = [
    ({"bidder": None, "bid": None}, "bidder"),
    ({"bid": None}, "bid"),
    ({"bidder": None}, "bidder"),
    ({"bid": 10**30}, "bid"),
    ({"bid": -1}, "bid"),
    ({"bid": True}, "bid"),
    ({"bid": "five"}, "bid"),
    ({"pain": None}, "pain"),
    ({"pain": "NT"}, "pain"),
    ({"pain": 3}, "pain"),
    ({"taken": None}, "taken"),
    ({"taken": {"N": 5}}, "taken"),
    ({"taken": {"N": 5, "n": 5}}, "taken"),
    ({"taken": {"X": 5}}, "taken"),
    ({"taken": {"N": 5, "E": "H2"}}, "taken"),
    ({"taken": {"N": "H2H2", "E": "-", "S": "-"}}, "taken"),
    ({"taken": {"N": "H2", "E": "-"}}, "taken"),
    ({"taken": {"N": [], "E": 4, "S": 4}}, "taken"),
    ({"taken": "5 4 4 0"}, "taken"),
    ({"taken": [5, 4, 4, 0]}, "taken"),
    ({"tricks": {"N": 5, "E": 4, "S": 4}}, "tricks"),
    ({"queen": "N"}, "queen"),
    ({"points": {"N": 5}}, "points"),
    ({"moon": "self"}, "moon"),
    ({"moon": "perhaps"}, "moon"),
    ({"ending": "rain"}, "ending"),
    ({"ending": "foot"}, "papers"),
    ({"ending": "passed out"}, "bidder"),
    ({"claim": "S"}, "claim"),
    ({"claim": "S many"}, "claim"),
    ({"papers": {"N": "G"}}, "papers"),
    ({"bought": {"N": "S3", "E": "S3"}}, "bought"),
    ({"bought": {"N": "S1"}}, "bought"),
    ({"dealer": "Q"}, "dealer"),
    ({"winner": "N"}, "winner"),
]


def test_what_is_to_blame_is_named(subtests: pytest.Subtests) -> None:
    game = make_game()
    for changes, field in BLAMED:
        with subtests.test(str(changes)):
            with pytest.raises(RefusedError) as refused:
                send(game, a_result(**changes))
            assert refused.value.field == field
            assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({}, "queen"),
        ({"queen": "N"}, "papers"),
        ({"queen": "N", "papers": {"N": 1}}, "bought"),
        ({"points": {"N": 1}}, "points"),
    ],
)
def test_a_game_for_points_asks_for_all_that_counts(changes: dict[str, Any], field: str) -> None:
    club = make_club()
    overrides = {} if field != "queen" else {"insurance": "off"}
    game = make_game(club, make_rules(club, "insurance", overrides))
    missing = {"bidder": None, "bid": None, "pain": None}
    with pytest.raises(RefusedError) as refused:
        send(game, a_result(**(missing | changes)))
    assert refused.value.field == field


def test_what_is_impossible_is_written_down_and_disputed() -> None:
    for changes in ({"taken": {"N": 9, "E": 9, "S": 9}}, {"bid": 51}, {"dealer": "S", "bid": 99}):
        hand = send(make_game(make_club(f"Club {changes}")), a_result(**changes)).hand
        assert hand.state == State.DISPUTED


def test_points_alone_are_enough_where_points_are_played_for() -> None:
    club = make_club()
    game = make_game(club, make_rules(club, "sahara"))
    fields = json.dumps({"points": {"N": 3, "E": 4, "S": 19, "W": 0}}).encode()
    hand = send(game, HandSubmission(id=new_id(), number=1, form=Form.RESULT, sent=fields)).hand
    assert hand.state == State.ACCEPTED
    assert state_of(game).totals == (3, 4, 19, 0)


def test_a_hand_that_was_not_played_moves_nothing() -> None:
    game = make_game()
    fields = json.dumps({"ending": "not played"}).encode()
    hand = send(game, HandSubmission(id=new_id(), number=1, form=Form.RESULT, sent=fields)).hand
    assert hand.state == State.NOT_PLAYED
    assert state_of(game).chips == (50,) * 4
    assert preset("bicycle") == rules_of(game)


def test_a_correction_can_be_a_result_too() -> None:
    game = make_game()
    hand = send(game, a_result()).hand
    sent = a_result(taken={"N": 4, "E": 5, "S": 4}).sent
    correction = Correction(form=Form.RESULT, sent=sent, why="a slip", revision=1)
    assert len(preview_correction(hand_id=hand.pk, correction=correction)) == 1
    correct_hand(hand_id=hand.pk, correction=correction, by=DIRECTOR, at=at(9))
    assert state_of(game).chips == (46, 42, 46, 66)
    assert bytes(HandVersion.objects.get(number=2).sent or b"") == sent
