"""The heads of a club's trails: one digest that changes when anything in them does."""

import hashlib
from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

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
