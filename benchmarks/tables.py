"""Seconds and memory of writing a long table: ``python -m benchmarks.tables FORMAT ROWS``."""

import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from benchmarks.memory import peak
from tournaments.tables.formats import FORMATS
from tournaments.tables.sheets import CellKind, Column, Row, TableSheet, Workbook

COLUMNS = (
    Column(name="Rank", key="rank", kind=CellKind.WHOLE),
    Column(name="Player", key="player"),
    Column(name="Club", key="club"),
    Column(name="Points", key="points", kind=CellKind.EXACT),
    Column(name="Balance", key="balance", kind=CellKind.MONEY, currency="EUR"),
    Column(name="Hands", key="hands", kind=CellKind.WHOLE),
    Column(name="Last hand", key="at", kind=CellKind.MOMENT),
    Column(name="Note", key="note"),
)
START = datetime(2026, 11, 22, 19, 30, tzinfo=UTC)


def rows(count: int) -> Iterator[Row]:
    """Rows that are made while they are written."""
    for number in range(count):
        at = START + timedelta(minutes=number)
        points = Fraction(number, 4)
        yield (number, f"Player {number}", "Club", points, 100 - number, number % 50, at, "")


def write(extension: str, count: int) -> int:
    """Write a table; how many bytes it has."""
    workbook = Workbook((TableSheet("Long", COLUMNS, rows(count)),))
    return sum(map(len, FORMATS[extension].write(workbook)))


if __name__ == "__main__":
    before, begun = peak(), time.process_time()
    size = write(sys.argv[1], int(sys.argv[2]))
    seconds = time.process_time() - begun
    print(f"{size:,} bytes, {seconds:.1f} s, {(peak() - before) // 1024} MiB more")
