"""Importing: archives of records as games of a club, settled and booked as if entered by hand.

Records are read, judged and stored in chunks, so that memory stays flat and every chunk commits
whole. A game and its hands have identifiers that follow from what is written, so the same archive
again, or the rest of one that broke off, finds what is there and adds what is missing.
"""

from scoring.transfer.importing.archives import CHUNK, ArchiveImport, Options
from scoring.transfer.importing.events import BY_TAGS
from scoring.transfer.importing.people import AS_WRITTEN
from scoring.transfer.importing.report import ImportReport, Problem
from scoring.transfer.importing.work import (
    event_in,
    import_part,
    place_all,
    read_options,
    table_part,
)

__all__ = [
    "AS_WRITTEN",
    "BY_TAGS",
    "CHUNK",
    "ArchiveImport",
    "ImportReport",
    "Options",
    "Problem",
    "event_in",
    "import_part",
    "place_all",
    "read_options",
    "table_part",
]
