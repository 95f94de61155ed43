"""What a file holds: hands of Hearts, records of other games, remarks; each slip reported once."""

import re
from pathlib import Path

import pytest

from engine.core.faults import Severity
from engine.notation import read_text, write_csv, write_pbn
from engine.record.game_state import beginning
from engine.record.record import HandRecord
from engine.replay.replay import replay
from engine.rules.presets import PRESETS
from engine.rules.rules import RulesError
from engine.rules.switch_specs import PlayerRange
from engine.verdicts.judge import Verdict, judge
from engine.verdicts.report import report

SAMPLES = Path(__file__).parent / "notation" / "samples"
TEXTS = [path.read_text() for path in sorted(SAMPLES.glob("*.phn"))]
BICYCLE = TEXTS[0]
BRIDGE = '[Event "Cup"]\n[Board "1"]\n[Dealer "N"]\n[Contract "1NT"]\n[Auction "N"]\n1NT AP\n'
REMARK = "{a block of comments\nover two lines}\n%and an escape\n"


def said(verdict: Verdict) -> list[tuple[str, Severity, str]]:
    return [(one.rule, one.severity, one.message) for one in verdict.diagnostics]


def test_blocks_of_comments_are_no_records() -> None:
    body = BICYCLE.removeprefix("% PHN 1.0\n")
    verdict = judge(f"% PHN 1.0\n{REMARK}\n{body}\n{REMARK}\n{REMARK}\n{body}\n{REMARK}")
    assert [one.entry.number for one in verdict.records] == [1, 2]
    assert len(report(verdict)["records"]) == 2


def test_a_file_of_comments_has_no_record() -> None:
    for text in (REMARK, f"% PHN 1.0\n{REMARK}\n{REMARK}", "% PHN 1.0\n"):
        verdict = judge(text)
        assert verdict.records == ()
        assert not verdict.ok


def test_what_is_wrong_between_the_records_is_not_lost() -> None:
    verdict = judge("% PHN 1.0\n{" + "x" * 300 + "}\n\n" + BICYCLE.removeprefix("% PHN 1.0\n"))
    assert [rule for rule, *_ in said(verdict)] == ["L07"]
    damaged = judge(f"% PHN 1.0\n{{why}} words\n\n{BICYCLE.removeprefix('% PHN 1.0')}")
    assert [one.entry.ok for one in damaged.records] == [False, True]


def test_comments_move_no_number_in_an_export() -> None:
    body = BICYCLE.removeprefix("% PHN 1.0\n").replace('[Board "7"]', '[Board ""]')
    entries = read_text(f"% PHN 1.0\n{body}\n{REMARK}\n{body}")
    assert {line.split(",")[0] for line in write_csv(entries).split("\r\n")[1:-1]} == {"1", "2"}
    boards = re.findall(rb'\[Board "(\d+)"\]', write_pbn(entries, as_notrump=True).data)
    assert boards == [b"1", b"2"]


def test_a_bridge_file_says_that_no_hand_was_judged() -> None:
    verdict = judge(f"{BRIDGE}\n{BRIDGE}")
    told = ("T26", Severity.INFO, "no Hearts hand was judged in 2 of 2 records")
    assert told in said(verdict)
    (found,) = [one for one in verdict.diagnostics if one.rule == "T26"]
    assert (found.line, found.col) == (1, 1)
    mixed = judge(f"{BICYCLE}\n{BRIDGE}")
    assert ("T26", Severity.INFO, "no Hearts hand was judged in 1 of 2 records") in said(mixed)
    assert all(text.count("judged") == 0 for *_, text in said(judge(BICYCLE)))


SLIPS = [
    (TEXTS[0], '[PainSuit "H"]\n', ""),
    (TEXTS[0], '[PainSuit "H"]', '[PainSuit "XX"]'),
    (TEXTS[0], "2 Pass 4 3", "XX Pass 4 3"),
    (TEXTS[0], "S2 S5 S6 SA", "S2 XX S6 SA"),
    (TEXTS[0], "0 4 13 17 0", "0 4 XX 17 0"),
    (TEXTS[0], "\nN 7 50", "\nXX 7 50"),
    (TEXTS[0], '[Seats "N E S W"]', '[Seats "N E S"]'),
    (TEXTS[1], "D6 DJ D5 D3 D8", "D6 DJ XX D3 D8"),
    (TEXTS[1], '"hearts-hoyle"', '"hearts-hoile"'),
    (TEXTS[3], '[Centre "SAHAKDA"]', '[Centre "XX"]'),
    (TEXTS[4], '[Claim "S 13"]\n', ""),
    (TEXTS[4], '[Claim "S 13"]', '[Claim "XX"]'),
]


@pytest.mark.parametrize(("text", "old", "new"), SLIPS, ids=[old for _, old, _ in SLIPS])
def test_a_word_that_cannot_be_read_is_reported_once(text: str, old: str, new: str) -> None:
    assert old in text
    before = {one.diagnostic.message for one in judge(text).records[0].findings}
    (slipped,) = judge(text.replace(old, new, 1)).records
    found = [one.diagnostic for one in slipped.findings if one.diagnostic.message not in before]
    # Which hands are missing before this one is another thing, and is worded by its rules.
    found = [one for one in found if one.rule != "C67"]
    assert not slipped.ok
    if "Seats" in old:
        assert [one.rule for one in found].count("T23") == 1
    else:
        assert [one.severity for one in found] == [Severity.ERROR]


def test_one_number_of_players_is_no_range() -> None:
    rules = PRESETS["insurance"]
    (fault,) = replay(HandRecord(seats=("E", "S", "W"), rules=rules)).faults
    assert fault.message == "3 players are written; these rules are for 4"
    with pytest.raises(RulesError, match="5 cannot sit down; 4 can"):
        beginning(rules, 5)
    with pytest.raises(RulesError, match="2 cannot sit down; 3 to 6 can"):
        beginning(PRESETS["hoyle_hearts"], 2)
    assert f"{PlayerRange(3, 5)} {PlayerRange(4, 4)}" == "3 to 5 4"
