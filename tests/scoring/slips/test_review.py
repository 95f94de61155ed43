"""Reviewing slips: what is accepted is a result like any other, and nothing is entered twice."""

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from scoring.games import nights
from scoring.games.undo_round_start import undo_round_start
from scoring.models import Game, Hand, HandVersion, Slip, SlipState, State
from scoring.slips.codes import short_id, write_code
from scoring.slips.matching import code_of
from scoring.slips.review import (
    SlipView,
    accept_slip,
    answer_slip,
    find_slip,
    list_slips,
    put_slip_back,
    review_slip,
    set_slip_aside,
)
from tests.scoring.club import DIRECTOR, at, chip_hand, enter, seat, state_of
from tests.scoring.slips.marking import code_at, hand_in, read_in
from tests.tournaments.night import draw, make_event, make_night, play, start
from tournaments.core.errors import NotThereError, RefusedError, StaleError
from tournaments.core.ids import new_id
from tournaments.models import AuditEntry, Event
from tournaments.people import rule_sets

pytestmark = pytest.mark.django_db

HAND = {
    "bidder": "1",
    "bid": "3",
    "pain": "H",
    "taken N": "5",
    "taken E": "4",
    "taken S": "2",
    "taken W": "2",
}
JACKPOT = {"pain": "C", "taken N": "0", "taken E": "9", "taken S": "2", "taken W": "2"}


@pytest.fixture
def event() -> Event:
    event = make_night(8)
    draw(event, rounds=2)
    return event


@pytest.fixture
def games(event: Event) -> list[Game]:
    return start(event, 1)


def accept(slip: Slip, **options: Any) -> Slip:
    return accept_slip(event_id=slip.event_id, slip_id=slip.pk, by=DIRECTOR, at=at(5), **options)


def answer(slip: Slip, **changes: str | None) -> Slip:
    named = {name.replace("_", " "): value for name, value in changes.items()}
    return answer_slip(
        event_id=slip.event_id, slip_id=slip.pk, changes=named, by=DIRECTOR, at=at(5)
    )


def begin_next_round(games: list[Game]) -> None:
    """Play the first round to its end, and begin the second one."""
    table = games[0].table
    assert table is not None
    event = table.round.event
    for game in games:
        play(game, event.hands)
    nights.end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(1))
    start(event, 2)


def view(slip: Slip) -> SlipView:
    return review_slip(find_slip(slip.event, slip.pk))


def only_question(slip: Slip) -> str:
    (asked,) = view(slip).questions
    return str(asked.message)


def test_an_accepted_slip_is_a_hand_of_its_table(games: list[Game]) -> None:
    slip = accept(hand_in(games[0], 1, HAND))
    assert slip.hand is not None
    hand = Hand.objects.get(game=games[0])
    assert (slip.state, slip.hand, hand.state) == (SlipState.ACCEPTED, hand, State.ACCEPTED)
    version = HandVersion.objects.get(hand=hand)
    assert (version.source, version.form, version.by) == ("slip", "result", DIRECTOR.label)
    assert state_of(games[0]).jackpot == 1
    entry = AuditEntry.objects.get(what="slip accepted")
    assert (entry.chain, json.loads(entry.details)["hand"]) == (slip.event_id, str(hand.pk))
    assert AuditEntry.objects.get(what="hand entered").source == "slip"


def test_accepting_again_changes_nothing(games: list[Game]) -> None:
    slip = hand_in(games[0], 1, HAND)
    assert accept(slip).hand == accept(slip).hand
    assert Hand.objects.count() == 1


def test_a_slip_with_a_question_waits_for_the_answer(games: list[Game]) -> None:
    slip = hand_in(games[0], 1, HAND | {"taken W": "2|3"})
    for force in (False, True):
        with pytest.raises(RefusedError, match="2 and 3 are marked") as refused:
            accept(slip, force=force)
        assert refused.value.field == "taken W"
    assert not Hand.objects.exists()
    answer(slip, taken_W="2")
    assert view(slip).is_clean
    accept(slip)
    entry = AuditEntry.objects.get(what="slip accepted")
    assert json.loads(entry.details)["changed"] == ["taken W"]


def test_a_row_can_be_put_right_that_nobody_asked_about(games: list[Game]) -> None:
    slip = hand_in(games[0], 1, HAND)
    answer(slip, taken_N="6")
    assert "14 cards" in only_question(slip)
    answer(slip, taken_N="6", taken_E="3")
    seen = view(slip)
    assert seen.is_clean
    assert seen.interpretation is not None
    assert seen.interpretation.fields["taken"] == {"N": 6, "E": 3, "S": 2, "W": 2}


@pytest.mark.parametrize("changes", [{"taken_N": "14"}, {"taken_Q": "1"}, {"queen": "1"}])
def test_only_what_is_on_the_slip_is_an_answer(games: list[Game], changes: dict[str, str]) -> None:
    with pytest.raises(RefusedError):
        answer(hand_in(games[0], 1, HAND), **changes)


def test_a_pile_is_judged_in_order_before_any_of_it_is_accepted(games: list[Game]) -> None:
    second, first = hand_in(games[0], 2, JACKPOT), hand_in(games[0], 1, HAND)
    assert [one.slip for one in list_slips(first.event)] == [first, second]
    assert [one.is_clean for one in list_slips(first.event)] == [True, True]
    assert view(second).is_clean
    accept(first)
    accept(second)
    assert state_of(games[0]).pot == 0


def test_a_slip_waits_for_the_hand_before(games: list[Game]) -> None:
    slip = hand_in(games[0], 2, JACKPOT)
    seen = view(slip)
    assert seen.interpretation is not None
    assert seen.interpretation.is_waiting
    assert not seen.is_clean


def test_a_slip_is_not_accepted_before_the_hand_before_it(games: list[Game]) -> None:
    second = hand_in(games[0], 2, JACKPOT)
    with pytest.raises(RefusedError, match="Record hand 1 of this table first"):
        accept(second)
    first = hand_in(games[0], 1, HAND)
    assert view(second).is_clean
    with pytest.raises(RefusedError, match="Record hand 1 of this table first"):
        accept(second)
    assert not Hand.objects.exists()
    accept(first)
    assert accept(second).hand is not None


def test_a_slip_of_another_night_is_set_aside_and_put_back(event: Event, games: list[Game]) -> None:
    foreign = replace(code_at(games[0], 1), rules=1)
    slip = read_in(event, foreign, HAND)
    ids: dict[str, Any] = {"event_id": event.pk, "slip_id": slip.pk, "by": DIRECTOR, "at": at()}
    assert set_slip_aside(**ids).state == SlipState.ASIDE
    assert [one.slip.state for one in list_slips(event)] == [SlipState.ASIDE]
    back = put_slip_back(**ids)
    assert back.state == SlipState.FOREIGN
    assert back.reason == "This slip was printed for other house rules."


def test_a_slip_that_was_of_another_night_when_it_was_first_read_is_read(
    event: Event, games: list[Game]
) -> None:
    code = code_at(games[0], 1)
    for state in (SlipState.FOREIGN, SlipState.ASIDE):
        Slip.objects.all().delete()
        Slip.objects.create(event=event, code=write_code(code), state=state, read_at=at())
        slip = read_in(event, code, HAND)
        assert (slip.state, Slip.objects.count()) == (SlipState.READ, 1)
        assert view(slip).is_clean


def test_a_slip_that_says_what_a_phone_sent_confirms_it(games: list[Game]) -> None:
    game = games[0]
    first = enter(game, chip_hand(state_of(game), [5, 4, 2, 2])).hand
    slip = hand_in(game, 1, HAND)
    assert view(slip).is_clean
    assert view(slip).recorded_hand == first
    hand = accept(slip).hand
    assert hand is not None
    assert (hand.rival, hand.state) == (first, State.VOID)


def test_a_slip_that_says_otherwise_is_a_question_and_then_a_conflict(games: list[Game]) -> None:
    game = games[0]
    first = enter(game, chip_hand(state_of(game), [4, 5, 2, 2])).hand
    slip = hand_in(game, 1, HAND)
    assert "on record already" in only_question(slip)
    with pytest.raises(RefusedError) as refused:
        accept(slip)
    assert refused.value.field == "force"
    hand = accept(slip, force=True).hand
    assert hand is not None
    assert (hand.rival, hand.state) == (first, State.DISPUTED)
    assert Hand.objects.get(pk=first.pk).state == State.DISPUTED


def test_a_phone_that_comes_after_the_slip_confirms_it(games: list[Game]) -> None:
    game = games[0]
    first = accept(hand_in(game, 1, HAND)).hand
    assert first is not None
    text = HandVersion.objects.get(hand=first).text
    second = enter(game, bytes(text), number=1, by=seat(2), id_=new_id()).hand
    assert (second.rival, second.state) == (first, State.VOID)


def test_what_the_law_forbids_is_disputed_once_somebody_insists(games: list[Game]) -> None:
    slip = hand_in(games[0], 1, HAND | {"bid tens": "90"})
    assert view(slip).questions[0].rows == ()
    hand = accept(slip, force=True).hand
    assert hand is not None
    assert hand.state == State.DISPUTED


def test_the_same_slip_photographed_twice_is_one_slip(games: list[Game]) -> None:
    first = hand_in(games[0], 1, HAND | {"taken W": "2?"}, b"first")
    again = hand_in(games[0], 1, HAND, b"second")
    assert again == first
    assert Slip.objects.count() == 1
    assert view(first).is_clean
    assert bytes(Slip.objects.get().crop or b"") == b"second"
    accept(first)
    hand_in(games[0], 1, HAND)
    assert Slip.objects.get().state == SlipState.ACCEPTED


def test_what_somebody_answered_stays_when_a_slip_is_photographed_again(games: list[Game]) -> None:
    slip = hand_in(games[0], 1, HAND | {"taken W": "2?"})
    answer(slip, taken_W="2")
    hand_in(games[0], 1, HAND)
    assert Slip.objects.get().changes == {"taken W": "2"}


def test_two_slips_of_a_hand_that_differ_are_both_asked_about(games: list[Game]) -> None:
    first = hand_in(games[0], 1, HAND)
    other = hand_in(games[0], 1, HAND | {"taken N": "4", "taken E": "5"})
    for slip in (first, other):
        assert only_question(slip) == "Another slip of this hand says otherwise."
    set_slip_aside(event_id=first.event_id, slip_id=other.pk, by=DIRECTOR, at=at())
    assert view(first).is_clean


def test_two_slips_of_a_hand_that_say_the_same_are_clean(games: list[Game]) -> None:
    first = hand_in(games[0], 1, HAND)
    other = hand_in(games[0], 1, {**HAND, "taken W": ""})
    assert first != other
    assert [one.is_clean for one in list_slips(first.event)] == [True, True]
    hand = accept(first).hand
    assert hand is not None
    second = accept(other).hand
    assert second is not None
    assert (second.rival, second.state) == (hand, State.VOID)


def test_another_slip_of_a_hand_is_named_while_something_is_asked(games: list[Game]) -> None:
    slip = hand_in(games[0], 1, HAND)
    hand_in(games[0], 1, HAND | {"taken W": "", "taken N": "4|6"})
    assert only_question(slip) == "There is another slip of this hand."


def test_a_slip_of_another_night_is_known_for_it(event: Event, games: list[Game]) -> None:
    other = make_event(event.club, name="Cup", rule_set=event.rule_set)
    code = code_at(games[0], 1)
    changes: list[tuple[dict[str, Any], str]] = [
        ({"event": short_id(other.pk)}, "This slip is of another night: Cup, 2026-11-20."),
        ({"event": 7}, "This slip is of another club, or of a night that was removed."),
        ({"installation": code.installation ^ 1}, "This slip was printed by the installation"),
        (
            {"table": code.table ^ 1},
            "This slip of table 1 was printed before round 1 was drawn anew.",
        ),
        ({"rules": code.rules ^ 1}, "This slip was printed for other house rules."),
        ({"players": 3}, "This slip was printed for other house rules."),
    ]
    for changed, reason in changes:
        slip = read_in(event, replace(code, **changed), HAND)
        assert slip.state == SlipState.FOREIGN, changed
        assert str(slip.reason).startswith(reason)
        assert slip.crop is None
        with pytest.raises(RefusedError):
            accept(slip)
        with pytest.raises(RefusedError):
            answer(slip, pain="S")


def test_a_slip_of_tables_that_were_drawn_anew_is_not_entered(event: Event) -> None:
    (game, *_others) = start(event, 1)
    slip = hand_in(game, 1, HAND)
    undo_round_start(event_id=event.pk, number=1, why="Late", by=DIRECTOR, at=at())
    draw(event, rounds=2)
    assert "drawn anew" in view(slip).obstacle
    with pytest.raises(RefusedError, match="drawn anew"):
        accept(slip)


def test_a_slip_of_a_round_that_has_not_begun_waits_for_it(event: Event) -> None:
    table = event.round_rows.get(number=1).tables.get(number=1)
    code = code_of(event, rule_sets.rules_of(event.rule_set), 4, table=table, hand=1)
    slip = read_in(event, code, HAND)
    assert slip.state == SlipState.READ
    with pytest.raises(RefusedError, match="Round 1 has not begun"):
        accept(slip)
    start(event, 1)
    assert accept(slip).hand is not None


def test_table_and_hand_are_marked_on_a_blank_slip(event: Event, games: list[Game]) -> None:
    code = code_of(event, rule_sets.rules_of(event.rule_set), 4)
    slip = read_in(event, code, HAND | {"table": "2", "hand": "1"})
    assert (slip.table, slip.number) == (games[1].table, 1)
    assert accept(slip).hand == Hand.objects.get(game=games[1])


def test_a_blank_slip_belongs_to_the_round_that_is_printed_on_it(
    event: Event, games: list[Game]
) -> None:
    begin_next_round(games)
    code = code_of(event, rule_sets.rules_of(event.rule_set), 4, round_number=1)
    slip = read_in(event, code, HAND | {"table": "2", "hand": "1"})
    assert slip.table == games[1].table
    code = code_of(event, rule_sets.rules_of(event.rule_set), 4, round_number=3)
    slip = read_in(event, code, HAND | {"table": "2", "hand": "1"})
    assert view(slip).obstacle == "Round 3 has no table 2."


def test_a_blank_slip_of_no_round_is_asked_for_it(event: Event, games: list[Game]) -> None:
    code = code_of(event, rule_sets.rules_of(event.rule_set), 4)
    early = read_in(event, code, HAND | {"table": "1", "hand": "1"})
    begin_next_round(games)
    assert view(early).table == games[0].table
    slip = read_in(event, code, HAND | {"table": "2", "hand": "1"})
    (asked,) = view(slip).questions
    assert asked.message == "Say for which round this slip is."
    assert [one.value for one in asked.answers] == ["1", "2"]
    with pytest.raises(RefusedError) as refused:
        accept(slip, force=True)
    assert refused.value.field == "round"
    assert answer(slip, round="2").table == event.round_rows.get(number=2).tables.get(number=2)
    assert answer(slip, round="1").table == games[1].table
    with pytest.raises(RefusedError):
        answer(slip, round="9")


def test_units_that_are_not_marked_leave_a_table_unknown(event: Event, games: list[Game]) -> None:
    code = code_of(event, rule_sets.rules_of(event.rule_set), 4)
    slip = read_in(event, code, HAND | {"table": "1", "hand tens": "10"})
    assert view(slip).obstacle == "Say for which hand this slip is."
    assert answer(slip, hand="0").number == 10


def test_a_blank_slip_is_asked_for_its_table(event: Event, games: list[Game]) -> None:
    code = code_of(event, rule_sets.rules_of(event.rule_set), 4)
    slip = read_in(event, code, HAND | {"hand": "1"})
    with pytest.raises(RefusedError, match="for which table"):
        accept(slip)
    answer(slip, table="9")
    assert "No game is played at table 9" in view(slip).obstacle
    answer(slip, table="1")
    accept(slip)
    assert Hand.objects.filter(game=games[0]).exists()


def test_two_blank_slips_of_two_tables_are_two(event: Event, games: list[Game]) -> None:
    code = code_of(event, rule_sets.rules_of(event.rule_set), 4)
    for table in ("1", "2"):
        read_in(event, code, HAND | {"table": table, "hand": "1"})
    assert {slip.table for slip in Slip.objects.all()} == {game.table for game in games}


@pytest.mark.parametrize("place", [{"hand": "1"}, {"table": "1"}, {}])
def test_blank_slips_on_which_a_place_is_missing_are_not_one(
    event: Event, games: list[Game], place: dict[str, str]
) -> None:
    code = code_of(event, rule_sets.rules_of(event.rule_set), 4)
    for _ in range(2):
        read_in(event, code, HAND | place)
    assert Slip.objects.count() == 2


def test_a_sharper_picture_of_a_blank_slip_finds_its_place(event: Event, games: list[Game]) -> None:
    code = code_of(event, rule_sets.rules_of(event.rule_set), 4)
    slip = read_in(event, code, HAND | {"table": "1", "hand": "1?"})
    assert not slip.number
    other = hand_in(games[0], 1, HAND | {"taken N": "4", "taken E": "5"})
    assert view(other).is_clean
    assert read_in(event, code, HAND | {"table": "1", "hand": "1"}) == slip
    again = Slip.objects.get(pk=slip.pk)
    assert (again.table, again.number) == (games[0].table, 1)
    for one in (again, other):
        assert only_question(one) == "Another slip of this hand says otherwise."


def test_a_blank_slip_whose_round_begins_later_is_compared_with_others(event: Event) -> None:
    code = code_of(event, rule_sets.rules_of(event.rule_set), 4)
    slip = read_in(event, code, HAND | {"table": "1", "hand": "1"})
    assert slip.table is None
    other = hand_in(start(event, 1)[0], 1, HAND | {"taken N": "4", "taken E": "5"})
    assert only_question(other) == only_question(slip)


@pytest.mark.parametrize("players", [3, 6])
def test_a_blank_slip_for_no_table_of_the_rules_is_not_ours(
    event: Event, games: list[Game], players: int
) -> None:
    code = code_of(event, rule_sets.rules_of(event.rule_set), players)
    slip = read_in(event, code, HAND)
    assert slip.state == SlipState.FOREIGN
    assert slip.reason == "This slip was printed for other house rules."


def test_a_slip_is_set_aside_and_put_back(games: list[Game]) -> None:
    slip = hand_in(games[0], 1, HAND)
    ids: dict[str, Any] = {
        "event_id": slip.event_id,
        "slip_id": slip.pk,
        "by": DIRECTOR,
        "at": at(),
    }
    aside = set_slip_aside(**ids, why=" Spilt coffee ")
    assert (aside.state, aside.reason) == (SlipState.ASIDE, "Spilt coffee")
    with pytest.raises(RefusedError, match="set aside"):
        accept(slip)
    assert put_slip_back(**ids).state == SlipState.READ
    assert accept(slip).hand is not None
    with pytest.raises(RefusedError, match="correct its hand"):
        put_slip_back(**ids)
    assert {"slip set aside", "slip put back"} <= {
        *AuditEntry.objects.values_list("what", flat=True)
    }


def test_two_editors_do_not_overwrite_each_other(games: list[Game]) -> None:
    slip = hand_in(games[0], 1, HAND)
    answer(slip, taken_N="4")
    with pytest.raises(StaleError):
        accept(slip, revision=1)
    with pytest.raises(StaleError):
        answer_slip(
            event_id=slip.event_id,
            slip_id=slip.pk,
            changes={"pain": "S"},
            revision=1,
            by=DIRECTOR,
            at=at(),
        )


def test_a_slip_is_one_of_its_event(games: list[Game]) -> None:
    slip, other = hand_in(games[0], 1, HAND), make_event()
    with pytest.raises(NotThereError):
        accept_slip(event_id=other.pk, slip_id=slip.pk, by=DIRECTOR, at=at())
    with pytest.raises(NotThereError):
        find_slip(slip.event, UUID(int=1))
