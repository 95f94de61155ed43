"""Whatever is sent is written down or refused by name; nothing else ever happens."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.seats import DEFAULT_SEATS
from engine.notation import Reader
from engine.record.game_state import beginning
from engine.rules.presets import PRESETS
from scoring.settlement.replay import HandInput, JudgedHand, judge_entered
from scoring.submissions.reading import SubmittedRecord, read_hand
from scoring.submissions.writing import (
    GameContext,
    from_actions,
    from_record,
    from_result,
    moves,
    results,
)
from scoring.submissions.writing.table import UnclearError
from tests.examples import examples

SEATS: Final = st.sampled_from(("N", "E", "S", "W", "n", "NE", "", "X"))
SCRAPS: Final = st.sampled_from(
    ("H2", "SQ", "S3/3/HA", "-", "F", "F3", "3", "Pass", "N:", "E:C2", "N:3", "S 9", "self", "foot")
)
WORDS: Final = st.lists(SCRAPS, max_size=12).map(" ".join)
PLAIN: Final = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | WORDS
VALUES: Final = (
    PLAIN | st.lists(PLAIN, max_size=3) | st.dictionaries(SEATS, PLAIN | st.integers(0, 6))
)


TABLES: Final = [
    GameContext(rules=rules, seats=DEFAULT_SEATS[4], number=1, before=before)
    for rules in PRESETS.values()
    for before in (beginning(rules, 4), None)
]


def judge(table: GameContext, text: bytes, record: SubmittedRecord | None = None) -> JudgedHand:
    before = table.before or beginning(table.rules, 4)
    given = HandInput(number=1, record=record or read_hand(text))
    return judge_entered(table.rules, before, given)


def judge_made(table: GameContext, made: SubmittedRecord) -> None:
    """A record that was made is judged as its text would be, if somebody read it."""
    (read,) = Reader(made.text)
    assert made.entry.record == read.record
    assert made.entry.diagnostics == read.diagnostics
    played, again = judge(table, made.text, made), judge(table, made.text)
    assert played.judged.findings == again.judged.findings
    assert replace(played, judged=again.judged) == again


def check(
    write: Callable[[GameContext, dict[str, Any]], SubmittedRecord],
    table: GameContext,
    sent: dict[str, Any],
    fields: tuple[str, ...],
) -> None:
    """Written down and judged, or refused in short words that name a field."""
    refused, made = None, None
    try:
        made = write(table, sent)
    except UnclearError as error:
        refused = error
    if made is not None:
        judge_made(table, made)
    else:
        assert refused is not None
        assert refused.field in fields
        assert len(str(refused)) < 400


@settings(deadline=None, max_examples=examples(300))
@given(
    table=st.sampled_from(TABLES),
    sent=st.dictionaries(st.sampled_from((*results.FIELDS, "what")), VALUES, max_size=8),
)
def test_any_result(table: GameContext, sent: dict[str, Any]) -> None:
    check(from_result, table, sent, (*results.FIELDS, "what"))


@settings(deadline=None, max_examples=examples(300))
@given(
    table=st.sampled_from(TABLES),
    sent=st.dictionaries(st.sampled_from((*moves.FIELDS, "what")), VALUES, max_size=8),
)
def test_any_moves(table: GameContext, sent: dict[str, Any]) -> None:
    check(from_actions, table, sent, (*moves.FIELDS, "what"))


LINES: Final = st.sampled_from(
    (
        '[Dealer ""]',
        '[Dealer "?"] [Board "-"]',
        "[Dealer]",
        "[Dealer N]",
        '[Seats "N E S W"]',
        '[Seats ""]',
        '[Variant ""]',
        '[Declarer "#"]',
        '[PainSuit "H"]',
        '[AuctionTable "N;E;S;W"]\n3 4 Pass Pass',
        '[Auction "E"]\n3 4 Pass Pass',
        '[ScoreTable "Seat;Pain;Bid"]\nN 5 0\nE 4 4\nS 4 0\nW 0 0',
        "{ a note",
        "}",
        "% PHN 1.0",
        "%",
        "",
        '[Event "caf\u00e9 \\"x\\""]',
        "\ufeff",
        "\x0b\x85\u2028",
    )
)


@settings(deadline=None, max_examples=examples(400))
@given(
    table=st.sampled_from(TABLES),
    lines=st.lists(LINES, max_size=9),
    end=st.sampled_from(("\n", "\r\n", "\r")),
    encoding=st.sampled_from(("utf-8", "utf-8-sig", "utf-16", "latin-1")),
)
def test_any_record(table: GameContext, lines: list[str], end: str, encoding: str) -> None:
    text = end.join(lines).encode(encoding, "replace")
    completed = from_record(table, text).text
    assert from_record(table, completed).text == completed
    judge(table, completed)


@settings(deadline=None, max_examples=examples(200))
@given(text=st.binary(max_size=200))
def test_any_bytes(text: bytes) -> None:
    record = from_record(TABLES[0], text)
    judge(TABLES[0], record.text, record)


def test_a_play_of_any_length_is_read_in_no_time() -> None:
    moves = {"pain": "H", "calls": "3 - - -", "play": "N:" + " ".join(["H2"] * 1000)}
    judge_made(TABLES[0], from_actions(TABLES[0], moves))


@pytest.mark.parametrize(("field", "word"), [("play", "H2"), ("calls", "-")])
def test_more_than_any_record_can_hold_is_refused(field: str, word: str) -> None:
    with pytest.raises(UnclearError) as unclear:
        from_actions(TABLES[0], {field: " ".join([word] * 1025)})
    assert unclear.value.field == field
