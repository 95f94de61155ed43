"""`manage.py convert`: every form, back again, and a target that is whole or not there."""

import json
import stat
import subprocess
import time
from pathlib import Path

import pytest

from engine.notation import read, write_csv, write_json, write_pbn
from tests.cli.calling import NAMES, SAMPLES, ask, command, environ, run

ALL = b"% PHN 1.0\n" + b"\n".join(
    (SAMPLES / name).read_bytes().removeprefix(b"% PHN 1.0\n") for name in sorted(NAMES.values())
)


@pytest.mark.parametrize("name", sorted(NAMES.values()))
def test_a_canonical_file_comes_out_byte_for_byte_also_by_way_of_json(
    name: str, tmp_path: Path
) -> None:
    source, between, after = SAMPLES / name, tmp_path / "a.json", tmp_path / "b.phn"
    assert run("convert", str(source), "--to", "phn").stdout == source.read_bytes()
    assert ask("convert", str(source), "--to", "json", "-o", str(between)).status == 0
    assert ask("convert", str(between), "--to", "phn", "-o", str(after)).status == 0
    assert after.read_bytes() == source.read_bytes()


def test_a_stream_of_records_is_written_as_the_library_writes_them_at_once() -> None:
    entries = list(read(ALL))
    assert run("convert", "-", "--to", "json", stdin=ALL).stdout.decode() == write_json(entries)
    assert run("convert", "-", "--to", "csv", stdin=ALL).stdout.decode() == write_csv(entries)
    assert run("convert", "-", "--to", "pbn", stdin=ALL).stdout == write_pbn(entries).data
    answer = run("convert", "-", "--to", "pbn", "--as-notrump", stdin=ALL)
    assert answer.stdout == write_pbn(entries, as_notrump=True).data
    assert b'[Contract "1NT"]' in answer.stdout


def test_what_pbn_cannot_hold_is_told_on_standard_error() -> None:
    answer = run("convert", "-", "--to", "pbn", stdin=ALL)
    assert answer.returncode == 0
    assert b"warning W93: PBN has four players, this record has 6" in answer.stderr


def test_json_is_known_however_slowly_it_begins() -> None:
    process = subprocess.Popen(
        command("convert", "-", "--to", "phn"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environ(),
        bufsize=0,
    )
    assert process.stdin
    text = ("\ufeff" + write_json(read(ALL))).encode()
    for piece in (text[:2], text[2:4], text[4:]):
        process.stdin.write(piece)
        time.sleep(0.01)
    process.stdin.close()
    assert process.stdout
    assert process.stdout.read() == ALL
    process.stdout.close()
    assert process.wait() == 0


def test_no_records_are_a_file_without_records() -> None:
    assert json.loads(run("convert", "-", "--to", "json").stdout) == {"phn": "1.0", "records": []}


def test_a_damaged_record_is_converted_and_named() -> None:
    damaged = ALL.replace(b'[Dealer "W"]', b'[Dealer "Q"]', 1)
    answer = run("convert", "-", "--to", "phn", stdin=damaged)
    assert answer.returncode == 1
    assert answer.stderr == b"convert: 1 record has errors; validate names them\n"
    assert answer.stdout.count(b"[Event ") == len(NAMES)


def test_an_input_is_never_overwritten_under_any_name(tmp_path: Path) -> None:
    source, link = tmp_path / "a.phn", tmp_path / "link"
    source.write_bytes(ALL)
    link.symlink_to(source)
    (tmp_path / "hard").hardlink_to(source)
    for name in ("a.phn", "link", "hard", "../" + tmp_path.name + "/a.phn"):
        answer = ask("convert", str(source), "--to", "json", "-o", str(tmp_path / name))
        assert answer.status == 2
        assert "is the file to be read" in answer.err
    assert source.read_bytes() == ALL


def test_a_target_is_replaced_whole_and_keeps_its_permissions(tmp_path: Path) -> None:
    source, target = tmp_path / "a.phn", tmp_path / "b.phn"
    source.write_bytes(ALL)
    target.write_text("old")
    target.chmod(0o640)
    assert ask("convert", str(source), "--to", "phn", "-o", str(target)).status == 0
    assert target.read_bytes() == ALL
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.phn", "b.phn"]


def test_a_target_stays_as_it_was_when_the_source_is_no_good(tmp_path: Path) -> None:
    source, target = tmp_path / "a.json", tmp_path / "b.phn"
    source.write_text('{"phn": "1.0", "records": [{"tags": 7}]}')
    target.write_text("old")
    answer = ask("convert", str(source), "--to", "phn", "-o", str(target))
    assert answer.status == 2
    assert answer.err == f"convert: cannot read {source}: records[0].tags: a list is needed\n"
    assert target.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_target_that_cannot_be_written(tmp_path: Path) -> None:
    source = str(SAMPLES / NAMES["1"])
    for target, why in (("none/x", "no such file or directory"), (".", "is a directory")):
        answer = ask("convert", source, "--to", "phn", "-o", str(tmp_path / target))
        assert answer.status == 2
        assert answer.err == f"convert: cannot write {tmp_path / target}: {why}\n"


def test_a_device_is_written_and_not_replaced() -> None:
    source = str(SAMPLES / NAMES["1"])
    assert ask("convert", source, "--to", "phn", "-o", "/dev/null").status == 0
    assert Path("/dev/null").is_char_device()
