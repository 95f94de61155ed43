"""The exact text of the commands, reviewed by eye against rules.md and kept.

After a change that is meant: GOLDEN=write python -m pytest tests/cli/test_golden.py, and review.
"""

import os

import pytest

from tests.cli.calling import GOLDEN, NAMES, RECORDS, SAMPLES, ask

Case = tuple[str, tuple[str, ...]]

ON_SAMPLES: list[Case] = [
    (f"{command}-{number}", (command, NAMES[number]))
    for command in ("settle", "show")
    for number in "12345678"
]
ON_RECORDS: list[Case] = [
    ("validate-bad", ("validate", "bad.phn")),
    ("settle-bad", ("settle", "bad.phn")),
    ("show-bad", ("show", "bad.phn")),
    ("settle-night", ("settle", "night.phn")),
    (
        "settle-night-money",
        (
            "settle",
            "night.phn",
            "--rules",
            "bicycle;length=hands:3;buy-in=1000;currency=EUR",
        ),
    ),
    ("settle-night-csv", ("settle", "night.phn", "--format", "csv")),
]
ANYWHERE: list[Case] = [
    ("show-3-ascii", ("show", NAMES["3"], "--ascii")),
    ("show-4-trick-3", ("show", NAMES["4"], "--trick", "3")),
    ("analyse-1", ("analyse", NAMES["1"], "--nodes", "20000")),
    ("analyse-4", ("analyse", NAMES["4"], "--tricks", "4")),
    ("rules", ("rules",)),
    ("rules-house", ("rules", "auction-bicycle/1;min-bid=2;pain-lead=free")),
    ("rules-switches", ("rules", "--switches")),
]


def compare(name: str, out: str) -> None:
    if os.environ.get("GOLDEN") == "write":
        (GOLDEN / f"{name}.txt").write_text(out)
    assert out == (GOLDEN / f"{name}.txt").read_text()


@pytest.mark.parametrize(("name", "words"), ON_SAMPLES + ANYWHERE)
def test_a_sample_looks_as_reviewed(
    name: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(SAMPLES)
    compare(name, ask(*words).out)


@pytest.mark.parametrize(("name", "words"), ON_RECORDS)
def test_a_club_night_looks_as_reviewed(
    name: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(RECORDS)
    compare(name, ask(*words).out)


def test_nothing_for_people_is_wider_than_eighty_columns() -> None:
    pages = [path for path in GOLDEN.glob("*.txt") if not path.stem.endswith("csv")]
    wide = [line for path in pages for line in path.read_text().splitlines() if len(line) > 80]
    assert pages
    assert wide == []


def test_plain_ascii_is_plain_ascii() -> None:
    assert (GOLDEN / "show-3-ascii.txt").read_text().isascii()


def test_both_layouts_have_the_same_lines() -> None:
    fancy = (GOLDEN / "show-3.txt").read_text().splitlines()
    plain = (GOLDEN / "show-3-ascii.txt").read_text().splitlines()
    assert [len(line) for line in fancy] == [len(line) for line in plain]
