"""Every hand can end in every phase, and what is written of it reads back (DEC-2, DEC-3)."""

from dataclasses import replace
from itertools import product
from random import Random
from typing import Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.core.cards import Suit
from engine.core.faults import Severity
from engine.core.seats import Seat, clockwise, left_of
from engine.games.game import judge_hand
from engine.live.hand import Hand, Phase, start
from engine.notation import canonical, read, read_json, to_document, write, write_csv, write_json
from engine.notation.fast import read_fast
from engine.record.game_state import GameState, beginning
from engine.record.record import Ending, HandRecord
from engine.record.rulings import Decision, Ruling
from engine.rules.presets import PRESETS
from engine.rules.rules import Rules
from engine.rules.switches import AllPass, PainBy
from engine.settlement.settlement import unplayed_totals
from engine.verdicts.judge import Judge
from tests.engine.table import record_of, seeded, shuffled, some_action
from tests.switches import turn, useless_turns

_SWITCHES: Final[dict[str, tuple[str, ...]]] = {
    "all_pass": ("redeal", "play_hearts", "eldest_pays_min"),
    "min_bid": ("1", "0", "3"),
    "jackpot_suit": ("free", "same"),
    "zero_clean": ("jackpot", "carry_with_auction"),
    "jackpot_split": ("allowed", "sole_winner_only"),
    "misdeal_if_all_forbidden": ("off", "on"),
    "first_leader": ("bidder", "eldest", "low_club"),
    "passing": ("none", "cycle"),
    "insurance": ("off", "on"),
    "bad_paper": ("zero", "ruling"),
    "foot": ("off", "on"),
    "centre_auction": ("off", "on"),
    "moon": ("none", "add_to_others", "shooter_choice"),
    "unplayed": ("none", "table_average", "penalty:5"),
    "insolvency": ("pay_what_you_have", "debt"),
}
"""The switches that decide which phases a hand has, and what a hand without a result leaves."""

_VOID: Final = (Ending.REDEAL, Ending.ABANDONED, Ending.UNTERMINATED)


def houses() -> list[Rules]:
    """Every preset, with every value of every switch that goes with it."""
    found: dict[str, Rules] = {}
    for rules in PRESETS.values():
        for name, values in _SWITCHES.items():
            for value in values:
                changed = turn(rules, name, value)
                found[changed.digest] = changed
    return list(found.values())


def test_every_value_that_is_turned_is_one_that_some_rules_take() -> None:
    assert useless_turns(_SWITCHES, PRESETS.values()) == []


HOUSES: Final = houses()


def some_state(rules: Rules, dice: Random) -> GameState:
    """The state before a hand: the first of a game, or a later one, often for a jackpot."""
    players = dice.choice(range(rules.players.least, rules.players.most + 1))
    state = beginning(rules, players, Seat(dice.randrange(players)))
    state = replace(state, deals=dice.randrange(9), hands=dice.randrange(9))
    if rules.foot.value == "on" and dice.random() < 0.5:
        state = replace(state, feet=frozenset({Seat(dice.randrange(players))}))
    if rules.pain is not PainBy.AUCTION or dice.random() < 0.5:
        return state
    named = dice.choice([None, *clockwise(Seat(0), players)])
    if rules.all_pass is not AllPass.PLAY_HEARTS:
        named = named or Seat(0)
    paid = tuple(chips - 4 for chips in state.chips)
    return replace(state, chips=paid, pot=4 * players, jackpot=dice.randint(1, 3), namer=named)


def dealt(rules: Rules, before: GameState, dice: Random) -> Hand:
    """A hand of which the cards lie on the table."""
    eldest = left_of(before.dealer, before.players)
    return start(rules, before, shuffled(rules, before.players, dice, eldest))


def some_hand(rules: Rules, before: GameState, dice: Random) -> Hand:
    """A hand in any phase, from before the deal to its end."""
    if dice.random() < 0.05:
        return start(rules, before)
    return played_on(dealt(rules, before, dice), dice, dice.randrange(dice.choice((18, 80))))


def played_on(hand: Hand, dice: Random, steps: int = 100) -> Hand:
    """The hand some actions later; at some tables nobody bids."""
    is_quiet = dice.random() < 0.3
    for _ in range(steps):
        if hand.phase is Phase.DONE:
            break
        is_pass = is_quiet and hand.phase is Phase.AUCTION
        hand = hand.apply(hand.parse("Pass") if is_pass else some_action(hand, dice))
    return hand


def left_behind(hand: Hand, ending: Ending) -> GameState:
    """What such a hand leaves to the next one (K4, Q63, DEC-2)."""
    before = hand.before
    if ending is not Ending.ABANDONED:
        return before
    if hand.phase is Phase.DEAL:
        return replace(before, totals=unplayed_totals(hand.rules, before))
    return moved_on(before)


def moved_on(before: GameState) -> GameState:
    """The state after a hand that was dealt and came to nothing (K4)."""
    dealer = left_of(before.dealer, before.players)
    return replace(before, dealer=dealer, deals=before.deals + 1)


def check(rules: Rules, record: HandRecord, before: GameState, after: GameState) -> None:
    """Read the record back from every form; it says the same, and leaves the same state."""
    text = write([record])
    (entry,) = read(text)
    assert entry.ok, (entry.diagnostics, text)
    assert not entry.diagnostics, (entry.diagnostics, text)
    (copy,) = read_json(write_json([record]))
    assert copy == canonical(to_document(record))
    assert write([copy]) == text
    assert f",{record.ending.value}," in write_csv([record])  # type: ignore[union-attr]
    body = text.split("\n", 1)[1]
    found = read_fast(body)
    assert found is None or found.record == entry.record
    result = judge_hand(rules, before, entry.record)  # type: ignore[arg-type]
    assert not result.faults, (result.faults, text)
    assert result.after == after, text


@given(seed=st.integers(0, 10**9))
@pytest.mark.parametrize("ending", _VOID)
def test_a_hand_can_stop_in_every_phase_and_the_record_reads_back(
    seed: int, ending: Ending
) -> None:
    dice = seeded(seed)
    rules = dice.choice(HOUSES)
    hand = some_hand(rules, some_state(rules, dice), dice)
    assume(ending is not Ending.UNTERMINATED or hand.phase is not Phase.DONE)
    check(rules, record_of(hand, ending=ending), hand.before, left_behind(hand, ending))


@given(seed=st.integers(0, 10**9))
def test_a_hand_that_came_to_its_end_reads_back_to_its_settlement(seed: int) -> None:
    dice = seeded(seed)
    rules = dice.choice(HOUSES)
    hand = played_on(dealt(rules, some_state(rules, dice), dice), dice)
    if hand.moon_adds is None:  # that choice stands in the scores alone
        check(rules, record_of(hand), hand.before, hand.settle().after)


@given(seed=st.integers(0, 10**9))
def test_a_game_goes_on_after_a_hand_that_stopped(seed: int) -> None:
    dice = seeded(seed)
    rules = dice.choice(HOUSES)
    state, records, left = some_state(rules, dice), list[HandRecord](), list[GameState]()
    state = beginning(rules, state.players, state.dealer)
    for number in range(1, 7):
        stops = dice.random() < 0.5
        hand = (
            some_hand(rules, state, dice) if stops else played_on(dealt(rules, state, dice), dice)
        )
        ending = dice.choice(_VOID[:2]) if stops else None
        if state.over is not None or hand.moon_adds is not None:
            break
        state = left_behind(hand, ending) if ending is not None else hand.settle().after
        records.append(replace(record_of(hand, ending=ending), number=number))
        left.append(state)
    judged = list(Judge(write(records)))
    assert [one.after for one in judged] == left
    assert all(one.ok for one in judged), [one.findings for one in judged]


def test_the_director_can_void_a_hand_in_every_phase() -> None:
    dice = seeded("void")
    for rules, decision in product(HOUSES, (Decision.VOID_REDEAL, Decision.VOID_NO_REPLAY)):
        hand = some_hand(rules, some_state(rules, dice), dice)
        record = record_of(hand, ending=Ending.UNTERMINATED)
        result = judge_hand(rules, hand.before, record, [Ruling(decision=decision)])
        again = decision is Decision.VOID_REDEAL
        after = hand.before if again else moved_on(hand.before)
        assert (result.after, result.provisional) == (after, False), result.faults


REVOKED: Final = """% PHN 1.0
[Variant "auction-bicycle"]
[Seats "N E S W"]
[Dealer "N"]
[Declarer "E"]
[PainSuit "S"]
[Termination "redeal"]
[AuctionTable "E;S;W;N"]
9 3 12 99
"""


def test_what_is_odd_about_a_void_hand_needs_no_decision() -> None:
    (judged,) = Judge(REVOKED)
    assert judged.ok or [one.diagnostic.rule for one in judged.findings] == ["S10"]
    assert judged.faults
    assert {fault.severity for fault in judged.faults} == {Severity.WARNING}


PASSED_ALL: Final = """% PHN 1.0
[Variant "auction-bicycle"]
[Rules "auction-bicycle/1;all-pass=play_hearts"]
[Seats "N E S W"]
[Board "{board}"]
[Dealer "{dealer}"]
[Declarer ""]
[Detail "score"]
[Termination "normal"]{more}
[ScoreTable "Seat;Pain"]
N {n}
E {e}
S {s}
W {w}
"""


@pytest.mark.parametrize("suit", ["", '[PainSuit "H"]'])
def test_a_hand_that_everybody_passed_is_played_in_hearts(suit: str) -> None:
    first = PASSED_ALL.format(board=1, dealer="N", n=3, e=4, s=4, w=2, more=suit)
    second = PASSED_ALL.format(
        board=2, dealer="E", n=0, e=0, s=6, w=7, more=f'[Jackpot "1"]{suit}'
    ).removeprefix("% PHN 1.0\n")
    one, two = Judge(f"{first}\n{second}")
    assert one.ok, one.findings
    assert two.ok, two.findings
    assert one.after is not None
    assert (one.after.jackpot, one.after.namer, one.after.pain) == (1, None, Suit.HEARTS)
    assert two.after is not None
    assert (two.after.chips, two.after.jackpot) == ((60, 59, 40, 41), 0)


def test_a_bid_still_needs_the_name_of_who_made_it() -> None:
    text = PASSED_ALL.format(board=1, dealer="N", n=0, e=0, s=6, w=7, more="")
    bid = '[PotTable "Before;Bid;Paid;Won;After"]\n0 4 13 16 1\n[ScoreTable'
    (judged,) = Judge(text.replace("[ScoreTable", bid))
    assert "S17" in [one.diagnostic.rule for one in judged.findings]


def test_other_suits_are_refused_where_nobody_named_one() -> None:
    (judged,) = Judge(
        PASSED_ALL.format(board=1, dealer="N", n=3, e=4, s=4, w=2, more='[PainSuit "S"]')
    )
    assert not judged.ok


def test_where_everybody_passed_a_written_declarer_is_reported() -> None:
    rules = replace(PRESETS["bicycle"], all_pass=AllPass.PLAY_HEARTS)
    hand = dealt(rules, beginning(rules, 4), seeded("declarer"))
    while hand.phase is not Phase.DONE:
        is_call = hand.phase is Phase.AUCTION
        hand = hand.apply(hand.parse("Pass") if is_call else hand.legal_actions[0])
    record = record_of(hand)
    assert judge_hand(rules, None, record).faults == ()
    (fault,) = judge_hand(rules, None, replace(record, namer=Seat(0))).faults
    assert fault.severity is Severity.WARNING
    assert fault.message == "nobody names the pain suit of this hand, not N"


def test_a_hand_that_everybody_passed_is_not_passed_out_where_it_is_played() -> None:
    for all_pass in (AllPass.PLAY_HEARTS, AllPass.ELDEST_PAYS_MIN):
        rules = replace(PRESETS["bicycle"], all_pass=all_pass)
        record = HandRecord(
            seats=("N", "E", "S", "W"), ending=Ending.PASSED_OUT, auction=(-1, -1, -1, -1)
        )
        messages = [fault.message for fault in judge_hand(rules, None, record).faults]
        assert "under these rules a hand that everybody passed is played" in messages
