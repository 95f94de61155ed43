"""Score slips: how many photographs are read right, at what cost in time and memory.

``python -m benchmarks.slips 200`` reads fewer photographs; ``python -m benchmarks.slips FILE`` says
how much memory reading one takes, in KiB.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from statistics import median
from subprocess import run
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image

from benchmarks.figures import Figure, verdict
from benchmarks.memory import peak
from benchmarks.slip_photos import Outcome, compare, is_clean, random_photo, read_photo
from engine.rules.presets import PRESETS
from scoring.slips.layout import lay_out
from scoring.slips.recognition import SlipReading, read_pictures

_PHOTOS: Final = 2000
_RIGHT_MIN: Final = 0.98
_MS_MAX: Final = 150
_MIB_MAX: Final = 150


def figures(_rounds: int) -> Iterator[Figure]:
    """Read synthetic photographs over all rule sets and sizes of tables."""
    yield _read_many(_PHOTOS)
    yield _memory()


def _read_many(photos: int) -> Figure:
    outcomes: Counter[Outcome] = Counter()
    clean, seconds, largest = 0, [], 0
    for seed in range(photos):
        photo = random_photo(seed, table=seed)
        began = time.process_time()
        readings = read_photo(photo)
        seconds.append((time.process_time() - began) / len(photo.slips))
        outcomes.update(compare(slip, readings) for slip in photo.slips)
        read = [reading for reading in readings if isinstance(reading, SlipReading)]
        clean += sum(map(is_clean, read))
        largest = max([largest, *(len(reading.crop) for reading in read)])
    slips = outcomes.total()
    right = outcomes[Outcome.RIGHT] / slips
    mean = 1000 * sum(seconds) / photos
    rows = [
        [
            "read right",
            f"{right:.2%}",
            f">= {_RIGHT_MIN:.0%}",
            verdict(reached=right >= _RIGHT_MIN),
        ],
        [
            "wrong without a question",
            str(outcomes[Outcome.WRONG]),
            "0",
            verdict(reached=not outcomes[Outcome.WRONG]),
        ],
        ["asked without need", f"{outcomes[Outcome.ASKED] / slips:.2%}", "-", "-"],
        ["told that it cannot be read", f"{outcomes[Outcome.UNREAD] / slips:.2%}", "-", "-"],
        ["without any question", f"{clean / slips:.2%}", "-", "-"],
        ["CPU ms a slip, mean", f"{mean:.0f}", f"< {_MS_MAX}", verdict(reached=mean < _MS_MAX)],
        ["CPU ms a slip, median", f"{1000 * median(seconds):.0f}", "-", "-"],
        [
            "bytes of the largest crop",
            f"{largest:,}",
            "<= 60,000",
            verdict(reached=largest <= 60_000),
        ],
    ]
    note = (
        f"{slips} slips on {photos} photographs. A row with something erased, struck out or spilt "
        "on it is right when it is read as meant or asked about; any other question is not right."
    )
    return Figure("Score slips read", ["slips", "found", "goal", "reached"], rows, note)


def _memory() -> Figure:
    rows = []
    with TemporaryDirectory() as folder:
        for kind in ("JPEG", "PNG"):
            picture = Image.open(BytesIO(random_photo("memory", 4).data)).resize((4000, 3000))
            file = Path(folder) / kind
            picture.save(file, kind)
            command = [sys.executable, "-m", "benchmarks.slips", str(file)]
            found = int(run(command, capture_output=True, check=True).stdout) / 1024
            reached = verdict(reached=found < _MIB_MAX)
            rows.append([f"12 megapixels, {kind}", f"{found:.0f}", f"< {_MIB_MAX}", reached])
    note = "The peak of a process that reads one photograph of four slips, MiB."
    return Figure("Memory of reading slips", ["photograph", "MiB", "goal", "reached"], rows, note)


if __name__ == "__main__":
    argument = sys.argv[1]
    if argument.isdecimal():
        print(_read_many(int(argument)), _memory(), sep="\n\n")
    else:
        by_rules = {
            (rules.digest[:6], players): lay_out(rules, players)
            for rules in PRESETS.values()
            for players in range(rules.players.least, rules.players.most + 1)
        }
        data = Path(argument).read_bytes()
        list(read_pictures(data, lambda code: by_rules.get((f"{code.rules:06x}", code.players))))
        print(peak())
