"""Two records of one hand are compared item by item, and it is said what to ask first."""

from typing import Any, Final

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from engine.core.seats import DEFAULT_SEATS
from engine.live.hand import Hand
from engine.record.game_state import beginning
from engine.rules.presets import preset
from scoring.presentation.record_comparison import RecordComparison, compare_records
from scoring.settlement.replay import HandInput, JudgedHand, judge_entered
from scoring.submissions.reading import SubmittedRecord, read_hand
from scoring.submissions.writing import GameContext, UnclearError, from_actions, from_result
from tests.scoring.forms import as_actions, as_result, by_name
from tests.scoring.submissions.test_records import TABLES, hands, judged, table_of

NAMES: Final = {"N": "Gus", "E": "Jo", "S": "Dora", "W": "Ed"}
MIRRORED: Final = {"first only": "second only", "second only": "first only"}
RULES: Final = preset("bicycle")
TABLE: Final = GameContext(
    rules=RULES, seats=DEFAULT_SEATS[4], number=1, before=beginning(RULES, 4)
)
RESULT: Final[dict[str, Any]] = {"pain": "H", "bidder": "S", "bid": 5}


def told_in_all_forms(hand: Hand) -> list[JudgedHand]:
    """One hand as a result, with the cards that were taken, and with every card."""
    table = table_of(hand)
    found = [from_result(table, sent(hand)) for sent in (as_result, by_name)]
    found.append(from_actions(table, as_actions(hand, whole=True)))
    return [judged(hand, one) for one in found]


def judge(record: SubmittedRecord) -> JudgedHand:
    return judge_entered(RULES, beginning(RULES, 4), HandInput(number=1, record=record))


def told(taken: str = "4/0/4/5", **fields: Any) -> JudgedHand:
    """A result of one hand, with some fields told otherwise."""
    counts = dict(zip("NESW", map(int, taken.split("/")), strict=True))
    return judge(from_result(TABLE, {**RESULT, "taken": counts, **fields}))


def compare(first: JudgedHand, second: JudgedHand) -> RecordComparison:
    seats = DEFAULT_SEATS[first.before.players]
    return compare_records(first, second, seats=seats, names=NAMES)


def differing(found: RecordComparison) -> list[tuple[str, str | None, Any, Any]]:
    items = [one for one in found["items"] if one["status"] == "differs"]
    return [(one["item"], one["seat"], one["first"], one["second"]) for one in items]


def mirrored(found: RecordComparison) -> dict[str, Any]:
    """The comparison with the sides exchanged."""
    items = [
        {
            **one,
            "first": one["second"],
            "second": one["first"],
            "status": MIRRORED.get(one["status"], one["status"]),
        }
        for one in found["items"]
    ]
    fits = {"first": "second", "second": "first"}.get(found["fits"] or "")
    sides = {"first": found["second"], "second": found["first"]}
    return {**found, **sides, "items": items, "fits": fits}


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_record_differs_in_nothing_from_itself(name: str, players: int) -> None:
    for hand in hands(name, players):
        for one in told_in_all_forms(hand):
            found = compare(one, one)
            assert {item["status"] for item in found["items"]} == {"same"}
            assert found["first"] == found["second"]
            assert (found["fits"], found["question"]) == (None, None)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_one_hand_in_two_forms_contradicts_itself_in_nothing(name: str, players: int) -> None:
    for hand in hands(name, players):
        first, *others = told_in_all_forms(hand)
        for other in others:
            found = compare(first, other)
            assert not differing(found)
            assert found["first"]["held"] == found["second"]["held"]


@given(st.data())
def test_the_other_way_round_the_sides_change_places(data: st.DataObject) -> None:
    name, players = data.draw(st.sampled_from(TABLES))
    hand = data.draw(st.sampled_from(hands(name, players)))
    first = data.draw(st.sampled_from(told_in_all_forms(hand)))
    other = data.draw(st.sampled_from(hands(name, players)))
    taken = data.draw(st.dictionaries(st.sampled_from(DEFAULT_SEATS[players]), st.integers(0, 9)))
    result = as_result(other)
    if "taken" in result:
        result["taken"] = result["taken"] | taken
    try:
        second = judged(hand, from_result(table_of(hand), result))
    except UnclearError:
        reject()  # a hand of another deal need not be one that this table could tell
    assert mirrored(compare(first, second)) == compare(second, first)


def test_two_counts_that_differ_are_named_with_what_each_would_settle_to() -> None:
    found = compare(told("4/0/4/5"), told("5/0/3/5"))
    assert differing(found) == [("taken", "N", 4, 5), ("taken", "S", 4, 3)]
    assert found["in_chips"]
    assert found["first"]["gained"] == {"N": -4, "E": 18, "S": -9, "W": -5}
    assert found["second"]["gained"] == {"N": -5, "E": 18, "S": -8, "W": -5}
    assert found["first"]["winners"] == found["second"]["winners"] == ["E"]
    assert found["fits"] is None
    assert found["question"] == {
        "item": "taken",
        "seat": "S",
        "trick": None,
        "text": "Turn over the tricks of Dora and count hearts: 3 or 4?",
    }


def test_what_only_one_record_says_is_no_contradiction() -> None:
    cards = {"N": "HAKQJ", "E": "-", "S": "HT987", "W": "H65432"}
    found = compare(told("4/0/4/5"), judge(from_result(TABLE, RESULT | {"taken": cards})))
    by_status = {(one["item"], one["seat"]): one["status"] for one in found["items"]}
    assert by_status["captured", "N"] == "second only"


def test_the_pack_convicts_a_record_in_which_a_heart_is_missing() -> None:
    found = compare(told("3/0/4/5"), told("4/0/4/5"))
    assert found["fits"] == "second"
    assert (found["first"]["taken"], found["first"]["whole"]) == (12, 13)
    assert found["first"]["impossible"]
    assert found["first"]["held"] is None
    assert found["second"]["impossible"] == []


def test_the_pack_convicts_a_record_in_which_a_card_is_played_twice() -> None:
    hand = next(one for one in hands("bicycle", 4) if len(one.tricks) == 13)
    table, moves = table_of(hand), as_actions(hand, whole=False)
    play = str(moves["play"]).split()
    wrong = " ".join([*play[:-1], play[0].partition(":")[2] or play[0]])
    first = judged(hand, from_actions(table, moves))
    second = judged(hand, from_actions(table, moves | {"play": wrong}))
    found = compare(first, second)
    assert found["fits"] == "first"
    assert [one[0] for one in differing(found)][:1] == ["card"]
    assert found["question"] is not None
    assert (found["question"]["item"], found["question"]["trick"]) == ("card", 13)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"pain": "C"}, "Which suit was named: clubs or hearts?"),
        ({"bidder": "W"}, "Whose bid was the highest: that of Dora or of Ed?"),
        ({"bid": 6}, "The highest bid: 5 or 6?"),
        ({"bid": 6, "pain": "C"}, "The highest bid: 5 or 6?"),
    ],
)
def test_what_others_follow_from_is_asked_first(fields: dict[str, Any], text: str) -> None:
    found = compare(told(), told(**fields))
    assert found["question"] is not None
    assert found["question"]["text"] == text


def test_a_text_that_is_no_record_fits_nothing() -> None:
    found = compare(told(), judge(read_hand(b"nothing")))
    assert found["fits"] == "first"
    assert {one["status"] for one in found["items"]} == {"first only"}
