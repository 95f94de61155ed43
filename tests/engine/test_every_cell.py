"""Every written cell is compared with what the rules make of the hand, or reported."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.hands import TABLES, Table, dice, played_out, record_of
from engine.core.faults import Code, Severity
from engine.core.seats import Seat
from engine.notation import to_document, write_record
from engine.notation.sheet import NOTHING
from engine.record.game_state import beginning
from engine.record.record import CapturedCards, Claim, Ending, HandRecord
from engine.replay.replay import replay
from engine.verdicts.judge import Judged, judge
from tests.engine.notation.texts import written_values
from tests.examples import examples

EXAMPLES = Path(__file__).parents[2] / "scoring" / "web" / "examples"
COMPARED = (
    *("ScoreTable", "PotTable", "Termination", "Claim", "Detail"),
    *("Vulnerable", "Contract", "Result"),
)
"""Tags and tables of which no other value says the same of a hand."""
OTHERS = (
    *("0", "1", "2", "3", "5", "-1", "13", "N", "E", "W", "H", "C", "H2", "SQ", "F", "Pass"),
    *("left", "hold", "normal", "claim", "foot", "passed-out", "adjudicated", "N 0", "S 9"),
    *("full", "play", "score", "50"),
)


def only(text: str) -> Judged:
    (record,) = judge("% PHN 1.0\n" + text).records
    return record


def said(record: Judged) -> set[tuple[str, str]]:
    return {(one.diagnostic.rule, one.diagnostic.message) for one in record.findings}


def first_hand(table: Table, seed: int, detail: str) -> HandRecord:
    """The first hand of a game, with its play, or only with what was captured or scored."""
    hand = played_out(table.rules, beginning(table.rules, table.players), dice(f"{table} {seed}"))
    record = record_of(hand, 1)
    if detail == "play":
        return record
    if detail == "claim":
        tricks = replay(record).tricks
        last = len(tricks)
        while last > 1 and tricks[last - 2].winner == tricks[-1].winner:
            last -= 1
        play = (record.play or ())[: (last - 1) * table.players]
        claim = Claim(tricks[-1].winner, last - 1)
        return replace(record, play=play, claim=claim, ending=Ending.CLAIM)
    judged = replay(record)
    assert judged.taken is not None
    winners = [trick.winner for trick in judged.tricks]
    captures = tuple(
        CapturedCards(Seat(seat), cards, winners.count(Seat(seat)))
        for seat, cards in enumerate(judged.taken)
    )
    bare = replace(record, play=None, columns=None)
    return replace(bare, captures=captures) if detail == "captures" else bare


@settings(max_examples=examples(150))
@given(
    st.sampled_from(TABLES),
    st.integers(0, 10**6),
    st.sampled_from(["play", "claim", "captures", "scores"]),
    st.sampled_from(OTHERS),
    st.data(),
)
def test_no_cell_is_changed_without_a_word(
    table: Table, seed: int, detail: str, value: str, data: st.DataObject
) -> None:
    text = write_record(to_document(first_hand(table, seed, detail), {}))
    before = only(text)
    assert before.ok
    start, end = data.draw(st.sampled_from(written_values(text)))
    tag = text[text.rfind("[", 0, start) + 1 : start].split(maxsplit=1)[0]
    changed = only(text[:start] + value + text[end:])
    if value != text[start:end] and changed.ok and not said(changed) - said(before):
        assert changed.after == before.after, (tag, text[start:end], value)
        assert tag not in COMPARED or value in NOTHING, (tag, text[start:end], value)


SAHARA = """[Board "1"]
[Dealer "N"]
[Claim "N 0"]
[Detail "score"]
[Seats "N E S W"]
[Termination "claim"]
[Variant "sahara"]
[ScoreTable "Seat;Hearts;Queen;Moon;Points;Total"]
N 0 0 26 26 26
E 0 0 26 26 26
S 0 0 26 26 26
W 13 13 -26 0 0
"""


@pytest.mark.parametrize("claim", ["N 0", "N 2", "E 1"])
def test_a_claim_is_compared_with_the_scores(claim: str) -> None:
    record = only(SAHARA.replace("N 0", claim, 1))
    assert not record.ok
    assert "the others cannot have taken 14 cards" in str(said(record))
    assert only(SAHARA.replace("N 0", "W 0", 1)).ok


def test_a_claim_without_its_ending_is_reported() -> None:
    text = (EXAMPLES / "5-sahara-3p-claim-ruling.phn").read_text(encoding="utf-8")
    for ending in ("normal", "adjudicated", "redeal", "-"):
        (record,) = judge(text.replace('"claim"', f'"{ending}"')).records
        found = [one.diagnostic for one in record.findings]
        assert ending == "adjudicated" or any(one.rule == Code.BAD_CLAIM for one in found), ending


def test_a_number_beside_a_no_bid_is_reported_at_its_cell() -> None:
    text = (EXAMPLES / "4-insurance-centre-full.phn").read_text(encoding="utf-8")
    row = "W - 0 HT HA 0"
    assert row in text
    (record,) = judge(text.replace(row, "W - 3 HT HA 0")).records
    (found,) = [one.diagnostic for one in record.findings if one.diagnostic.rule == Code.BAD_BID]
    assert (found.severity, found.tag) == (Severity.WARNING, "CentreTable")
    assert found.message == "3 stands beside no card; it is no bid"


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        ("redeal", "nothing is scored in a hand that is dealt again"),
        ("abandoned", "nothing is scored in a hand that was not played"),
        ("unterminated", "nothing is scored in a hand that is not finished"),
    ],
)
def test_scores_in_a_hand_that_came_to_nothing_are_one_finding(ending: str, words: str) -> None:
    text = SAHARA.replace('[Claim "N 0"]\n', "").replace('"claim"', f'"{ending}"')
    (found,) = [one.diagnostic for one in only(text).findings]
    assert (found.severity, found.message) == (Severity.ERROR, words)


def test_a_foot_or_a_hand_passed_out_has_that_ending() -> None:
    text = (EXAMPLES / "8-insurance-foot.phn").read_text(encoding="utf-8")
    for ending in ("normal", "passed-out", "unterminated"):
        (record,) = judge(text.replace('"foot"', f'"{ending}"')).records
        assert f"a foot was called; the tag Termination says {ending}" in str(said(record))
    passed = """[Board "1"]
[Dealer "N"]
[Declarer ""]
[Detail "score"]
[Seats "N E S W"]
[Termination "normal"]
[Variant "auction-bicycle"]
[AuctionTable "E;S;W;N"]
Pass Pass Pass Pass
"""
    assert "everybody passed; the tag Termination says normal" in str(said(only(passed)))
    out = passed.replace("normal", "passed-out")
    assert only(out).ok
    assert not said(only(out))
    assert "it is not used" in str(said(only(out.replace("[Seats", '[PainSuit "H"]\n[Seats'))))


def test_the_result_of_a_game_tells_of_no_single_hand() -> None:
    text = (EXAMPLES / "7-hoyle-game-settlement.phn").read_text(encoding="utf-8")
    for was, now in (
        ('[Dealer ""]', '[Dealer "E"]'),
        ('[Declarer ""]', '[Declarer "E"]'),
        ('"normal"', '"passed-out"'),
    ):
        (record,) = judge(text.replace(was, now)).records
        assert "this tells of one hand" in str(said(record)), now


def test_a_hint_about_insurance_after_a_moon_says_what_was_settled() -> None:
    rows = "N 13 13 -1 -52 -27 -27\nE 0 0 0 0 0 0\nS 0 0 0 0 0 0\nW 0 0 0 0 0 0"
    text = f"""[Board "1"]
[Dealer "N"]
[Detail "score"]
[Rules "insurance/1;centre-auction=off;moon=subtract_from_self"]
[Seats "N E S W"]
[Termination "normal"]
[Variant "insurance"]
[InsuranceTable "N;E;S;W"]
3 0 0 0
[ScoreTable "Seat;Hearts;Queen;Insurance;Moon;Points;Total"]
{rows}
"""
    hints = [one.diagnostic.hint for one in only(text).findings if one.diagnostic.rule == "C63"]
    assert hints == ["after this moon who took all adds the number on their paper, nobody else"]
