"""The heads of a club's trails: one digest that changes when anything in them does."""

import hashlib
from typing import NamedTuple
from uuid import UUID

from tournaments.audit import FIRST_DIGEST
from tournaments.models import Trail


class Heads(NamedTuple):
    """The head of the club's own trail, how many trails there are, and a digest of all heads."""

    club: str
    trails: int
    all: str


def heads_of(club: UUID) -> Heads:
    """The heads of the trails of a club and of its games. One query."""
    heads = dict(Trail.objects.filter(club_id=club).values_list("chain", "digest"))
    whole = hashlib.sha256()
    for chain in sorted(heads):
        whole.update(f"{chain} {heads[chain]}\n".encode())
    return Heads(heads.get(club, FIRST_DIGEST), len(heads), whole.hexdigest())
