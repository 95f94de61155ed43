"""Who buys chips again, when, and how many stacks: the table decides, nobody infers it (DEC-9)."""

from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.cards import Suit
from engine.core.chips import Rebuy, RebuyTime
from engine.core.faults import Code, Severity
from engine.core.seats import DEFAULT_SEATS, Seat
from engine.games.game import HandResult, judge_hand
from engine.notation import read, read_json, to_document, write, write_csv, write_json
from engine.notation.fast import read_fast
from engine.record.game_state import EndReason, GameState, beginning
from engine.record.record import Ending, HandRecord, ScoreRow
from engine.rules.presets import BICYCLE, HOWELL, PRESETS
from engine.rules.rules import Rules
from engine.rules.switches import SettledBy
from engine.settlement.settlement import Kind, undecided_rebuys
from engine.settlement.tables import score_rows
from engine.verdicts.judge import Judge
from tests.engine.table import E, N, game, house, playout, record_of, seeded

SHORT, EMPTY = RebuyTime.SHORT, RebuyTime.EMPTY
RULES: Final = house(BICYCLE, insolvency="rebuy", starting_chips="10")


def hand(rules: Rules, taken: tuple[int, ...], *rebuys: Rebuy, bid: int = 1) -> HandRecord:
    """A hand of which only the result is written; East names spades."""
    pot = rules.settlement is SettledBy.POT
    rows = tuple(
        ScoreRow(Seat(n), {"Pain": mine, "Bid": bid if n == E else 0} if pot else {"Hearts": mine})
        for n, mine in enumerate(taken)
    )
    return HandRecord(
        seats=DEFAULT_SEATS[4],
        rules=rules,
        dealer=N,
        ending=Ending.NORMAL,
        namer=E if pot else None,
        pain=Suit.SPADES if pot else None,
        scores=rows,
        rebuys=rebuys,
    )


def settled(before: GameState, taken: tuple[int, ...], *rebuys: Rebuy) -> HandResult:
    """The hand read back from its text and settled."""
    (entry,) = read(write([hand(RULES, taken, *rebuys)]))
    assert entry.record is not None
    assert entry.record.rebuys == rebuys
    return judge_hand(RULES, before, entry.record)


def open_decisions(result: HandResult) -> list[tuple[Seat | None, str]]:
    """On whom the table has still to decide."""
    assert all(fault.severity is Severity.RULING for fault in result.faults)
    assert all(fault.code is Code.REBUY for fault in result.faults)
    return [(fault.seat, fault.message.split(": ")[1].split(";")[0]) for fault in result.faults]


POOR: Final = game(RULES, (3, 12, 12, 13))
JUST: Final = game(RULES, (5, 12, 12, 11))
TAKEN: Final = (5, 4, 4, 0)


def test_the_hand_waits_while_nobody_has_decided_and_the_game_is_not_over() -> None:
    result = settled(POOR, TAKEN)
    assert open_decisions(result) == [(N, "cannot pay"), (N, "has no chips left")]
    assert result.provisional
    assert result.settlement is not None
    assert result.settlement.moved(Kind.REBUY) == 0
    assert (result.after.chips[N], result.after.over) == (0, None)


def test_nothing_left_is_asked_of_who_could_just_pay() -> None:
    result = settled(JUST, TAKEN)
    assert open_decisions(result) == [(N, "has no chips left")]
    assert result.after.over is None


@pytest.mark.parametrize(
    ("before", "rebuys", "chips", "over"),
    [
        (POOR, (Rebuy(N, SHORT, 1),), 8, None),
        (POOR, (Rebuy(N, SHORT, 3),), 28, None),
        (POOR, (Rebuy(N, SHORT, 0),), 0, EndReason.BUST),
        (POOR, (Rebuy(N, SHORT, 0), Rebuy(N, EMPTY, 2)), 20, None),
        (JUST, (Rebuy(N, EMPTY, 1),), 10, None),
        (JUST, (Rebuy(N, EMPTY, 0),), 0, EndReason.BUST),
    ],
)
def test_what_the_table_decided_is_done(
    before: GameState, rebuys: tuple[Rebuy, ...], chips: int, over: EndReason | None
) -> None:
    result = settled(before, TAKEN, *rebuys)
    assert not result.faults
    assert (result.after.chips[N], result.after.over) == (chips, over)
    assert result.settlement is not None
    bought = result.settlement.moved(Kind.REBUY, payee=N)
    assert bought == 10 * sum(one.stacks for one in rebuys)
    assert result.after.bought == before.bought + bought


@pytest.mark.parametrize(
    ("before", "rebuys"),
    [
        (JUST, (Rebuy(N, SHORT, 1), Rebuy(N, EMPTY, 0))),
        (JUST, (Rebuy(N, EMPTY, 1), Rebuy(E, EMPTY, 1))),
        (JUST, (Rebuy(N, EMPTY, 1), Rebuy(N, EMPTY, 1))),
    ],
)
def test_a_decision_without_need_is_reported(before: GameState, rebuys: tuple[Rebuy, ...]) -> None:
    (fault,) = settled(before, TAKEN, *rebuys).faults
    assert (fault.code, fault.hint) == (Code.REBUY, "remove this row")


def test_other_rules_know_no_rebuy() -> None:
    record = hand(BICYCLE, TAKEN, Rebuy(N, SHORT, 1))
    (fault,) = judge_hand(BICYCLE, beginning(BICYCLE, 4), record).faults
    assert fault.code is Code.REBUY


def test_before_the_decision_of_dec_9_who_could_not_pay_bought_what_he_needed() -> None:
    record = hand(RULES, (5, 4, 4, 0))
    result = judge_hand(RULES, POOR, record, old_law=True)
    assert not result.faults
    assert result.after.chips[N] == 8
    assert judge_hand(RULES, JUST, record, old_law=True).after.over is EndReason.BUST


def test_who_collects_is_paid_in_full_where_every_hand_is_settled_in_chips() -> None:
    rules = house(HOWELL, insolvency="rebuy", starting_chips="10")
    before = beginning(rules, 4)
    open_now = judge_hand(rules, before, hand(rules, (13, 0, 0, 0)))
    assert Code.REBUY in [fault.code for fault in open_now.faults]
    assert open_now.after.pot == 0
    bought = judge_hand(rules, before, hand(rules, (13, 0, 0, 0), Rebuy(N, SHORT, 3)))
    assert not bought.faults
    assert bought.after.chips == (1, 23, 23, 23)


def test_every_form_keeps_the_decision() -> None:
    rebuys = (Rebuy(N, SHORT, 0), Rebuy(N, EMPTY, 2))
    record = hand(RULES, TAKEN, *rebuys)
    text = write([record])
    found = read_fast(text.split("\n", 1)[1])
    assert found is not None
    assert found.record.rebuys == rebuys
    (copy,) = read_json(write_json([record]))
    assert write([copy]) == text
    assert to_document(replace(record, rebuys=())).tag("RebuyTable") is None
    assert "Rebuy short=0;Rebuy empty=2" in write_csv([record])
    (entry,) = read(text.replace("N empty 2", "N later -2"))
    assert [one.rule for one in entry.diagnostics] == ["T25", "T28"]


@given(seed=st.integers(0, 10**9))
def test_a_game_with_decisions_reads_back_hand_by_hand(seed: int) -> None:
    dice = seeded(seed)
    base = PRESETS[dice.choice(("bicycle", "hoyle_auction", "sweepstake", "howell"))]
    rules = house(base, insolvency="rebuy", starting_chips=dice.choice(("5", "13")))
    state = beginning(rules, dice.randint(rules.players.least, rules.players.most))
    records, left = list[HandRecord](), list[GameState]()
    while state.over is None and len(records) < 6:
        played = playout(rules, state, dice)
        rebuys: tuple[Rebuy, ...] = ()
        while offers := undecided_rebuys(rebuys, played.settle(rebuys).offered):
            seat, when = offers[0]
            full = rules.settlement is not SettledBy.POT and when is SHORT
            rebuys += (Rebuy(seat, when, 99 if full else dice.randrange(3)),)
        settled_hand = played.settle(rebuys)
        scores = score_rows(rules, settled_hand) if played.status.settles else None
        number = len(records) + 1
        record = replace(record_of(played), number=number, scores=scores, rebuys=rebuys)
        records.append(record)
        left.append(state := settled_hand.after)
        assert sum(state.chips) + state.pot == state.bought
        assert min(state.chips) >= 0
        assert (state.over is EndReason.BUST) == (0 in state.chips and _is_for_pot(rules))
    judged = list(Judge(write(records)))
    assert [one.after for one in judged] == left
    assert all(one.ok for one in judged), [one.findings for one in judged]


def _is_for_pot(rules: Rules) -> bool:
    return rules.settlement is SettledBy.POT
