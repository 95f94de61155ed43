"""The heads of a club's trails: one digest that changes when anything in them does.

The ends of all trails are also one small file, which lies beside each backup with its signature;
`manage.py verify --against` compares the trails with it. It is a text of lines as a bundle is.
"""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from scoring.transfer.bundling.cells import line
from tournaments.audit import FIRST_DIGEST
from tournaments.models import Trail


class Heads(NamedTuple):
    """The head of the club's own trail, how many trails there are, and a digest of all heads."""

    club: str
    trails: int
    all: str


class TrailEnd(NamedTuple):
    """The end of a trail: the number of its entries, and the digest of the last one."""

    length: int
    digest: str


def heads_of(club: UUID) -> Heads:
    """The heads of the trails of a club and of its games. One query."""
    return summarize_heads(
        club, dict(Trail.objects.filter(club_id=club).values_list("chain", "digest"))
    )


def summarize_heads(club: UUID, digests: Mapping[UUID, str]) -> Heads:
    """The heads of a club whose trails end with these digests."""
    whole = hashlib.sha256()
    for chain in sorted(digests):
        whole.update(f"{chain} {digests[chain]}\n".encode())
    return Heads(digests.get(club, FIRST_DIGEST), len(digests), whole.hexdigest())


TRAILS_FORMAT: Final = "painsuit trails"
TRAILS_VERSION: Final = 1


def write_trail_file(at: datetime) -> Iterator[bytes]:
    """Yield the lines of the file: every trail of every club, its length and its last digest."""
    whole, count = hashlib.sha256(), 0
    for text in _lines(at):
        whole.update(text)
        count += 1
        yield text
    yield line("end", {"digest": whole.hexdigest(), "lines": count})


def _lines(at: datetime) -> Iterator[bytes]:
    yield line(TRAILS_FORMAT, {"version": TRAILS_VERSION, "at": at.isoformat()})
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
