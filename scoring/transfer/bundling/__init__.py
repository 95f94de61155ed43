"""Bundles: a whole club as one file, from which another installation builds the same club.

A bundle is a text of JSON lines in canonical form: a line that says what it is, a line for every
row that belongs to the club, and a last line with the digest of all before and the heads of the
trails. Equal clubs are equal bytes. It is read as a stream, and nothing has to be unpacked: no
line decides how much memory the next one needs.
"""

from scoring.transfer.bundling.heads import Heads, TrailEnd, heads_of, write_trail_file
from scoring.transfer.bundling.reader import BundleError, Restored, read_trails, restore
from scoring.transfer.bundling.writer import write

__all__ = [
    "BundleError",
    "Heads",
    "Restored",
    "TrailEnd",
    "heads_of",
    "read_trails",
    "restore",
    "write",
    "write_trail_file",
]
