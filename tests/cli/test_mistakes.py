"""Mistakes of a user: one clear line, the right exit status, never a traceback."""

import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.calling import NAMES, RECORDS, SAMPLES, ask, command, environ, run

SAMPLE = str(SAMPLES / NAMES["1"])
READERS = (["validate"], ["settle"], ["show"], ["analyse"], ["convert", "--to", "phn"])


@pytest.mark.parametrize("words", READERS, ids=lambda words: words[0])
def test_a_file_that_cannot_be_read(words: list[str], tmp_path: Path) -> None:
    for name, reason in ((tmp_path / "none", "no such file"), (tmp_path, "is a directory")):
        answer = ask(*words, str(name))
        assert answer.status == 2
        assert answer.err.splitlines() == [f"{words[0]}: cannot read {name}: {_why(reason)}"]


def _why(reason: str) -> str:
    return reason + " or directory" if reason == "no such file" else reason


def test_the_other_files_are_read_all_the_same(tmp_path: Path) -> None:
    answer = ask("validate", str(tmp_path / "none"), SAMPLE)
    assert answer.status == 2
    assert "1 record, no errors, 1 warning" in answer.out
    answer = ask("settle", str(tmp_path / "none"), SAMPLE)
    assert answer.status == 2
    assert "Standing after 1 hand" in answer.out


def test_a_date_beyond_all_bounds_keeps_no_other_file_from_being_read(tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.phn"
    hostile.write_text('% PHN 1.0\n[Date "2026.01.9999999999"]\n[Variant "sahara"]\n')
    answer = ask("validate", str(hostile), SAMPLE)
    assert answer.status == 1
    assert "'2026.01.9999999999' is not a date" in answer.out
    assert "2 records" in answer.out


@pytest.mark.parametrize("words", READERS[:3], ids=lambda words: words[0])
def test_json_is_not_taken_for_damaged_text(words: list[str], tmp_path: Path) -> None:
    file = tmp_path / "hands.json"
    assert ask("convert", SAMPLE, "--to", "json", "--output", str(file)).status == 0
    answer = ask(*words, str(file))
    assert answer.status == 2
    assert answer.err.splitlines() == [
        f"{words[0]}: {file} is JSON; convert it first, with --to phn"
    ]


def test_a_table_that_is_too_large_for_its_rules_has_no_standing(tmp_path: Path) -> None:
    file = tmp_path / "five.phn"
    file.write_text((SAMPLES / NAMES["2"]).read_text().replace("hearts-hoyle", "auction-bicycle"))
    answer = ask("settle", str(file))
    assert answer.status == 1
    assert "these rules are for 4" in " ".join(answer.out.split())
    assert "Standing" not in answer.out


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("nonsense", "is not one of"),
        ("bicycle;min-bids=2", "did you mean min_bid?"),
        ("bicycle;min-bid=two", "is not a value"),
        ("bicycle;min-bid", "write switch=value"),
        ("auction-bicycle/9", "version 1"),
        ("sahara;settlement=pot", "the queen counts only with settlement=points"),
    ],
)
def test_rules_that_cannot_be(rules: str, words: str) -> None:
    for call in (["rules", rules], ["validate", SAMPLE, "--rules", rules]):
        answer = ask(*call)
        assert answer.status == 2
        assert answer.out == ""
        assert len(answer.err.splitlines()) == 1
        assert words in answer.err


@pytest.mark.parametrize(
    "words",
    [
        ["validate"],
        ["validate", SAMPLE, "--mode", "loose"],
        ["show", SAMPLE, "--record", "0"],
        ["show", SAMPLE, "--trick", "x"],
        ["convert", SAMPLE],
        ["convert", SAMPLE, "--to", "xml"],
        ["rules", "--list", "--switches"],
    ],
    ids=" ".join,
)
def test_a_call_that_makes_no_sense(words: list[str]) -> None:
    answer = run(*words)
    assert answer.returncode == 2
    assert b"usage: manage.py" in answer.stderr
    assert b"Traceback" not in answer.stderr


def test_a_record_or_a_trick_that_is_not_there() -> None:
    answer = ask("show", SAMPLE, "--record", "2")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == f"show: there is no record 2; {SAMPLE} has 1 record\n"
    answer = ask("show", SAMPLE, "--trick", "14")
    assert answer.err == "show: there is no trick 14; this hand has 13\n"


@pytest.mark.parametrize("words", READERS, ids=lambda words: words[0])
def test_bytes_that_are_no_records(words: list[str]) -> None:
    noise = bytes(range(256)) * 40 + b"\n\n\0\0\n" + b"\xff\xfe" * 99
    for text in (noise, b"", b"\n\n", b"{", b"[", "[Event \u2603".encode("utf-16")):
        answer = ask(*words, "-", stdin=text)
        assert answer.status in (0, 1, 2)
        assert len(answer.err.splitlines()) <= 1


@pytest.mark.parametrize("words", [["rules", "--switches"], ["settle", SAMPLE], ["show", SAMPLE]])
def test_a_reader_who_goes_away(words: list[str]) -> None:
    with subprocess.Popen(
        command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        error = process.stderr.read()
        assert process.wait() == 141
    assert error == b""


def test_control_c_stops_in_one_line() -> None:
    with subprocess.Popen(
        command("validate", "-"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ(PYTHONUNBUFFERED="1"),
        # A shell's background job ignores SIGINT, and so would our child.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        # The first hand of its game: nothing before it is missing that could still come.
        records = (RECORDS / "bad.phn").read_bytes().replace(b'Board "7"', b'Board "1"', 1)
        process.stdin.write(records)
        process.stdin.flush()
        # A record is judged when it is complete, though more may come: a live table can be read.
        assert process.stdout.readline().startswith(b"standard input:29:7: error P50")
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error.strip() == b"validate: stopped"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", READERS, ids=lambda words: words[0])
def test_a_full_disk(words: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        answer = subprocess.run(
            command(*words, SAMPLE),
            stdout=full,
            stderr=subprocess.PIPE,
            env=environ(),
            check=False,
        )
    assert answer.returncode == 2
    assert answer.stderr.splitlines() == [
        f"{words[0]}: cannot write: No space left on device".encode()
    ]


def test_no_command_needs_a_database_or_a_data_folder() -> None:
    for words in (["validate", SAMPLE], ["settle", SAMPLE], ["show", SAMPLE], ["rules"]):
        answer = run(*words, PAINSUIT_DATA="/proc/nowhere")
        assert answer.returncode == 0
        assert answer.stderr == b""
