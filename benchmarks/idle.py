"""What `serve` takes while nothing happens: memory of each process, and seconds to its start."""

import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure, verdict
from tests.chaos.house import standing
from tests.migrated import make_data_folder

MIB_MAX: Final = 300
"""Of all processes together (PSS), so that a machine with 1 GB serves a club."""
SECONDS_MAX: Final = 3.0
"""Until the address is announced, on a quiet machine whose files have been read before."""
_CALM: Final = 8.0
"""Seconds until every process has begun its work."""


def figures(rounds: int) -> Iterator[Figure]:
    """The processes, each with its share of what is shared, and the start."""
    with tempfile.TemporaryDirectory(prefix="painsuit-idle-") as folder:
        make_data_folder(Path(folder) / "data")
        starts = []
        rows: list[list[str]] = []
        for _round in range(1 + rounds):
            begun = time.monotonic()
            with standing(Path(folder)) as house:
                starts.append(time.monotonic() - begun)
                if len(starts) > rounds:
                    assert house.process is not None
                    time.sleep(_CALM)
                    rows = _rows(house.process.pid)
            house.log.unlink()  # it says that the service is ready
        quickest = min(starts[1:])
        rows.append(["start, the quickest", "", f"{quickest:.1f} s", f"<= {SECONDS_MAX:.0f} s",
                     verdict(reached=quickest <= SECONDS_MAX)])  # fmt: skip
    yield Figure(
        "The service while nothing happens",
        ["process", "MiB (RSS)", "MiB (PSS)", "goal", "reached"],
        rows,
        "RSS counts what processes share once for each of them, PSS once.",
    )


def _rows(pid: int) -> list[list[str]]:
    found = memory_of(pid)
    rows = [[name, f"{rss:.0f}", f"{pss:.0f}", "", ""] for name, rss, pss in found]
    rss, pss = sum(one[1] for one in found), sum(one[2] for one in found)
    reached = verdict(reached=pss <= MIB_MAX)
    return [*rows, ["all of them", f"{rss:.0f}", f"{pss:.0f}", f"<= {MIB_MAX}", reached]]


def memory_of(pid: int) -> list[tuple[str, float, float]]:
    """Name, RSS and PSS in MiB of a process and of all that it started (Linux)."""
    place = Path(f"/proc/{pid}")
    told = (place / "smaps_rollup").read_text(encoding="ascii")
    rss, pss = (_mib(told, name) for name in ("Rss", "Pss"))
    name = _name((place / "cmdline").read_text(encoding="utf-8"))
    listed = (place / f"task/{pid}/children").read_text(encoding="ascii").split()
    return [(name, rss, pss), *(one for child in listed for one in memory_of(int(child)))]


def _name(command: str) -> str:
    """What a process does, as its command line tells.

    >>> _name("python -m celery --app config.celery worker")
    'worker'
    """
    names = {
        "config.running.service": "supervisor",
        "gunicorn": "web server",
        "celery": "worker",
        "relay": "relay",
        "valkey": "broker",
        "redis": "broker",
    }
    return next((name for word, name in names.items() if word in command), command[:20])


def _mib(told: str, name: str) -> float:
    match = re.search(rf"^{name}:\s+(\d+) kB", told, re.MULTILINE)
    assert match is not None
    return int(match[1]) / 1024
