"""What a record says, told again as a table would send it, comes to the same."""

from dataclasses import replace

import pytest

from engine.core.cards import CARD_OF_NAME, members
from engine.core.seats import Seat
from engine.live.hand import Hand
from engine.notation.reader import Reader
from engine.replay.replay import Replay, replay
from scoring.models import State
from scoring.submissions.writing import GameContext, UnclearError, from_actions, from_result
from scoring.submissions.writing.card_correction import rows, with_card, with_passed
from scoring.submissions.writing.fields_from_record import merge_result, said_moves, said_result
from tests.scoring.forms import as_actions, as_record, as_result, by_name
from tests.scoring.submissions.test_records import TABLES, hands, judged, table_of


def looked_at(hand: Hand, text: bytes) -> Replay:
    entry = next(iter(Reader(text)))
    assert entry.record is not None
    return replay(entry.record, hand.rules, hand.before)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_result_told_again_settles_alike(name: str, players: int) -> None:
    for hand in hands(name, players):
        table, settled = table_of(hand), hand.settle().after
        texts = [from_result(table, sent(hand)).text for sent in (as_result, by_name)]
        if hand.moon_adds is None:  # what the shooter chose stands in no such record
            texts.append(as_record(hand))
        for text in texts:
            said = said_result(table, looked_at(hand, text))
            again = judged(hand, from_result(table, said))
            assert again.state is not State.DISPUTED, (again.reason, said)
            assert replace(again.after, tricks=settled.tricks) == settled, said


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_result_told_over_other_forms_of_the_same_hand_changes_nothing(
    name: str, players: int
) -> None:
    for hand in hands(name, players):
        table, settled = table_of(hand), hand.settle().after
        for text in (from_result(table, by_name(hand)).text, as_record(hand)):
            told = merge_result(table, looked_at(hand, text), as_result(hand))
            again = judged(hand, from_result(table, told))
            assert again.state is not State.DISPUTED, (again.reason, told)
            assert replace(again.after, tricks=settled.tricks) == settled, told


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_moves_told_again_settle_alike(name: str, players: int) -> None:
    for hand in hands(name, players):
        table, settled = table_of(hand), hand.settle().after
        for whole in (True, False):
            text = from_actions(table, as_actions(hand, whole=whole)).text
            said = said_moves(table, looked_at(hand, text))
            assert said is not None
            again = judged(hand, from_actions(table, said))
            assert again.after == settled, said
        said = said_moves(table, looked_at(hand, as_record(hand)))
        assert said is not None
        assert judged(hand, from_actions(table, said)).after == settled


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_card_put_right_and_wrong_again_is_the_same(name: str, players: int) -> None:
    for hand in hands(name, players)[:6]:
        table = table_of(hand)
        said = said_moves(table, looked_at(hand, as_record(hand)))
        assert said is not None
        tricks = rows(table, said) if said.get("play") else []
        for number in range(0, len(tricks), 5):
            row, last = tricks[number], tricks[-1]
            for seat, card in row.cards.items():
                other = next(iter(last.cards.values()))
                changed = with_card(table, said, (number, seat), other)
                assert rows(table, changed)[number].cards[seat] == other
                back = with_card(table, changed, (number, seat), card)
                assert rows(table, back) == tricks


def game_of_hearts() -> tuple[GameContext, Hand]:
    hand = next(one for one in hands("standard", 4) if one.passes)
    return table_of(hand), hand


def test_one_card_is_put_in_its_place_and_the_others_stay_with_their_seats() -> None:
    table, _ = game_of_hearts()
    moves = {"play": "N:C2 C5 CK CA HA H3 H4 H5 N:D2 D3 D4 D5"}
    changed = with_card(table, moves, (0, Seat(1)), CARD_OF_NAME["H4"])
    # West, who led trick 2, still does: they won trick 1. C5 stands where H4 stood.
    assert changed["play"] == "N:C2 H4 CK CA HA H3 C5 H5 N:D2 D3 D4 D5"
    taken = with_card(table, moves, (0, Seat(2)), CARD_OF_NAME["CA"])
    # South wins trick 1 now, and leads trick 2; who led trick 3 is written.
    assert taken["play"] == "N:C2 C5 CA CK H5 HA H3 H4 N:D2 D3 D4 D5"


def test_a_card_that_is_not_there_is_refused() -> None:
    table, _ = game_of_hearts()
    with pytest.raises(UnclearError):
        with_card(table, {"play": "N:C2 C5"}, (0, Seat(3)), CARD_OF_NAME["H4"])
    with pytest.raises(UnclearError):
        with_card(table, {"play": "N:C2 C5"}, (7, Seat(0)), CARD_OF_NAME["H4"])
    with pytest.raises(UnclearError):
        with_passed(table, {}, Seat(0), (CARD_OF_NAME["H4"], CARD_OF_NAME["H5"]))


def test_a_passed_card_is_put_right() -> None:
    table, hand = game_of_hearts()
    moves = as_actions(hand)
    mine, theirs = (dict(moves["pass"])[seat] for seat in ("N", "E"))
    assert isinstance(mine, str)
    first = next(one for one in hand.passes if one.seat == 0)
    second = next(one for one in hand.passes if one.seat == 1)
    old = next(members(first.cards))
    other = next(members(second.cards))
    changed = with_passed(table, moves, Seat(0), (old, other))
    assert changed["pass"]["N"] != mine
    assert changed["pass"]["E"] != theirs
    back = with_passed(table, changed, Seat(0), (other, old))
    assert back["pass"] == {**moves["pass"]}


def test_what_no_moves_can_tell_has_none() -> None:
    hand = next(one for one in hands("bicycle", 4) if len(one.tricks) == 13)
    text = as_record(hand).decode()
    head, play = text.split("[PlayTable", 1)
    line, first, rest = play.split("\n", 2)
    marked = f"{head}[PlayTable{line}\n^R{first}\n{rest}".encode()
    assert said_moves(table_of(hand), looked_at(hand, marked)) is None
    assert said_result(table_of(hand), looked_at(hand, marked))["taken"]
