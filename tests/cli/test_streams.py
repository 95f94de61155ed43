"""Long streams: every record counts, and memory does not grow with their number."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.calling import NAMES, RECORDS, ROOT, SAMPLES, ask, environ

SAMPLE = (SAMPLES / NAMES["1"]).read_text().removeprefix("% PHN 1.0\n")
MEASURED = """
import resource, sys
from config.running import bootstrap
from django.core.management import execute_from_command_line
try:
    execute_from_command_line(["manage.py", *sys.argv[1:]])
except SystemExit:
    pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def night(path: Path, records: int, *, hands: int) -> Path:
    """A file of so many records, in games of so many hands."""
    with path.open("w") as file:
        file.write("% PHN 1.0\n")
        for number in range(records):
            game, hand = divmod(number, hands)
            text = SAMPLE.replace('[Board "7"]', f'[Board "{hand + 1}"]')
            gap = "\n" if number else ""
            file.write(gap + text.replace("round 3", f"round {game}"))
    return path


def peak(*words: str) -> int:
    """The most memory that a command takes, in KiB."""
    answer = subprocess.run(
        [sys.executable, "-c", MEASURED, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environ(DJANGO_SETTINGS_MODULE="tests.settings"),
        cwd=ROOT,
        check=True,
    )
    return int(answer.stderr.split()[-1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "some", "hands"),
    [
        (["validate", "--quiet"], 200, 10),
        (["settle", "--format", "csv"], 200, 10**6),
        (["settle"], 1050, 10**6),
        (["settle"], 1050, 10),
        (["convert", "--to", "json"], 200, 10),
    ],
    ids=["validate", "csv", "one game", "many games", "convert"],
)
def test_memory_does_not_grow_with_the_file(
    words: list[str], some: int, hands: int, tmp_path: Path
) -> None:
    less = night(tmp_path / "less", some, hands=hands)
    more = night(tmp_path / "more", some + 800, hands=hands)
    command, *options = words
    # The 800 records more are 0.7 MiB of text alone, and ten times that as objects.
    assert peak(command, str(more), *options) - peak(command, str(less), *options) < 2048


@pytest.mark.slow
def test_json_is_read_record_by_record_too(tmp_path: Path) -> None:
    def kept(name: str, records: int) -> str:
        phn, kept = night(tmp_path / f"{name}.phn", records, hands=10), tmp_path / name
        assert ask("convert", str(phn), "--to", "json", "-o", str(kept)).status == 0
        return str(kept)

    less, more = kept("less", 200), kept("more", 1000)
    assert peak("convert", more, "--to", "phn") - peak("convert", less, "--to", "phn") < 2048


@pytest.mark.slow
def test_every_record_of_a_long_file_is_counted(tmp_path: Path) -> None:
    path = str(night(tmp_path / "long", 1234, hands=9))
    assert "1234 records" in ask("validate", path).out.splitlines()[-1]
    rows = list(csv.DictReader(io.StringIO(ask("settle", path, "--format", "csv").out)))
    assert len(rows) == 4 * 1234
    assert {row["Record"] for row in rows} == {str(number) for number in range(1, 1235)}
    text = ask("settle", path).out
    assert text.count("Standing after") == 138
    assert text.count(" took ") == 1234


@pytest.mark.slow
def test_a_game_longer_than_the_table_goes_on_in_another(tmp_path: Path) -> None:
    text = ask("settle", str(night(tmp_path / "long", 2100, hands=10**6))).out
    heads = [line.split(" · ")[0] for line in text.splitlines() if line.startswith("Game ")]
    assert heads == ["Game 1", "Game 1, continued", "Game 1, continued"]
    assert text.count(" took ") == 2100


def test_games_mixed_in_one_file_are_told_apart() -> None:
    lines = ask("settle", str(RECORDS / "night.phn"), "--format", "json").out.splitlines()
    hands = [(one["game"], one["hand"]) for one in map(json.loads, lines)]
    assert hands == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (0, 3)]


def test_json_has_what_the_page_and_the_api_have_and_the_end_of_the_game() -> None:
    rules = "bicycle;length=hands:3;buy-in=1000;currency=EUR"
    answer = ask("settle", str(RECORDS / "night.phn"), "--format", "json", "--rules", rules).out
    rows = [json.loads(line) for line in answer.splitlines()]
    end = next(row["final"] for row in rows if "final" in row)
    # A-30 of rules.md: 51/27/67/36, pot 19; 50 chips cost 10.00.
    assert end["payout"] == {"N": 1115, "E": 635, "S": 1435, "W": 815}
    assert end["places"] == {"N": 2, "E": 4, "S": 1, "W": 3}
    first = rows[0]
    assert first["sentence"] == "South bid 4 and named hearts. North and South took none and " + (
        "win 8 each; 1 stays in the pot."
    )
    assert first["pot"] == {"before": 0, "bid": 4, "paid": 13, "won": 16, "after": 1}
    assert first["next"]["phase"] == "auction"
