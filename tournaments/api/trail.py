"""The trail of what was done, as the API shows it."""

import json
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from tournaments import audit, selectors
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, Door, read
from tournaments.api.fields import Identifier, Text, form
from tournaments.core.errors import NotThereError
from tournaments.models import AuditEntry

FILTERS = form(
    chain=Identifier(required=False, words="A club or a game."),
    what=Text(required=False, most=40, words="As in an entry."),
)


class Entry(TypedDict):
    """One thing that was done; ``digest`` covers it and all that came before in its chain."""

    chain: UUID
    number: int
    what: str
    by: str
    source: str
    why: str
    details: dict[str, Any]
    at: datetime
    before: str
    digest: str


class Chain(TypedDict):
    """A chain, recomputed: ``head`` is the digest of all; ``broken`` the numbers that are wrong."""

    chain: UUID
    entries: int
    head: str
    is_whole: bool
    broken: list[int]


class Trail(Door):
    """What was done in a club and its games."""

    @read(Right.AUDIT_READ, gives=Entry, query=FILTERS, pages=True)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """List what was done, in the order of doing."""
        return ask.page(selectors.audit_entries(ask.club, **ask.filters), entry_out)


class OneChain(Door):
    """One chain: that of the club, or of a game."""

    @read(Right.AUDIT_READ, gives=Chain)
    def get(self, ask: Ask, club_id: UUID, chain_id: UUID) -> Answer:
        """Verify a chain: nothing was changed, left out or put in."""
        last = selectors.audit_entries(ask.club, chain=chain_id).order_by("-number").first()
        if last is None:
            raise NotThereError
        broken = [entry.number for entry in audit.broken(chain_id)]
        found: Chain = {
            "chain": chain_id,
            "entries": last.number,
            "head": last.digest,
            "is_whole": not broken,
            "broken": broken,
        }
        return Answer(found)


def entry_out(entry: AuditEntry) -> Entry:
    """An entry as data."""
    return {
        "chain": entry.chain,
        "number": entry.number,
        "what": entry.what,
        "by": entry.by,
        "source": entry.source,
        "why": entry.why,
        "details": json.loads(entry.details),
        "at": entry.at,
        "before": entry.before,
        "digest": entry.digest,
    }
