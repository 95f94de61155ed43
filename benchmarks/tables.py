"""Seconds and memory of writing a long table: ``python -m benchmarks.tables FORMAT ROWS``."""

import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from operator import itemgetter

from benchmarks.memory import peak
from tournaments.tables.formats import FORMATS
from tournaments.tables.model import Column, ColumnKind, Row, Table, Workbook

COLUMNS: tuple[Column[Row], ...] = (
    Column(key="rank", title="Rank", kind=ColumnKind.INTEGER, value=itemgetter(0)),
    Column(key="player", title="Player", value=itemgetter(1)),
    Column(key="club", title="Club", value=itemgetter(2)),
    Column(key="points", title="Points", kind=ColumnKind.DECIMAL, value=itemgetter(3)),
    Column(
        key="balance", title="Balance", kind=ColumnKind.MONEY, currency="EUR", value=itemgetter(4)
    ),
    Column(key="hands", title="Hands", kind=ColumnKind.INTEGER, value=itemgetter(5)),
    Column(key="at", title="Last hand", kind=ColumnKind.DATETIME, value=itemgetter(6)),
    Column(key="note", title="Note", value=itemgetter(7)),
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
    workbook = Workbook((Table("Long", COLUMNS, rows(count)),))
    return sum(map(len, FORMATS[extension].write(workbook)))


if __name__ == "__main__":
    before, begun = peak(), time.process_time()
    size = write(sys.argv[1], int(sys.argv[2]))
    seconds = time.process_time() - begun
    print(f"{size:,} bytes, {seconds:.1f} s, {(peak() - before) // 1024} MiB more")
