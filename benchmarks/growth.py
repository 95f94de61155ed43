"""Figure 3: the cost of long files and of hostile texts grows no faster than they do."""

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.figures import Figure, times, verdict
from benchmarks.hands import TABLES, texts
from benchmarks.hostile import MANY_RECORDS, SHAPES
from benchmarks.timing import Race, Runner, clocked, race
from engine.games.game_grouping import OPEN_GAMES
from engine.verdicts.judge import Judge, Judged

SHORT, MIDDLE, LONG = 1_000, 10_000, 100_000
_POOL: Final = 2_000
_LINEAR: Final = 1.1
_FLAT: Final = 1.1
_DOUBLING: Final = 2.3
_MS_MAX: Final = 50.0
_SIZES: Final = ((32 * 1024, 64 * 1024), (256 * 1024, 512 * 1024))
_LEAST_SECONDS: Final = 0.005
_PATIENCE: Final = 0.4
"""Seconds of turns for each pair of sizes, so that some of them are in quiet moments."""
_EVENT: Final = "Thursday League, spring"


def long_files(rounds: int) -> Iterator[Figure]:
    """The same hands in files of a thousand, of ten thousand and of a hundred thousand."""
    with tempfile.TemporaryDirectory() as folder:
        yield _long(_Files(Path(folder)), rounds)


class _Files:
    """The same records in short files, in middling ones, and in a long one."""

    def __init__(self, folder: Path) -> None:
        pool = [text for table in TABLES for text in texts(table, _POOL // len(TABLES))]
        self.of = {
            hands: [self._written(folder, pool, first, hands) for first in range(0, LONG, hands)]
            for hands in (SHORT, MIDDLE, LONG)
        }

    @staticmethod
    def _written(folder: Path, pool: list[str], first: int, hands: int) -> Path:
        """A file of so many records; when the pool begins anew, so does the event."""
        path = folder / f"{hands} from {first}.phn"
        with path.open("w", encoding="utf-8") as file:
            file.write("% PHN 1.0\n")
            for number in range(first, first + hands):
                league, hand = divmod(number, len(pool))
                text = pool[hand].replace(_EVENT, f"Thursday League, {league}", 1)
                file.write(("\n" if number > first else "") + text)
        return path


def judge_file(path: Path) -> int:
    """Judge a file while it is read; how many hands it has."""
    with path.open("rb") as file:
        return _judged(Judge(file))


def _judged(records: Iterable[Judged]) -> int:
    return sum(record.ok and record.after is not None for record in records)


def _long(files: _Files, rounds: int) -> Figure:
    runners = {hands: Runner(f"{hands}", _InTurn(paths)) for hands, paths in files.of.items()}
    results = [race(list(runners.values()), LONG // MIDDLE - 1) for _ in range(-(-rounds // 5))]
    result = Race(
        {
            name: [seconds for result in results for seconds in result.seconds[name]]
            for name in results[0].seconds
        }
    )
    memory = {hands: _peak(paths[0]) for hands, paths in files.of.items()}
    rows = []
    for hands, runner in runners.items():
        cost = result.ratio(runner.name, runners[SHORT].name)
        room = memory[hands] / memory[MIDDLE]
        rows.append(
            [
                f"{hands:,}",
                f"{files.of[hands][0].stat().st_size / 1e6:.1f}",
                f"{result.cost(runner.name):.0f}",
                times(cost),
                f"{memory[hands] / 1024:.1f}",
                times(room),
                verdict(reached=cost <= _LINEAR and room <= _FLAT),
            ]
        )
    columns = ["records", "MB", "us/hand", f"of {SHORT:,}", "peak MiB", f"of {MIDDLE:,}", "reached"]
    note = (
        "Files judged record by record while they are read, all systems: the same "
        f"{LONG:,} records in files of each size, {MIDDLE:,} of them in turn. Goals: a hand costs "
        f"at most {_LINEAR} x what it costs among {SHORT:,}; the peak memory of the whole process, "
        f"interpreter included, stays within {_FLAT} x of that at {MIDDLE:,}, where nearly as many "
        f"games are followed at once as ever ({OPEN_GAMES:,})."
    )
    return Figure("Long files", columns, rows, note)


class _InTurn:
    """Judges so many records at a turn, from files that are read one after the other."""

    def __init__(self, paths: list[Path]) -> None:
        self._records = self._all(paths)

    @staticmethod
    def _all(paths: list[Path]) -> Iterator[Judged]:
        for path in cycle(paths):
            with path.open("rb") as file:
                yield from Judge(file)

    def __call__(self) -> int:
        return _judged(islice(self._records, MIDDLE))


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
        verdict(reached=slow <= _MS_MAX and steep <= _DOUBLING),
    ]
    columns = ["text", "ms for 64 KiB", "32 to 64 KiB", "worst doubling", "reached"]
    note = (
        f"{len(rows)} shapes. Goals: a record of 64 KiB of anything in {_MS_MAX:.0f} ms, twice "
        f"the text in at most {_DOUBLING} x the time (32 to 64 KiB and 256 to 512 KiB; the larger "
        "is given; the quickest of many turns, which is what the text costs and not what else the "
        "machine does). Texts of thousands of records have no limit of milliseconds."
    )
    yield Figure("Hostile texts", columns, [total, *rows], note)


def _shape(name: str, rounds: int) -> list[str]:
    milliseconds, growth = 0.0, []
    for size, double in _SIZES:
        once, twice = _Hostile(name, size), _Hostile(name, double)
        turns = max(rounds, round(_PATIENCE / (once.seconds + twice.seconds)))
        taken = [(once.clock(), twice.clock()) for _ in range(turns)]
        short, long = map(min, zip(*taken, strict=True))
        growth.append(long / short)
        if double == _SIZES[0][1]:
            milliseconds = median(seconds for _, seconds in taken) * 1e3
    quick = milliseconds <= _MS_MAX or name in MANY_RECORDS
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
        self.seconds = self._turns * first

    def _once(self) -> int:
        for _ in Judge(self._text):
            pass
        return 1

    def _often(self) -> int:
        return sum(self._once() for _ in range(self._turns))

    def clock(self) -> float:
        """CPU seconds for judging the text once."""
        return clocked(Runner("", self._often))
