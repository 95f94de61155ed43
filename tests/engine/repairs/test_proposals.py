"""Section 8 of rules.md, row by row: every event can be named, and has the law's default first."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.core.cards import QUEEN_SET, SUIT_CARDS, Suit, card_set
from engine.core.faults import Code, Severity
from engine.core.seats import Seat
from engine.games.game import HandResult, judge_hand
from engine.games.proposals import proposals, proposals_for
from engine.record.irregularities import IRREGULARITIES, Event, covers, event_of, find_by_name
from engine.record.record import HandRecord, RulingRow
from engine.record.rulings import Decision, Ruling, RulingError
from engine.rules.presets import BICYCLE, HOYLE_HEARTS, SAHARA, STANDARD
from engine.rules.rules import Rules
from tests.engine.table import playouts, record_of, seeded

D, N, E = Decision, Seat(0), Seat(1)
TABLE = {
    "REVOKE": D.REVOKE_LAW,
    "REVOKE_CORRECTED": D.CARD_CORRECTED,
    "FORBIDDEN_CARD": D.RESULT_STANDS,
    "LEAD_OUT_OF_TURN": D.RESULT_STANDS,
    "PLAY_OUT_OF_TURN": D.RESULT_STANDS,
    "EXPOSED_CARD": D.RESULT_STANDS,
    "MISSED_TRICK": D.ASSIGNED_CAPTURES,
    "SHORT_HAND": D.ASSIGNED_CAPTURES,
    "MISDEAL": D.VOID_REDEAL,
    "WRONG_PASS": D.RESULT_STANDS,
    "BID_OUT_OF_TURN": D.RESULT_STANDS,
    "SECOND_BID": D.RESULT_STANDS,
    "OVER_STACK": D.RESULT_STANDS,
    "SUIT_TOO_EARLY": D.RESULT_STANDS,
    "BAD_PAPER": D.RESULT_STANDS,
    "BAD_BID": D.RESULT_STANDS,
    "BAD_FOOT": D.RESULT_STANDS,
    "BAD_CLAIM": D.RESULT_STANDS,
    "INSPECT_TRICK": D.WARNING,
    "MISCOUNT": D.CHIP_ADJUST,
    "MISPAY": D.CHIP_ADJUST,
    "PROCEDURE": D.WARNING,
}


def a_hand(rules: Rules, seed: int = 3, **changes: object) -> tuple[HandRecord, HandResult]:
    hand = playouts(rules, 4, seeded(seed), 1)[0]
    # The names of the fields come as text, so that no type can be told of them here.
    record = replace(record_of(hand), **changes)  # type: ignore[arg-type]
    return record, judge_hand(rules, hand.before, record)


def test_the_table_has_every_row_of_section_8() -> None:
    assert [event.name for event in Event] == list(TABLE) == [one.name for one in IRREGULARITIES]
    for row in IRREGULARITIES.values():
        assert row.title
        assert row.law
        assert row.proposal


@pytest.mark.parametrize("name", TABLE)
def test_each_event_is_named_and_its_default_can_be_decided(name: str) -> None:
    what = find_by_name(name.lower().replace("_", "-"))
    assert what is not None
    assert event_of(what) is Event[name]
    record, result = a_hand(BICYCLE)
    offered = proposals_for(what, result.replay, [E])
    assert offered[0].decision is TABLE[name]
    assert offered[0].code is what
    for ruling in offered:
        ruled = judge_hand(BICYCLE, result.replay.before, record, [ruling])
        assert sum(ruled.after.chips) + ruled.after.pot == 200
    assert len({one.decision for one in offered}) == len(offered)


def test_points_are_adjusted_where_no_chips_are_played_for() -> None:
    _, result = a_hand(SAHARA)
    assert proposals_for(Event.MISCOUNT, result.replay)[0].decision is D.SCORE_ADJUST


def test_the_revoke_law_by_system() -> None:
    for rules, due in ((STANDARD, (0, 26, 0, 0)), (HOYLE_HEARTS, (0, 13, 0, 0))):
        record, result = a_hand(rules)
        ruling = proposals_for(Code.REVOKE, result.replay, [E])[0]
        ruled = judge_hand(rules, result.replay.before, record, [ruling])
        assert ruled.settlement is not None
        assert ruled.settlement.score is not None
        assert ruled.settlement.score.points == due
        with pytest.raises(RulingError, match="offender"):
            proposals_for(Event.REVOKE, result.replay)


def test_what_was_noticed_in_time_is_put_right() -> None:
    _, result = a_hand(STANDARD)
    for event in (Event.REVOKE, Event.FORBIDDEN_CARD, Event.LEAD_OUT_OF_TURN):
        assert proposals_for(event, result.replay, in_time=True)[0].decision is D.CARD_CORRECTED
    assert proposals_for(Event.PROCEDURE, result.replay, in_time=True)[0].decision is D.WARNING


@given(st.integers(0, 60), st.sampled_from([BICYCLE, STANDARD]), st.integers(0, 3))
def test_who_was_a_card_short_takes_the_last_trick(seed: int, rules: Rules, seat: int) -> None:
    _, result = a_hand(rules, seed)
    judged, facts = result.replay, result.facts
    assume(judged.tricks)  # not passed out
    last = judged.tricks[-1]
    suit = SUIT_CARDS[Suit.HEARTS if facts.pain is None else facts.pain]
    pain = sum(bool(suit & 1 << card) for card in last.cards)
    due = list(facts.taken)
    due[last.winner] -= pain
    due[seat] += pain
    ruling = proposals_for(Event.MISSED_TRICK, judged, [Seat(seat)])[0]
    assert ruling.taken == tuple(due)
    if rules is STANDARD:
        lies_there = any(QUEEN_SET & 1 << card for card in last.cards)
        assert ruling.queen == (seat if lies_there else facts.queen)


def test_a_card_that_was_not_played_to_its_trick_counts_in_the_last() -> None:
    record, _ = a_hand(STANDARD, 5)
    play, columns = list(record.play or ()), record.columns or ()
    place = next(at for at in range(20, 48) if SUIT_CARDS[Suit.HEARTS] & 1 << (play[at] or 0))
    seat, card = columns[place % 4], play[place]
    play[place] = None
    _, result = a_hand(STANDARD, 5, play=tuple(play))
    assert result.replay.settles
    ruling = proposals_for(Event.SHORT_HAND, result.replay, [seat])[0]
    others = [n for n in range(4) if n != seat]
    moved = {*result.replay.tricks[-1].cards, card}
    hearts = SUIT_CARDS[Suit.HEARTS] & ~card_set(one for one in moved if one is not None)
    taken = result.replay.taken or ()
    assert sum(ruling.taken[n] for n in others) == sum(
        (taken[n] & hearts).bit_count() for n in others
    )


def test_who_was_short_has_to_be_said_and_only_captures_that_are_known_are_assigned() -> None:
    record, result = a_hand(BICYCLE)
    with pytest.raises(RulingError, match="one player"):
        proposals_for(Event.SHORT_HAND, result.replay, [N, E])
    bare = judge_hand(BICYCLE, result.replay.before, replace(record, play=None))
    assert proposals_for(Event.SHORT_HAND, bare.replay, [E])[0].decision is D.RESULT_STANDS


def test_a_fault_that_section_8_does_not_know_has_no_law() -> None:
    _, result = a_hand(BICYCLE)
    with pytest.raises(RulingError, match="nothing for this"):
        proposals_for(Code.GAME_OVER, result.replay)
    assert find_by_name("NONSENSE") is None


def test_a_matter_of_procedure_never_costs_chips_of_the_table() -> None:
    record, result = a_hand(BICYCLE)
    for chips, pot in (((-1, 1, 0, 0), 0), ((-1, 0, 0, 0), 1)):
        ruling = Ruling(decision=D.CHIP_ADJUST, code=Event.PROCEDURE, chips=chips, pot=pot)
        with pytest.raises(RulingError, match="procedure"):
            judge_hand(BICYCLE, result.replay.before, record, [ruling])


def revoked(rules: Rules) -> tuple[HandRecord, HandResult]:
    """A hand with one revoke and nothing else."""
    for seed in range(40):
        record, _ = a_hand(rules, seed)
        play = list(record.play or ())
        for place in range(4, len(play) - 4):
            swapped = play.copy()
            swapped[place], swapped[place + 4] = swapped[place + 4], swapped[place]
            changed, result = a_hand(rules, seed, play=tuple(swapped))
            if [fault.code for fault in result.replay.faults] == [Code.REVOKE]:
                return changed, result
    raise AssertionError("no hand has just a revoke")


def test_a_row_of_the_ruling_table_decides_by_any_name_of_its_event() -> None:
    record, result = revoked(HOYLE_HEARTS)
    (fault,) = result.replay.faults
    assert result.provisional
    for code in ("REVOKE", "P51", "revoke", "Revoke corrected", "EXPOSED_CARD"):
        row = RulingRow(fault.trick, fault.seat, code, 0, "")
        ruled = judge_hand(HOYLE_HEARTS, result.replay.before, replace(record, rulings=(row,)))
        assert ruled.provisional is (code == "EXPOSED_CARD")
    for what in (Code.REVOKE, Event.REVOKE, Event.REVOKE_CORRECTED, None, Event.PROCEDURE):
        ruling = Ruling(decision=D.CARD_CORRECTED, code=what)
        ruled = judge_hand(HOYLE_HEARTS, result.replay.before, record, [ruling])
        assert ruled.provisional is (what is Event.PROCEDURE)


def test_a_revoke_noticed_at_once_is_put_right_and_a_late_one_is_paid_for() -> None:
    _, result = revoked(HOYLE_HEARTS)
    (late,) = result.replay.faults
    assert late.established
    assert proposals([late])[0].decision is D.REVOKE_LAW
    early = proposals([replace(late, established=False)])
    assert [one.decision for one in early[:2]] == [D.CARD_CORRECTED, D.REVOKE_LAW]
    assert early[0].code is Event.REVOKE_CORRECTED


def test_marks_of_a_scorer_are_told_with_their_seat_and_change_nothing() -> None:
    record, plain = a_hand(STANDARD, 8)
    columns = record.columns or ()
    for mark, code in (("X", Code.EXPOSED_CARD), ("R", Code.REVOKE_CORRECTED)):
        _, result = a_hand(STANDARD, 8, marks={9: mark})
        (fault,) = result.replay.faults
        assert (fault.code, fault.trick, fault.seat) == (code, 3, columns[1])
        assert (fault.severity, fault.card) == (Severity.WARNING, (record.play or ())[9])
        assert result.after == plain.after
        assert not result.provisional


def test_names_that_stand_for_several_faults() -> None:
    assert covers(Event.FORBIDDEN_CARD, Code.FIRST_TRICK)
    assert covers(Event.MISPAY, Code.POT)
    assert covers(Code.MISDEAL, Code.HAND_SIZE)
    assert not covers(Event.PROCEDURE, Code.REVOKE)
