"""The page on which everybody can check the deals of a duplicate event (docs/rules/deals.md)."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404

from tournaments.events.boards import is_dealt_from_key
from tournaments.events.deal_secrets import list_commitments
from tournaments.models import Board, Event
from tournaments.web.base import EventPageMixin


@dataclass(frozen=True, slots=True)
class Proof:
    """A board's commitment and key; ``holds``: its deal is the key's, None while that is secret."""

    number: int
    commitment: str
    key: str
    holds: bool | None


class DealsPage(EventPageMixin):
    """Commitments of every board before it was played, and the keys of those that are over.

    There is none for an event without prepared deals.
    """

    template_name = "window/deals.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        if not self.event.duplicate:
            raise Http404
        return super().get_context_data(proofs=prove_boards(self.event))


def prove_boards(event: Event) -> list[Proof]:
    """Return the commitments of an event, checked where a key is public. Four queries."""
    boards = {row.number: row for row in Board.objects.filter(event=event).exclude(key="")}
    for row in boards.values():
        row.event = event
    return [
        Proof(
            one.number,
            one.commitment,
            one.key,
            is_dealt_from_key(boards[one.number]) if one.key and one.number in boards else None,
        )
        for one in list_commitments(event)
    ]
