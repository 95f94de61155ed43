"""Texts with several records: which hands make a game, and what each inherits."""

from pathlib import Path

import pytest

from engine.core.faults import Severity
from engine.verdicts.judge import Judged, judge

EXAMPLES = sorted((Path(__file__).parents[3] / "scoring" / "web" / "examples").glob("*.phn"))


def hand(board: int, variant: str, dealer: str, table: str, rows: str, extra: str = "") -> str:
    """A result-only record."""
    return (
        f'[Board "{board}"]\n[Dealer "{dealer}"]\n[Detail "score"]\n{extra}[Seats "N E S W"]\n'
        f'[Variant "{variant}"]\n[ScoreTable "Seat;{table}"]\n{rows}\n'
    )


def judged(*records: str) -> tuple[Judged, ...]:
    return judge("% PHN 1.0\n" + "\n".join(records)).records


def serious(record: Judged) -> list[str]:
    worth = (Severity.ERROR, Severity.RULING)
    return [one.diagnostic.rule for one in record.findings if one.diagnostic.severity in worth]


def after(record: Judged) -> tuple[int, ...]:
    assert record.result is not None
    assert record.result.settlement is not None
    state = record.result.after
    return state.totals if any(state.totals) else state.chips


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_a_sample_is_settled_to_exactly_what_it_says(path: Path) -> None:
    (record,) = judge(path.read_bytes()).records
    assert record.entry.record is not None
    own = [one for one in record.findings if one.fault and "missing" not in one.fault.message]
    assert not own
    assert record.ok
    if record.result is not None:
        assert record.result.settlement is not None


def test_totals_alone_carry_from_hand_to_hand() -> None:
    first = hand(1, "sahara", "N", "Total", "N 3\nE 4\nS 19\nW 0")
    second = hand(2, "sahara", "E", "Total", "N 4\nE 30\nS 45\nW 26")
    results = judged(first, second)
    assert [serious(record) for record in results] == [[], ["C61"]]
    second = hand(2, "sahara", "E", "Total", "N 16\nE 17\nS 19\nW 0")
    results = judged(first, second)
    assert [serious(record) for record in results] == [[], []]
    assert after(results[1]) == (16, 17, 19, 0)


def test_a_lone_total_without_points_is_no_mistake() -> None:
    (record,) = judged(
        hand(5, "sahara", "N", "Hearts;Queen;Total", "N 3 0 20\nE 4 0 30\nS 6 13 40\nW 0 0 5")
    )
    assert serious(record) == []
    assert after(record) == (20, 30, 40, 5)


def test_chips_after_are_undone_to_the_chips_before() -> None:
    pot = '[PainSuit "H"]\n'
    rows = "N 5 0 45\nE 4 0 46\nS 4 0 46\nW 0 5 63"
    (record,) = judged(hand(1, "auction-bicycle", "N", "Pain;Bid;After", rows, pot))
    assert record.result is not None
    assert record.result.replay.before.chips == (50, 50, 50, 50)


def test_a_wrong_pot_is_reported_once_and_costs_no_later_hand() -> None:
    opened = '[Declarer "S"]\n[PainSuit "D"]\n'
    table = '[PotTable "Before;Bid;Paid;Won;After"]\n'

    def record(board: int, dealer: str, pot: str, rows: str) -> str:
        text = hand(board, "auction-bicycle", dealer, "Pain;Before;After", rows, opened)
        return text.replace("[ScoreTable", f"{table}{pot}\n[ScoreTable")

    first = record(1, "N", "0 4 13 16 1", "N 0 50 58\nE 9 50 41\nS 0 50 54\nW 4 50 46")
    wrong = record(2, "E", "0 2 13 15 0", "N 3 58 55\nE 5 41 36\nS 0 54 67\nW 5 46 41")
    third = record(3, "S", "0 2 13 15 0", "N 5 55 50\nE 4 36 32\nS 0 67 80\nW 4 41 37")
    results = judged(first, wrong, third)
    assert serious(results[0]) == []
    assert serious(results[1]) == ["C64"]
    assert serious(results[2]) == []


def test_a_foot_is_used_even_when_the_hand_after_it_waits_for_the_director() -> None:
    foot = hand(1, "insurance", "N", "Points", "N 0\nE 0\nS 0\nW 0", '[Termination "foot"]\n')
    foot = foot.replace("[ScoreTable", '[InsuranceTable "N;E;S;W"]\nF 1 2 3\n[ScoreTable')
    broken = hand(
        2, "insurance", "E", "Hearts;Queen;Points", "N 1 0 1\nE 1 0 1\nS 1 13 14\nW 1 0 1"
    )
    again = foot.replace('Board "1"', 'Board "3"').replace('Dealer "N"', 'Dealer "S"')
    results = judged(foot, broken, again)
    assert serious(results[0]) == []
    assert "C60" in serious(results[1])
    assert serious(results[2]) == ["A47"]


def test_two_tables_may_alternate_in_one_file() -> None:
    rows = ("N 3\nE 4\nS 19\nW 0", "N 13\nE 13\nS 0\nW 0")
    texts = [
        hand(board, "sahara", dealer, "Points", rows[n]).replace("[Var", f'[Table "{n}"]\n[Var')
        for board, dealer in ((1, "N"), (2, "E"))
        for n in (0, 1)
    ]
    results = judged(*texts)
    assert [record.game for record in results] == [0, 1, 0, 1]
    assert after(results[2]) == (6, 8, 38, 0)
    assert after(results[3]) == (26, 26, 0, 0)


def test_a_void_hand_may_be_written_once_more_under_its_number() -> None:
    void = hand(1, "sahara", "N", "Points", "N 0\nE 0\nS 0\nW 0", '[Termination "redeal"]\n')
    played = hand(1, "sahara", "N", "Points", "N 3\nE 4\nS 19\nW 0")
    results = judged(void, played)
    assert [record.game for record in results] == [0, 0]
    assert serious(results[1]) == []


def test_missing_hands_are_said_and_the_next_one_is_believed() -> None:
    first = hand(1, "sahara", "N", "Points;Total", "N 3 3\nE 4 4\nS 19 19\nW 0 0")
    fifth = hand(5, "sahara", "N", "Points;Total", "N 13 60\nE 13 40\nS 0 50\nW 0 6")
    results = judged(first, fifth)
    assert serious(results[1]) == []
    assert "C67" in [one.diagnostic.rule for one in results[1].findings]
    assert after(results[1]) == (60, 40, 50, 6)


def test_a_games_result_is_compared_with_its_hands() -> None:
    first = hand(1, "sahara", "N", "Points", "N 3\nE 4\nS 19\nW 0")
    game = (
        '[Board "1"]\n[Dealer ""]\n[Detail "game"]\n[Hands "1"]\n[Seats "N E S W"]\n'
        '[Variant "sahara"]\n[TotalScoreTable "-Rank;Seat;TotalScore"]\n'
        "1 W 0\n2 N 3\n3 E 4\n4 S 18\n"
    )
    results = judged(first, game)
    assert serious(results[1]) == ["C67"]


def test_a_ruling_in_the_record_decides_its_own_irregularity_and_no_other() -> None:
    text = (EXAMPLES[0]).read_text(encoding="utf-8").replace("S3 S7 S8 S9", "D9 S7 S8 S9")
    text = text.replace("D9 S4 SJ C3", "S3 S4 SJ C3")
    (plain,) = judge(text).records
    assert "P51" in serious(plain)
    row = '[RulingTable "Trick;Seat;Code;Points;Text"]\n2 S {} 0 "settled"\n[ScoreTable'
    (other,) = judge(text.replace("[ScoreTable", row.format("slow-play"))).records
    assert "P51" in serious(other)
    (ruled,) = judge(text.replace("[ScoreTable", row.format("revoke"))).records
    assert "P51" not in serious(ruled)


def test_hostile_bytes_are_judged_and_not_raised() -> None:
    for data in (b"", b"\x00" * 500, b"\xff\xfe[\x00", b"[" * 70_000, '"\u202e['.encode() * 99):
        verdict = judge(data)
        assert not verdict.ok


HOYLE = "hearts-hoyle"
SCORES = "Hearts;Points;Total"


def test_a_slip_in_a_total_is_one_fault_and_changes_no_later_hand() -> None:
    rows = "N 0 0 0\nE 3 3 {}\nS 5 5 {}\nW 5 5 {}"
    first = hand(1, HOYLE, "N", SCORES, rows.format(3, 5, 5))
    slip = hand(2, HOYLE, "E", SCORES, rows.format(6, 11, 10))
    third = hand(3, HOYLE, "S", SCORES, rows.format(9, 15, 15))
    results = judged(first, slip, third)
    assert [serious(record) for record in results] == [[], ["C67"], []]
    assert after(results[1]) == (0, 6, 10, 10)
    carried_on = hand(3, HOYLE, "S", SCORES, rows.format(9, 16, 15))
    results = judged(first, slip, carried_on)
    assert [serious(record) for record in results] == [[], ["C67"], []]
    assert after(results[2]) == (0, 9, 15, 15)


def test_wrong_points_beside_a_right_total_are_one_fault() -> None:
    rows = "N 0 0 0\nE 3 3 {}\nS 5 {} {}\nW 5 5 {}"
    first = hand(1, HOYLE, "N", SCORES, rows.format(3, 5, 5, 5))
    slip = hand(2, HOYLE, "E", SCORES, rows.format(6, 6, 10, 10))
    results = judged(first, slip)
    assert [serious(record) for record in results] == [[], ["C61"]]


def test_a_right_number_beside_a_wrong_one_is_no_second_fault() -> None:
    text = (EXAMPLES[3]).read_text(encoding="utf-8")
    (record,) = judge(text.replace("E 4 0 5 2 11 33", "E 5 0 5 2 11 33")).records
    assert serious(record) == ["C60"]


def test_a_card_that_cannot_be_read_is_the_only_one_it_can_be() -> None:
    text = EXAMPLES[0].read_text(encoding="utf-8").replace("C2 CK HK CQ", "C2 CK - CQ")
    (record,) = judge(text).records
    assert serious(record) == []
    assert after(record) == (43, 58, 50, 49)


def test_a_flood_of_calls_is_reported_in_part() -> None:
    text = EXAMPLES[0].read_text(encoding="utf-8")
    text = text.replace('[AuctionTable "N;E;S;W"]\n2 Pass 4 3', '[Auction "N"]\n' + "1 " * 2000)
    (record,) = judge(text).records
    assert 50 < len(record.findings) <= 250
