"""`manage.py validate`: what it says, for people and for programs, and its exit status."""

import json

import pytest

from tests.cli.calling import NAMES, RECORDS, SAMPLES, ask, run

SAMPLE = (SAMPLES / NAMES["1"]).read_bytes()
BAD = (RECORDS / "bad.phn").read_bytes()


@pytest.mark.parametrize("name", sorted(NAMES.values()))
def test_every_sample_is_in_order(name: str) -> None:
    answer = ask("validate", str(SAMPLES / name))
    assert answer.status == 0
    assert "no errors" in answer.out


@pytest.mark.parametrize("command", ["validate", "show"])
def test_a_date_in_the_future_is_a_warning(command: str) -> None:
    answer = ask(command, "-", stdin=SAMPLE.replace(b'"2025.11.14"', b'"2999.11.14"'))
    assert answer.status == 0
    assert "2999.11.14 is still to come" in answer.out


def test_a_wrong_file_makes_the_status_1_also_quietly() -> None:
    assert ask("validate", "-", stdin=BAD).status == 1
    quiet = ask("validate", "-", "--quiet", stdin=BAD)
    assert (quiet.status, quiet.out, quiet.err) == (1, "", "")


def test_a_hand_that_needs_a_ruling_makes_the_status_1() -> None:
    revoke = SAMPLE.replace(b"C6 HJ C7\n", b"D4 HJ C7\n").replace(b"\nD4 HQ", b"\nCT HQ")
    revoke = revoke.replace(b"CT D4 HJ", b"D4 C6 HJ")
    answer = ask("validate", "-", stdin=revoke)
    assert answer.status == 1
    assert "ruling P51" in answer.out
    assert "rulings needed" in answer.out or "1 ruling needed" in answer.out


def test_the_caret_stands_under_what_is_meant_behind_wide_letters() -> None:
    record = '% PHN 1.0\n[North "王"] [Board "x"]\n[Variant "sahara"]\n'.encode()
    lines = ask("validate", "-", stdin=record).out.splitlines()
    at = next(place for place, line in enumerate(lines) if "T21" in line)
    # The Chinese letter takes two columns of a terminal and is one of the text.
    assert lines[at + 1].index("x") + 1 == lines[at + 2].index("^")


def test_a_long_line_is_cut_around_the_place() -> None:
    record = b'% PHN 1.0\n[Event "' + b"e" * 3000 + b'"] [Board "x"]\n[Variant "sahara"]\n'
    out = ask("validate", "-", stdin=record).out
    assert max(map(len, out.splitlines())) < 100
    assert '[Board "x"]' in out


def test_nothing_in_a_file_can_drive_the_terminal() -> None:
    record = b'% PHN 1.0\n[Event "\x1b[2J\x07"]\n[Board "\x1b]0;x"]\n[Variant "no\x1b[31m"]\n'
    for command in (["validate"], ["show"], ["settle"], ["validate", "--format", "json"]):
        answer = ask(*command, "-", stdin=record)
        assert "\x1b" not in answer.out + answer.err
        assert "\x07" not in answer.out + answer.err


def test_json_gives_a_line_for_each_finding_and_a_last_one_for_all() -> None:
    answer = ask("validate", "-", "--format", "json", stdin=BAD)
    *findings, last = map(json.loads, answer.out.splitlines())
    assert answer.status == 1
    assert last["records"] == 2
    assert sum(last["found"].values()) == len(findings)
    assert last["ok"] is False
    slip = next(one for one in findings if one["rule"] == "P50")
    assert slip["file"] == "standard input"
    assert (slip["severity"], slip["seat"], slip["card"]) == ("error", "N", "HA")
    assert (slip["line"], slip["col"], slip["end_col"]) == (29, 7, 9)
    assert slip["hint"] == "write CA for HA, and HA for CA"
    assert slip["law"] == "K5"
    assert "P51" not in {one.get("rule") for one in findings}


def test_a_defect_of_the_whole_file_is_told_once() -> None:
    answer = ask("validate", "-", "--format", "json", stdin=SAMPLE.replace(b"% PHN 1.0\n", b""))
    rules = [json.loads(line).get("rule") for line in answer.out.splitlines()]
    assert rules.count("S10") == 1
    assert answer.status == 0


def test_the_rules_of_the_call_overrule_those_of_the_record() -> None:
    assert "A43" not in ask("validate", "-", stdin=SAMPLE).out
    answer = ask("validate", "-", "--rules", "hoyle-auction", stdin=SAMPLE)
    assert answer.status == 1
    assert "ruling A43" in answer.out


def test_canonical_mode_wants_the_canonical_form() -> None:
    assert ask("validate", "-", "--mode", "canonical", stdin=SAMPLE).status == 0
    loose = SAMPLE.replace(b"[Event ", b"[Event   ")
    assert ask("validate", "-", stdin=loose).status == 0
    assert ask("validate", "-", "--mode", "canonical", stdin=loose).status == 1


def test_colour_belongs_to_terminals_and_to_those_who_want_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[" not in ask("validate", "-", stdin=BAD).out
    assert "\x1b[" in ask("validate", "-", stdin=BAD, tty=True).out
    assert "\x1b[" in ask("validate", "-", "--force-color", stdin=BAD).out
    assert "\x1b[" not in ask("validate", "-", "--no-color", stdin=BAD, tty=True).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in ask("validate", "-", stdin=BAD, tty=True).out
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b[" not in ask("validate", "-", stdin=BAD, tty=True).out


def test_a_terminal_without_the_glyphs_gets_letters() -> None:
    for words in (["show"], ["settle"], ["validate"]):
        answer = run(*words, "-", stdin=SAMPLE, PYTHONIOENCODING="ascii")
        assert answer.returncode == 0
        assert answer.stdout.isascii()
        assert answer.stderr == b""


def test_an_empty_file_and_a_picture_are_one_line() -> None:
    for content, said in (
        (b"", "nothing to read"),
        (b" \n", "nothing to read"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 99, "This is a picture, no record of a hand."),
    ):
        answer = ask("validate", "-", stdin=content)
        assert (answer.status, answer.out) == (1, "")
        assert answer.err == f"validate: standard input: {said}\n"
