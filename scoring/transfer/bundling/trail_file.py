"""The ends of all trails in one small file, which lies beside each backup with its signature.

`manage.py verify --against` compares the trails with it. It is a text of lines as a bundle is.
"""

import hashlib
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from scoring.transfer.bundling.cells import line
from tournaments.models import Trail

FORMAT: Final = "painsuit trails"
VERSION: Final = 1


def write_trail_file(at: datetime) -> Iterator[bytes]:
    """Yield the lines of the file: every trail of every club, its length and its last digest."""
    whole, count = hashlib.sha256(), 0
    for text in _lines(at):
        whole.update(text)
        count += 1
        yield text
    yield line("end", {"digest": whole.hexdigest(), "lines": count})


def _lines(at: datetime) -> Iterator[bytes]:
    yield line(FORMAT, {"version": VERSION, "at": at.isoformat()})
    trails = Trail.objects.exclude(club_id=None).order_by("chain")
    for trail in trails.iterator():
        yield line(
            "trail end",
            {
                "club": str(trail.club_id),
                "chain": str(trail.chain),
                "number": trail.length,
                "digest": trail.digest,
            },
        )
