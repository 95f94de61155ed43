"""The archive of a club: its hands written as complete records, and the memory that takes.

``python -m benchmarks.archiving HANDS`` tells it of so many hands, ``make bench`` of fewer.
"""

import io
import sys
import time
from collections.abc import Iterator
from itertools import islice
from statistics import median

from benchmarks import club
from benchmarks.figures import Figure
from benchmarks.hands import Table, games, text_of
from benchmarks.memory import peak
from benchmarks.ready import database
from engine.notation.writer import VERSION_LINE
from scoring.ledger.transfers import Stamp
from scoring.models import Form, HandVersion
from scoring.selectors import queries
from scoring.transfer.exporting.archive import write_archive
from scoring.transfer.importing import ArchiveImport, Options
from tournaments.models import Club

_HANDS = 20_480
_TABLE = Table("bicycle", 4)


def figures(rounds: int) -> Iterator[Figure]:
    """So many hands as one file, entered as records and as results."""
    with database():
        home = fill(_HANDS)
        rows = [_row("records", home, rounds)]
        # A text that was made here of a result is known to be canonical.
        HandVersion.objects.update(form=Form.RESULT)
        rows.append(_row("results", home, rounds))
    columns = ["hands", "entered as", "records/s", "more memory"]
    note = "From the database to the bytes of the file, on CPU time; medians."
    yield Figure("The archive of a club written", columns, rows, note)


def _row(kind: str, home: Club, rounds: int) -> list[str]:
    before = peak()
    seconds = median(write(home)[0] for _ in range(rounds))
    more = (peak() - before) // 1024
    return [str(_HANDS), kind, f"{_HANDS / seconds:,.0f}", f"{more} MiB"]


def fill(hands: int) -> Club:
    """A club with so many hands, brought in as an archive."""
    home = Club.objects.create(name="Archive", created_at=club.NIGHT)
    records = map(text_of, games(_TABLE, hands))
    while some := list(islice(records, 1024)):
        text = io.BytesIO((VERSION_LINE + "\n".join(some)).encode())
        archive = ArchiveImport(home.pk, text, Options(), Stamp(club.BY, club.NIGHT))
        while archive.take():
            pass
    return home


def write(home: Club) -> tuple[float, int]:
    """Write the archive of a club; the seconds, and how many bytes it has."""
    begun = time.process_time()
    size = sum(map(len, write_archive(home, queries.select_games(home))))
    return time.process_time() - begun, size


if __name__ == "__main__":
    with database():
        count = int(sys.argv[1])
        filled = fill(count)
        write(filled)
        known = peak()
        spent, length = write(filled)
        more = (peak() - known) // 1024
        print(f"{length:,} bytes, {count / spent:,.0f} records/s, {more} MiB more")
