"""Every rule of the text has a text that breaks it, found at its line and column."""

from pathlib import Path

import pytest

from engine.core.faults import Code, Severity
from engine.notation import (
    RULES,
    Diagnostic,
    Mode,
    NotationRule,
    Reader,
    write_pbn,
)
from engine.verdicts.judge import judge

VERSION = "% PHN 1.0\n"
HAND = '[Event "x"]\n[Dealer "N"]\n[Variant "insurance"]\n[Detail "score"]\n'
PLAY = '[PlayTable "N;E;S;W"]\n'

FIXTURES: dict[str, tuple[bytes | str, int, int, int]] = {
    "L01": ('[Event "a\ufffd"]\n', 1, 10, 11),
    "L02": (b'[Event "Nov\xe1k"]\n', 1, 12, 13),
    "L03": ('[Event "a\0b"]\n', 1, 10, 11),
    "L04": ('[Event "x"]\n{ open\n\n[Event "y"]\n', 2, 1, 7),
    "L05": ('[Event "Club\n[Site "y"]\n', 1, 8, 13),
    "L06": ('[Event "a\\b"]\n', 1, 10, 12),
    "L07": (f'[Event "{"x" * 300}"]\n', 1, 255, 311),
    "L08": ('[Event "x"]\n[Dealer "N"] what\n', 2, 14, 18),
    "L09": ("[Board 7]\n", 1, 8, 9),
    "S10": ('[Event "x"]\n', 1, 1, 2),
    "S11": ('% PHN 2.0\n[Event "x"]\n', 1, 7, 10),
    "S12": ('[Event "x"]\n[Event "y"]\n', 2, 1, 12),
    "S13": (HAND + '[ScoreTable "Seat;Points"]\nN 1\n[Room "1"]\n', 7, 1, 11),
    "S14": (HAND + '[ScoreTable "Seat;Points"]\nN 1\nE 1 2\n', 7, 5, 6),
    "S15": (HAND + PLAY + "S2 S3 S4 S5 {nice}\n", 6, 13, 19),
    "S16": (HAND + '[ScoreTable "Seat;Points"]\nN 1\n[Event "y"]\n', 7, 1, 12),
    "S17": ('[Event "x"]\n[Variant "insurance"]\n[Detail "score"]\n', 1, 1, 12),
    "S18": (HAND.replace("score", "full"), 4, 10, 14),
    "S19": ('[Event "x"]\n' + "{}" * 5000 + "\n", 1, 1, 2),
    "T20": (HAND + '[Date "14.11.2025"]\n', 5, 8, 18),
    "T21": (HAND + '[Board "x"]\n', 5, 9, 10),
    "T22": (HAND.replace('"N"', '"SE"'), 2, 10, 12),
    "T23": (HAND + '[Seats "E S W"]\n', 5, 9, 14),
    "T24": (HAND + '[Ante "5,00"]\n', 5, 8, 12),
    "T25": (HAND + '[Termination "norml"]\n', 5, 15, 20),
    "T26": (HAND + '[Rules "insurance/1;mooon=none"]\n', 5, 21, 26),
    "T27": (HAND + PLAY + "S2 \u0421\u0422 S4 S5\n", 6, 4, 6),
    "T28": (HAND + '[ScoreTable "Seat;Points"]\nN \u0661\n', 6, 3, 4),
    "T29": (HAND + '[PainSuit "hearts"]\n', 5, 12, 18),
    "W90": (HAND + '[North "Nora Adams"]\n', 5, 9, 19),
    "W91": (HAND + '[Site "\u0141\u00f3d\u017a"]\n', 5, 8, 12),
    "W92": (HAND + '[X_Mood "good"]\n', 5, 1, 16),
    "W93": (HAND + '[Seats "E S W"]\n', 1, 1, 12),
    "W94": ("".join(f"> {line}\n" for line in HAND.splitlines()), 1, 1, 2),
    "D30": (HAND + '[Deal "N:AA2... .AK.. ..2.3 -"]\n', 5, 10, 16),
}


def all_diagnostics(source: bytes | str, mode: Mode = Mode.LENIENT) -> list[Diagnostic]:
    reader = Reader(source, mode=mode)
    entries = list(reader)
    found = [one for entry in entries for one in entry.diagnostics]
    return [*reader.diagnostics, *found, *write_pbn(entries).diagnostics]


def test_every_rule_has_a_fixture() -> None:
    assert {*FIXTURES} == {*(rule.value for rule in NotationRule), Code.CARD_TWICE.value}
    assert {*RULES} == {*NotationRule}


@pytest.mark.parametrize("rule", FIXTURES)
def test_a_defect_is_found_where_it_stands(rule: str) -> None:
    source, line, col, end = FIXTURES[rule]
    found = [one for one in all_diagnostics(source) if one.rule == rule]
    assert found, all_diagnostics(source)
    assert (found[0].line, found[0].col, found[0].end_col) == (line, col, end)
    assert found[0].message
    assert found[0].hint


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (HAND + '[Deeler "N"]\n', "did you mean Dealer?"),
        (HAND.replace("insurance", "insurence"), "did you mean insurance?"),
        (HAND + '[Termination "norml"]\n', "did you mean normal?"),
        (HAND + '[Date "14.11.2025"]\n', "write 2025.11.14"),
        (HAND + '[Date "03/04/25"]\n', "write 2025.04.03 or 2025.03.04, whichever it was"),
        (HAND + '[Date "2025-02-28"]\n', "write 2025.02.28"),
        (HAND + '[Date "2025-02-30"]\n', "this month has 28 days"),
        (HAND + '[Date "2025.02.30"]\n', "this month has 28 days"),
        (HAND + '[Date "0000-00-00"]\n', "the order is year, month, day"),
        (HAND + '[Date "10000.01.01"]\n', "write YYYY.MM.DD, ? for unknown digits"),
        (HAND + PLAY + "S2 S3 S4 S\u0422\n", "did you mean T?"),
        (HAND + PLAY + "S2 S3 S4 S\u202e2\n", "delete the hidden character"),
        (HAND + '[North "Nora Adams"]\n', '"Adams, Nora"?'),
    ],
)
def test_a_hint_says_what_was_probably_meant(text: str, hint: str) -> None:
    assert hint in [one.hint for one in all_diagnostics(text)]


NAMED = HAND + '[North "{}"]\n[East "Baker, Ed"]\n[South "{}"]\n'


@pytest.mark.parametrize("other", ["Adams, Nora", "ADAMS,  nora "])
def test_a_player_in_two_seats_is_named_at_the_second(other: str) -> None:
    found = [
        one for one in all_diagnostics(NAMED.format("Adams, Nora", other)) if one.rule == "T22"
    ]
    assert [(one.severity, one.line, one.tag) for one in found] == [(Severity.WARNING, 7, "South")]
    assert "N and at S" in found[0].message


def test_a_player_in_two_seats_is_named_in_a_canonical_record_too() -> None:
    text = (Path(__file__).parent / "samples" / "1-bicycle-auction-full.phn").read_text()
    (entry,) = Reader(text.replace("Baker, Ed", "Adams, Nora"))
    assert [(one.rule, one.tag) for one in entry.diagnostics] == [("T22", "East")]


@pytest.mark.parametrize("name", ["", "?", "-"])
def test_seats_without_a_name_are_not_one_player(name: str) -> None:
    assert "T22" not in [one.rule for one in all_diagnostics(NAMED.format(name, name))]


def test_a_lookalike_letter_is_named() -> None:
    messages = [one.message for one in all_diagnostics(HAND + PLAY + "S2 S3 S4 S\u0422\n")]
    assert any("U+0422, cyrillic capital letter te" in message for message in messages)


def test_an_insurance_of_seven_is_left_to_the_engine() -> None:
    text = VERSION + HAND + '[InsuranceTable "N;E;S;W"]\n7 F F3 -\n'
    (entry,) = Reader(text)
    assert entry.record is not None
    assert entry.record.papers is not None
    assert [(paper.number, paper.foot) for paper in entry.record.papers] == [
        (7, False),
        (None, True),
        (3, True),
        (None, False),
    ]
    assert entry.ok


def test_a_record_has_a_hundred_diagnostics_at_most() -> None:
    (entry,) = Reader(HAND + PLAY + "x x x x\n" * 200)
    assert len(entry.diagnostics) == 100
    assert "more than 100" in " ".join(one.message for one in entry.diagnostics)


def test_strict_rejects_the_record_and_not_the_file() -> None:
    bad, good = HAND + '[Board "x"]\n', HAND + '[Board "2"]\n'
    first, second = Reader(f"{bad}\n{good}", mode=Mode.STRICT)
    assert first.rejected
    assert first.record is None
    assert not second.rejected
    assert second.record is not None
    assert second.record.number == 2


def test_the_canonical_mode_takes_nothing_else() -> None:
    (entry,) = Reader(VERSION + HAND, mode=Mode.CANONICAL)
    assert [(one.rule, one.severity) for one in entry.diagnostics] == [("S19", Severity.ERROR)]


def test_a_seat_with_two_rows_is_reported_at_the_second() -> None:
    text = HAND + '[ScoreTable "Seat;Points"]\nN 1\nN 2\n'
    found = [one for one in all_diagnostics(text) if one.rule == "T22"]
    assert [(one.line, one.col) for one in found] == [(7, 1)]


def test_a_stripped_card_written_twice_is_seen_on_the_quick_way_too() -> None:
    sample = next((Path(__file__).parent / "samples").glob("2-*")).read_text(encoding="utf-8")
    (entry,) = Reader(sample.replace('"D2C2"', '"D22C2"'))
    assert [one.rule for one in entry.diagnostics] == ["D30"]


@pytest.mark.parametrize("rest", ["\0" * 100, "\n" + "\0" * 100, "\0\n" * 100, "\n\n\0\0\0\n\0\0"])
def test_zero_bytes_behind_a_file_are_one_finding(rest: str) -> None:
    verdict = judge(HAND + rest)
    found = [one.diagnostic for record in verdict.records for one in record.findings]
    nulls = [one for one in (*found, *verdict.diagnostics) if "NUL" in one.message]
    assert len(nulls) == 1
    assert [one.rule for one in found if one.rule in ("L08", "S14", "T22")] == []


def test_equal_hidden_characters_in_a_row_are_one_finding_each_place() -> None:
    verdict = judge(HAND.replace("[Dealer", '[Site "Lei\0\0\0den\0\0"]\n[Dealer'))
    (record,) = verdict.records
    found = [one.diagnostic for one in record.findings if one.diagnostic.rule == "L03"]
    assert [one.end_col - one.col for one in found] == [3, 2]
    assert found[0].message == "U+0000, 3 times here, is a NUL byte"
