"""The boards of a club: each that has a key is dealt from it (docs/rules/deals.md)."""

from collections.abc import Iterator
from uuid import UUID

from scoring.transfer.verifying.difference import Discrepancy
from tournaments.events.boards import is_dealt_from_key
from tournaments.models import Board


def differences(club: UUID) -> Iterator[Discrepancy]:
    """Boards whose deal is not the one of their key; the cards are not told. One query."""
    rows = Board.objects.filter(event__club=club).exclude(key="").order_by("event_id", "number")
    for row in rows.select_related("event__rule_set"):
        if not is_dealt_from_key(row):
            what = f"deal of board {row.number} of event {row.event_id}"
            yield Discrepancy(club=club, what=what, kept="another", right="the one of its key")
