"""Jobs: long exports and imports, done by a worker in parts, with progress, and cancelled at will.

A part and the row that says how far the job is commit together, so each part happens exactly once,
whatever dies meanwhile; what only reads is made anew. What there is to do is a `Kind`; scoring
knows kinds that this package does not, so whoever does a job passes all of them in.
"""

from tournaments.jobs.asking import (
    KEPT,
    Wish,
    ask,
    cancel,
    erase_person,
    forget,
    forget_names,
    known,
    of_club,
)
from tournaments.jobs.doing import Clock, Kind, Part, Reading, Running, do, due
from tournaments.jobs.files import (
    done_so_far,
    result_of,
    source_of,
    target_of,
    written_so_far,
)

UPLOAD_BYTES_MAX = 5 * 1024 * 1024
UPLOAD_HANDS_MAX = 10_000
"""What a club may send at once; the command line knows no such limit."""

__all__ = [
    "KEPT",
    "UPLOAD_BYTES_MAX",
    "UPLOAD_HANDS_MAX",
    "Clock",
    "Kind",
    "Part",
    "Reading",
    "Running",
    "Wish",
    "ask",
    "cancel",
    "do",
    "done_so_far",
    "due",
    "erase_person",
    "forget",
    "forget_names",
    "known",
    "of_club",
    "result_of",
    "source_of",
    "target_of",
    "written_so_far",
]
