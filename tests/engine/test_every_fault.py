"""Every id of the engine's faults has a record that makes it, at its place in the text."""

from pathlib import Path
from typing import NamedTuple

import pytest

from engine.core.faults import Code, Severity
from engine.verdicts.judge import judge

EXAMPLES = Path(__file__).parents[2] / "scoring" / "web" / "examples"
NAMES = {
    "bicycle": "1-bicycle-auction-full.phn",
    "hoyle": "2-hoyle-hearts-5p-play.phn",
    "auction": "3-hoyle-auction-6p-jackpot.phn",
    "insurance": "4-insurance-centre-full.phn",
    "sahara": "5-sahara-3p-claim-ruling.phn",
    "split": "6-bicycle-score-only-split.phn",
    "total": "7-hoyle-game-settlement.phn",
    "foot": "8-insurance-foot.phn",
}


class Case(NamedTuple):
    """A sample, what is written otherwise in it, and the line and column where that shows."""

    code: Code
    sample: str
    was: str
    now: str
    place: tuple[int, int]
    severity: Severity = Severity.ERROR


RULING, WARNING = Severity.RULING, Severity.WARNING
CALLS = '[AuctionTable "E;S;W;N"]\n1 2 Pass Pass\n[CaptureTable'
BOUGHT = '[RebuyTable "Seat;When;Stacks"]\nN short 1\n[CaptureTable'
OTHER = '[Board "2"]\n[Rules "sahara/1;limit=50"]'
BROKEN = '[Rules "hearts-hoyle/1;pain-lead=after_broken"]'
STRICT = '[Rules "auction-hoyle/1;first-trick-penalty=forbidden"]'
WRITTEN = {
    "moon": """% PHN 1.0
[Board "3"]
[Dealer "N"]
[Detail "score"]
[Seats "N E S W"]
[Termination "normal"]
[Variant "sahara"]
[ScoreTable "Seat;Hearts;Queen;Moon;Points"]
N 13 13 -26 0
E 0 0 26 26
S 0 0 26 26
W 0 0 26 26
""",
    "two hands": """% PHN 1.0
[Board "1"]
[Dealer "N"]
[Detail "score"]
[Seats "N E S W"]
[Variant "sahara"]
[ScoreTable "Seat;Points;Total"]
N 1 1
E 0 0
S 25 25
W 0 0

[Board "2"]
[Dealer "E"]
[Detail "score"]
[Seats "N E S W"]
[Variant "sahara"]
[ScoreTable "Seat;Points;Total"]
N 5 6
E 0 0
S 0 25
W 21 21
""",
}


def play_of(name: str) -> str:
    """The rows of the play of a sample."""
    text = (EXAMPLES / NAMES[name]).read_text(encoding="utf-8")
    return text[text.index("[PlayTable") :].split("\n[", maxsplit=1)[0]


def exchanged(name: str, one: str, two: str) -> str:
    """The rows with two cards in each other's place."""
    return play_of(name).replace(one, "??").replace(two, one).replace("??", two)


def rows_exchanged(name: str, one: int, two: int) -> str:
    """The rows with two of them in each other's place."""
    rows = play_of(name).split("\n")
    rows[one], rows[two] = rows[two], rows[one]
    return "\n".join(rows)


TURNED = (
    "Q754.Q852.AK.K65 JT86.KJT4.QT52.A",
    "JT86.KJT4.QT52.A Q754.Q852.AK.K65",
)
CASES = [
    Case(Code.CARD_TWICE, "bicycle", "AK.K65 ", "AK.K64 ", (12, 10)),
    Case(Code.NOT_IN_PACK, "hoyle", "D6 DJ D5 D3 D8", "D6 DJ D2 D3 D8", (29, 7)),
    Case(Code.HAND_SIZE, "bicycle", "AK.K65 ", "AK.K6 ", (12, 10)),
    Case(Code.WRONG_STRIP, "hoyle", '[Stripped "D2C2"]', '[Stripped "S2D2"]', (24, 12)),
    Case(Code.CENTRE_SIZE, "insurance", '"SAHAKDA"', '"SAHAK"', (17, 10)),
    Case(Code.WRONG_PASS, "insurance", "N E SJ9H9", "N E SJ9", (29, 1), RULING),
    Case(Code.MISDEAL, "two hands", '[Dealer "E"]', '[Dealer "S"]', (14, 10), WARNING),
    Case(Code.RULES, "two hands", '[Board "2"]', OTHER, (18, 11), RULING),
    Case(Code.PLAYERS, "sahara", '"sahara"', '"auction-bicycle"', (22, 9)),
    Case(Code.BID_OUT_OF_TURN, "bicycle", '"N;E;S;W"]\n2', '"E;S;W;N"]\n2', (25, 1)),
    Case(Code.BAD_CALL, "bicycle", "2 Pass 4 3", "- Pass 4 3", (25, 1), RULING),
    Case(Code.OVER_STACK, "bicycle", "2 Pass 4 3", "2 Pass 60 3", (25, 8)),
    Case(Code.INSUFFICIENT_BID, "auction", "1 2 Pass 5", "2 2 Pass 5", (37, 3), RULING),
    Case(Code.WRONG_NAMER, "bicycle", '[Declarer "S"]', '[Declarer "N"]', (14, 12), RULING),
    Case(Code.AUCTION_IN_JACKPOT, "split", "[CaptureTable", CALLS, (25, 16), RULING),
    Case(Code.BAD_PAPER, "insurance", "2 5 0 4\n", "2 7 0 4\n", (27, 3), WARNING),
    Case(Code.BAD_FOOT, "foot", "1 F 0 3", "1 2 0 3", (22, 15), RULING),
    Case(Code.BAD_BID, "insurance", "S HK 4 HJ HK 4", "S HK 1 HJ HK 4", (36, 6)),
    Case(Code.CENTRE_ORDER, "insurance", "S HK 4 HJ HK 4", "S HK 4 HJ HK 3", (36, 1), RULING),
    Case(Code.NOT_HELD, "bicycle", "S3 S7 S8 S9", "S3 S7 S9 S8", (28, 7)),
    Case(
        Code.REVOKE,
        "bicycle",
        play_of("bicycle"),
        exchanged("bicycle", "S3", "D9"),
        (28, 1),
        RULING,
    ),
    Case(Code.WRONG_LEADER, "hoyle", '"SE;S;SW;NW;NE"', '"S;SW;NW;NE;SE"', (28, 13)),
    Case(
        Code.OPENING_CARD,
        "sahara",
        play_of("sahara"),
        exchanged("sahara", "C2", "C7"),
        (32, 1),
        RULING,
    ),
    Case(Code.PAIN_LED, "hoyle", "[Seats", f"{BROKEN}\n[Seats", (31, 4), RULING),
    Case(Code.HANDS_EXCHANGED, "bicycle", *TURNED, (12, 27)),
    Case(
        Code.TRICKS_EXCHANGED,
        "bicycle",
        play_of("bicycle"),
        rows_exchanged("bicycle", 2, 6),
        (28, 1),
    ),
    Case(Code.FIRST_TRICK, "auction", "[Seats", f"{STRICT}\n[Seats", (40, 13), RULING),
    Case(Code.PLAYED_TWICE, "bicycle", "S3 S7 S8 S9", "S3 S7 S8 SA", (28, 10)),
    Case(Code.TRICK_COUNT, "bicycle", "CT C6 HJ C7\n", "", (38, 10)),
    Case(Code.BAD_CLAIM, "sahara", '"S 13"', '"S 12"', (18, 9), RULING),
    Case(Code.OUT_OF_TURN, "bicycle", "S3 S7 S8 S9", "S3 ^LS7 S8 S9", (28, 4), RULING),
    Case(Code.REVOKE_CORRECTED, "bicycle", "S3 S7 S8 S9", "S3 S7 ^RS8 S9", (28, 7), WARNING),
    Case(Code.EXPOSED_CARD, "bicycle", "S3 S7 S8 S9", "S3 S7 S8 ^XS9", (28, 10), WARNING),
    Case(Code.CAPTURE_COUNT, "split", "N D98", "N D9", (25, 16)),
    Case(Code.POINTS, "hoyle", "SW 11 11 13", "SW 11 12 13", (43, 7)),
    Case(Code.MOON, "moon", "N 13 13 -26", "N 13 13 -25", (9, 9)),
    Case(Code.INSURANCE_SIGN, "insurance", "W 2 13 -4 0 11 29", "W 2 13 4 0 11 29", (56, 8)),
    Case(Code.POT, "bicycle", "0 4 13 17 0", "0 4 12 17 0", (41, 5)),
    Case(Code.CHIPS, "bicycle", "N 7 50 0 7 0 43", "N 7 50 0 7 0 44", (43, 14)),
    Case(Code.ODD_CHIP, "split", "E 0 44 0 0 15 59", "E 0 44 0 0 16 60", (34, 12)),
    Case(Code.RUNNING_TOTAL, "two hands", "N 5 6", "N 5 7", (19, 5)),
    Case(Code.SETTLEMENT, "total", "21 26 5", "21 26 4", (25, 25)),
    Case(Code.REBUY, "split", "[CaptureTable", BOUGHT, (26, 1), RULING),
    Case(Code.GAME_OVER, "two hands", "N 1 1", "N 1 101", (13, 9), RULING),
]


def sample(name: str) -> str:
    return WRITTEN.get(name) or (EXAMPLES / NAMES[name]).read_text(encoding="utf-8")


def test_a_fault_is_found_at_its_place(subtests: pytest.Subtests) -> None:
    for case in CASES:
        with subtests.test(f"{case.code}-{case.code.name}"):
            text = sample(case.sample)
            assert case.was in text
            right = {
                one.diagnostic.rule for record in judge(text).records for one in record.findings
            }
            assert case.code not in right
            records = judge(text.replace(case.was, case.now)).records
            found = [one.diagnostic for record in records for one in record.findings]
            mine = [one for one in found if one.rule == case.code]
            assert [(one.line, one.col) for one in mine][:1] == [case.place]
            assert mine[0].severity is case.severity
            assert mine[0].end_col > mine[0].col
            assert mine[0].hint


def test_every_fault_has_a_record_a_title_and_advice() -> None:
    assert {case.code for case in CASES} == set(Code)
    assert [code for code in Code if not (code.words and code.details)] == []
