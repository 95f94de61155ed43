"""What a table sends becomes a record that settles as the hand was played."""

from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path

import pytest

from engine.core.faults import Severity
from engine.core.seats import DEFAULT_SEATS, Seat
from engine.live.hand import Hand, Phase
from engine.record.game_state import beginning
from engine.rules.presets import PRESETS, preset
from engine.rules.rules import Rules, change
from engine.rules.switches import BidOrder
from scoring.models import State
from scoring.settlement.replay import HandInput, JudgedHand, judge_entered
from scoring.submissions.reading import SubmittedRecord
from scoring.submissions.writing import GameContext, UnclearError, from_actions, from_result
from tests.engine.table import playouts, seeded
from tests.scoring.forms import as_actions, as_result, by_name

HOUSES = {
    **{name: (name, {}) for name in PRESETS},
    "choice": ("standard", {"moon": "shooter_choice"}),
    "self": ("insurance", {"moon": "subtract_from_self", "bid_points_on_moon": "waive"}),
    "hearts": ("hoyle_auction", {"all_pass": "play_hearts"}),
    "eldest": ("bicycle", {"all_pass": "eldest_pays_min"}),
    "debt": ("bicycle", {"insolvency": "debt", "starting_chips": "9"}),
}
TABLES = [
    (name, players)
    for name, (base, _) in HOUSES.items()
    for players in range(preset(base).players.least, preset(base).players.most + 1)
]


def house(name: str) -> Rules:
    base, overrides = HOUSES[name]
    return change(preset(base), overrides)


def table_of(hand: Hand, number: int = 1) -> GameContext:
    return GameContext(
        rules=hand.rules, seats=DEFAULT_SEATS[hand.players], number=number, before=hand.before
    )


def judged(hand: Hand, record: SubmittedRecord) -> JudgedHand:
    given = HandInput(number=1, record=record)
    return judge_entered(hand.rules, hand.before, given)


@cache
def hands(name: str, players: int, *, is_rising: bool = False) -> tuple[Hand, ...]:
    """Hands that were played by chance; with ``is_rising`` nobody bids less than before."""
    dice, rules = seeded(f"{name} {players}"), house(name)
    if is_rising and rules.bid_order is not BidOrder.ASCENDING:
        rules = change(rules, {"bid_order": "ascending"})
    games = [playouts(rules, players, dice, 8) for _ in range(3)]
    return tuple(chain.from_iterable(games))


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_result_settles_as_the_hand_was_played(name: str, players: int) -> None:
    for hand in hands(name, players):
        settled = hand.settle().after
        record = from_result(table_of(hand), as_result(hand))
        played = judged(hand, record)
        assert played.state is not State.DISPUTED, (played.reason, record.text.decode())
        assert replace(played.after, tricks=settled.tricks) == settled, record.text.decode()
        named = judged(hand, from_result(table_of(hand), by_name(hand)))
        assert named.state is played.state, named.reason
        assert named.after == settled


@pytest.mark.parametrize("whole", [True, False], ids=["everything", "only the play"])
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_moves_settle_as_the_hand_was_played(name: str, players: int, whole: bool) -> None:
    for hand in hands(name, players):
        record = from_actions(table_of(hand), as_actions(hand, whole=whole))
        played = judged(hand, record)
        assert played.state is not State.DISPUTED, (played.reason, record.text.decode())
        assert played.after == hand.settle().after, record.text.decode()
        assert played.result is not None
        assert not [fault for fault in played.result.faults if fault.severity is not Severity.INFO]


def digest_of_texts(name: str, players: int) -> str:
    """The digest of all that a table's hands are in the books, sent in every form."""
    texts = sha256()
    for number, hand in enumerate(hands(name, players, is_rising=True), 1):
        table, moves = replace(table_of(hand, number), rules=house(name)), as_actions(hand)
        for sent in (as_result(hand), by_name(hand)):
            texts.update(from_result(table, sent).text)
        for part in (moves, as_actions(hand, whole=False), as_actions(hand.undo())):
            texts.update(from_actions(table, part).text)
    return texts.hexdigest()


def test_the_texts_in_the_books_are_those_that_0_1_0_wrote() -> None:
    golden = (Path(__file__).parents[1] / "golden" / "submissions-0.1.0.txt").read_text()
    found = [f"{name} {players} {digest_of_texts(name, players)}" for name, players in TABLES]
    assert found == golden.splitlines()


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_hand_in_progress_is_a_draft_at_every_moment(name: str, players: int) -> None:
    for hand in hands(name, players)[:4]:
        moment: Hand | None = hand
        while moment is not None:
            moment = moment.undo() if moment.previous is not None else None
            if moment is None or moment.phase in (Phase.DONE, Phase.MOON):
                continue
            record = from_actions(table_of(hand), as_actions(moment))
            played = judged(hand, record)
            assert played.state is State.DRAFT, (played.reason, record.text.decode())
            assert played.after == hand.before


def test_a_hand_that_came_too_early_can_say_who_dealt() -> None:
    table = GameContext(rules=preset("bicycle"), seats=DEFAULT_SEATS[4], number=5)
    result = {"dealer": "W", "bidder": "N", "bid": 2, "pain": "H", "taken": {"N": 13}}
    assert b'[Dealer "W"]' in from_result(table, result).text


def moves(**sent: str) -> bytes:
    rules = preset("bicycle")
    before = beginning(rules, 4, Seat(3))
    table = GameContext(rules=rules, seats=DEFAULT_SEATS[4], number=1, before=before)
    return from_actions(table, sent).text


def test_a_lead_out_of_turn_is_marked_at_its_seat() -> None:
    text = moves(calls="3 Pass Pass Pass", pain="S", play="N:C2 C5 CK CA E:H2 H3 H4 H5 D2")
    rows = text.decode().split('[PlayTable "N;E;S;W"]\n')[1].splitlines()
    assert rows == ["C2 C5 CK CA", "H5 ^LH2 H3 H4", "D2 - - -"]


def test_the_highest_bid_stands_for_calls_that_nobody_told() -> None:
    text = moves(bidder="E", bid="3", pain="S", play="E:C2 C5 CK CA").decode()
    assert "AuctionTable" not in text
    assert '[Declarer "E"]' in text
    assert '[ScoreTable "Seat;Bid"]\nN 0\nE 3\nS 0\nW 0\n' in text


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"bidder": "E", "pain": "S", "play": "E:C2"}, "bid"),
        ({"bid": "3", "pain": "S", "play": "E:C2"}, "bidder"),
        ({"calls": "3 Pass Pass Pass", "bidder": "N", "bid": "3", "play": "N:C2"}, "bidder"),
        ({"play": "C2 C55"}, "play"),
        ({"play": "C2 N:"}, "play"),
        ({"play": "C2 C3 C4 C5 N:H2"}, "play"),
        ({"play": "N:C2 S:C3"}, "play"),
        ({"play": "Q:C2"}, "play"),
        ({"calls": "three"}, "calls"),
        ({"deal": "N:A.K.Q.J - -"}, "deal"),
        ({"deal": "N:A.K.Q.J A - -"}, "deal"),
        ({"deal": "X:- - - -"}, "deal"),
        ({"deal": "N:AA.K.Q.J - - -"}, "deal"),
        ({"centre": "H1"}, "centre"),
        ({"direction": "up", "pass": "N:H2H3H4", "play": "N:C2"}, "direction"),
        ({"direction": "up", "play": "N:C2"}, "direction"),
        ({"pass": "H2H3H4"}, "pass"),
        ({"bids": "N:S3/3/HA/HK"}, "bids"),
        ({"took": "N:S"}, "took"),
        ({"papers": "N:7X"}, "papers"),
        ({"claim": "N S W"}, "claim"),
        ({"moon": "self"}, "moon"),
        ({"ending": "soon"}, "ending"),
        ({"moves": "all"}, "moves"),
    ],
)
def test_a_move_that_cannot_be_read_is_named(sent: dict[str, str], field: str) -> None:
    with pytest.raises(UnclearError) as unclear:
        moves(**sent)
    assert unclear.value.field == field


@pytest.mark.parametrize(
    ("sent", "field"),
    [({"calls": "3 Pass Pass Pass"}, "dealer"), ({"pass": "N:H2H3H4"}, "direction")],
)
def test_what_an_earlier_hand_would_tell_must_be_said(sent: dict[str, str], field: str) -> None:
    table = GameContext(rules=preset("standard"), seats=DEFAULT_SEATS[4], number=9)
    with pytest.raises(UnclearError) as unclear:
        from_actions(table, sent | {"play": "N:C2"})
    assert unclear.value.field == field


def test_nobody_can_tell_who_led_a_club_without_the_deal() -> None:
    rules = preset("standard")
    table = GameContext(rules=rules, seats=DEFAULT_SEATS[4], number=1, before=beginning(rules, 4))
    with pytest.raises(UnclearError, match="who led first"):
        from_actions(table, {"play": "C2 C3 C4 C5"})


def test_insurance_and_centre_must_be_told_when_a_hand_is_over() -> None:
    hand = hands("insurance", 4)[0]
    for missing, field in (("papers", "papers"), ("bought", "bids")):
        sent = as_actions(hand, whole=False)
        del sent[missing]
        with pytest.raises(UnclearError) as unclear:
            from_actions(table_of(hand), sent)
        assert unclear.value.field == field


def test_a_result_says_who_took_how_many_tricks_where_most_of_them_win() -> None:
    rules = change(preset("bicycle"), {"winner": "tricks"})
    table = GameContext(rules=rules, seats=DEFAULT_SEATS[4], number=1, before=beginning(rules, 4))
    result: dict[str, object] = {"bidder": "E", "bid": 1, "pain": "H"}
    counts = dict(zip("NESW", (13, 0, 0, 0), strict=True))
    for taken in (counts, dict(zip("NESW", ("-", "-", "-", "23456789TJQKAH"), strict=True))):
        with pytest.raises(UnclearError, match="most tricks wins") as caught:
            from_result(table, result | {"taken": taken})
        assert caught.value.field == "tricks"
    tricks = {"tricks": dict(zip("NESW", (6, 4, 2, 1), strict=True))}
    assert b"\nN 6 HAKQJT98765432\n" in from_result(table, result | {"taken": counts} | tricks).text
    for told in ({"claim": "N 0"}, {"points": counts} | tricks):
        with pytest.raises(UnclearError, match="most tricks wins") as caught:
            from_result(table, result | {"taken": counts} | told)
        assert caught.value.field == "tricks"


@pytest.mark.parametrize("claim", [{}, {"claim": "N 0"}])
def test_the_tricks_of_a_result_count_in_the_game(claim: dict[str, object]) -> None:
    rules = change(preset("bicycle"), {"winner": "tricks"})
    before = beginning(rules, 4)
    table = GameContext(rules=rules, seats=DEFAULT_SEATS[4], number=1, before=before)
    counts = dict(zip("NESW", (13, 0, 0, 0), strict=True))
    result = {"bidder": "E", "bid": 1, "pain": "H", "taken": counts, "tricks": counts}
    record = from_result(table, result | claim)
    hand = judge_entered(rules, before, HandInput(number=1, record=record))
    assert hand.after is not None
    assert hand.after.tricks == (13, 0, 0, 0)


@pytest.mark.parametrize("tricks", [(6, 4, 2, 0), (6, 4, 2, 2), (13, 1, 0, 0)])
def test_a_result_with_more_or_fewer_tricks_than_the_hand_has_is_refused(
    tricks: tuple[int, ...],
) -> None:
    rules = change(preset("bicycle"), {"winner": "tricks"})
    table = GameContext(rules=rules, seats=DEFAULT_SEATS[4], number=1, before=beginning(rules, 4))
    taken = dict(zip("NESW", (13, 0, 0, 0), strict=True))
    told = dict(zip("NESW", tricks, strict=True))
    result = {"bidder": "E", "bid": 1, "pain": "H", "taken": taken, "tricks": told}
    with pytest.raises(UnclearError, match=r"A hand has 13 tricks here, and these are 1[24]") as no:
        from_result(table, result)
    assert no.value.field == "tricks"
