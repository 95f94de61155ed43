"""Fast path: read a text that is exactly one canonical record.

A program that sends a hand nearly always sends just this. A `Reader` reads it too, and gives the
same entry; but it looks first for all that a file may have besides.
"""

from typing import Final

from engine.notation.quick import quick
from engine.notation.reader import RecordEntry
from engine.notation.source import is_whole

_VERSION: Final = b"% PHN 1.0\n"
_FIRST_LINE: Final = 2
"""Where the record begins, after the line of the version."""


def read_alone(text: bytes) -> RecordEntry | None:
    """The record, with which nothing is wrong; None for a text of which a `Reader` has to tell."""
    if not text.startswith(_VERSION):
        return None
    try:
        record = text[len(_VERSION) :].decode()
    except UnicodeDecodeError:
        return None
    found = quick(record) if is_whole(record) else None
    if found is None:
        return None
    entry = RecordEntry(record, _FIRST_LINE, 1)
    entry.take(found)
    return entry
