"""Figure: what a backup packed as it is written takes, beside one that is written as it is."""

import time
from collections.abc import Iterator
from statistics import median
from typing import Final
from unittest.mock import patch

from django.db import connection

from benchmarks.archiving import fill
from benchmarks.figures import Figure, times, verdict
from benchmarks.ready import database
from config.operations.backups import back_up
from tournaments.models import Club

_HANDS: Final = 20_480
"""In a database that was empty."""
_SIZE_MAX: Final = 0.25
_SECONDS_MAX: Final = 1.5
"""Of the size and the processor time of one that is not packed."""


class Unpacked:
    """Takes the place of what packs, and lets everything through."""

    def compress(self, data: bytes) -> bytes:
        """Return what it is given."""
        return data

    def flush(self) -> bytes:
        """Return nothing: nothing waits."""
        return b""


def figures(rounds: int) -> Iterator[Figure]:
    """The whole database, by turns with and without packing."""
    with database():
        if not Club.objects.exists():
            fill(_HANDS)
        packed, plain = [], []
        for _ in range(rounds):
            packed.append(_write())
            with patch("config.operations.backups.zlib.compressobj", lambda **_options: Unpacked()):
                plain.append(_write())
    size, whole = packed[-1][0], plain[-1][0]
    seconds = median(spent for _size, spent in packed)
    unpacked = median(spent for _size, spent in plain)
    rows = [
        _row("MB", size / 1e6, whole / 1e6, _SIZE_MAX),
        _row("CPU s", seconds, unpacked, _SECONDS_MAX),
    ]
    yield Figure(
        "A backup packed",
        ["what", "packed", "not packed", "ratio", "goal", "reached"],
        rows,
        f"The whole database on {connection.display_name}, by turns; medians of {rounds}. Processor"
        " time is that of the command; the server's own is the same for both.",
    )


def _write() -> tuple[int, float]:
    """Write a backup to nowhere; its bytes, and the seconds of processor time that it took."""
    sizes: list[int] = []
    begun = time.process_time()
    back_up(lambda data: sizes.append(len(data)))
    return sum(sizes), time.process_time() - begun


def _row(what: str, packed: float, plain: float, goal: float) -> list[str]:
    ratio = packed / plain
    row = [what, f"{packed:,.2f}", f"{plain:,.2f}", times(ratio), f"<= {goal:g} x"]
    return [*row, verdict(reached=ratio <= goal)]
