"""Figure 3: the cost of long files and of hostile texts grows no faster than they do."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.figures import Figure, times, verdict
from benchmarks.hands import TABLES, texts
from benchmarks.hostile import MANY_RECORDS, SHAPES
from benchmarks.timing import Runner, clocked, race
from engine.following import OPEN_GAMES
from engine.judge import Judge

SHORT, MIDDLE, LONG = 1_000, 10_000, 100_000
_POOL: Final = 2_000
_LINEAR: Final = 1.1
_FLAT: Final = 1.1
_DOUBLING: Final = 2.3
_MOST_MS: Final = 50.0
_SIZES: Final = ((32 * 1024, 64 * 1024), (256 * 1024, 512 * 1024))
_LEAST_SECONDS: Final = 0.02
_EVENT: Final = "Thursday League, spring"


def long_files(rounds: int) -> Iterator[Figure]:
    """Files of a thousand to a hundred thousand records."""
    with tempfile.TemporaryDirectory() as folder:
        files = {hands: Path(folder, f"{hands}.phn") for hands in (SHORT, MIDDLE, LONG)}
        pool = _pool()
        for hands, path in files.items():
            _write(path, hands, pool)
        yield _long(files, rounds)


def _pool() -> list[str]:
    """Records of all systems, game after game."""
    return [text for table in TABLES for text in texts(table, _POOL // len(TABLES))]


def _write(path: Path, hands: int, pool: list[str]) -> None:
    """A file of so many records; when the pool begins anew, so does the event."""
    with path.open("w", encoding="utf-8") as file:
        file.write("% PHN 1.0\n")
        for number in range(hands):
            league, hand = divmod(number, len(pool))
            text = pool[hand].replace(_EVENT, f"Thursday League, {league}", 1)
            file.write(("\n" if number else "") + text)


def judge_file(path: Path) -> int:
    """Judge a file while it is read; how many hands it has."""
    with path.open("rb") as file:
        return sum(record.ok and record.after is not None for record in Judge(file))


def _long(files: dict[int, Path], rounds: int) -> Figure:
    runners = {hands: Runner(f"{hands}", _judging(path, hands)) for hands, path in files.items()}
    result = race(list(runners.values()), rounds)
    memory = {hands: _peak(path) for hands, path in files.items()}
    rows = []
    for hands, runner in runners.items():
        cost = result.ratio(runner.name, runners[SHORT].name)
        room = memory[hands] / memory[MIDDLE]
        rows.append(
            [
                f"{hands:,}",
                f"{files[hands].stat().st_size / 1e6:.1f}",
                f"{result.cost(runner.name):.0f}",
                times(cost),
                f"{memory[hands] / 1024:.1f}",
                times(room),
                verdict(reached=cost <= _LINEAR and room <= _FLAT),
            ]
        )
    columns = ["records", "MB", "us/hand", f"of {SHORT:,}", "peak MiB", f"of {MIDDLE:,}", "reached"]
    note = (
        "A file judged record by record while it is read, all systems. Goals: a hand costs at "
        f"most {_LINEAR} x what it costs among {SHORT:,}; the peak memory of the whole process, "
        f"interpreter included, stays within {_FLAT} x of that at {MIDDLE:,}, where nearly as many "
        f"games are followed at once as ever ({OPEN_GAMES:,})."
    )
    return Figure("Long files", columns, rows, note)


def _judging(path: Path, hands: int) -> "_FileJudge":
    return _FileJudge(path, max(1, MIDDLE // hands))


class _FileJudge:
    """Judges a file some times over, so that short files take long enough to be measured."""

    def __init__(self, path: Path, turns: int) -> None:
        self._path = path
        self._turns = turns

    def __call__(self) -> int:
        return sum(judge_file(self._path) for _ in range(self._turns))


def _peak(path: Path) -> int:
    """The peak memory, in KiB, of a process of its own that judges a file."""
    command = [sys.executable, "-m", "benchmarks.memory", str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(done.stdout)


def hostile_texts(rounds: int) -> Iterator[Figure]:
    """What makes a careless reader slow."""
    rows = sorted((_shape(name, rounds) for name in SHAPES), key=lambda row: -float(row[3]))
    slow = max(float(row[1]) for row in rows if row[0] not in MANY_RECORDS)
    steep = max(float(row[3]) for row in rows)
    total = [
        "the worst of each",
        f"{slow:.1f}",
        "",
        f"{steep:.2f}",
        verdict(reached=slow <= _MOST_MS and steep <= _DOUBLING),
    ]
    columns = ["text", "ms for 64 KiB", "32 to 64 KiB", "worst doubling", "reached"]
    note = (
        f"{len(rows)} shapes. Goals: a record of 64 KiB of anything in {_MOST_MS:.0f} ms, twice "
        f"the text in at most {_DOUBLING} x the time (32 to 64 KiB and 256 to 512 KiB; the larger "
        "is given). Texts of thousands of records have no limit of milliseconds."
    )
    yield Figure("Hostile texts", columns, [total, *rows], note)


def _shape(name: str, rounds: int) -> list[str]:
    milliseconds, growth = 0.0, []
    for size, double in _SIZES:
        once, twice = _Hostile(name, size), _Hostile(name, double)
        times_taken = [(once.clock(), twice.clock()) for _ in range(rounds)]
        growth.append(median(long / short for short, long in times_taken))
        if double == _SIZES[0][1]:
            milliseconds = median(long for _, long in times_taken) * 1e3
    quick = milliseconds <= _MOST_MS or name in MANY_RECORDS
    reached = quick and max(growth) <= _DOUBLING
    return [
        name,
        f"{milliseconds:.1f}",
        f"{growth[0]:.2f}",
        f"{max(growth):.2f}",
        verdict(reached=reached),
    ]


class _Hostile:
    """One hostile text, judged often enough to be measured."""

    def __init__(self, name: str, size: int) -> None:
        self._text = SHAPES[name](size)
        first = clocked(Runner(name, self._once))
        self._turns = max(1, round(_LEAST_SECONDS / max(first, 1e-6)))

    def _once(self) -> int:
        for _ in Judge(self._text):
            pass
        return 1

    def _often(self) -> int:
        return sum(self._once() for _ in range(self._turns))

    def clock(self) -> float:
        """CPU seconds for judging the text once."""
        return clocked(Runner("", self._often))
