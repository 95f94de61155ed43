"""The page on which everybody can check the deals of a duplicate event (docs/rules/deals.md)."""

from dataclasses import dataclass
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments import selectors
from tournaments.access.visibility import event_place
from tournaments.events.boards import is_dealt_from_key
from tournaments.events.deal_secrets import list_commitments
from tournaments.models import Board, Event
from tournaments.web.responses import page
from tournaments.web.viewer import viewer_of


@dataclass(frozen=True, slots=True)
class Proof:
    """A board's commitment and key; ``holds``: its deal is the key's, None while that is secret."""

    number: int
    commitment: str
    key: str
    holds: bool | None


@require_safe
def deals_page(request: HttpRequest, event_id: UUID) -> HttpResponse:
    """What was published of every board before it was played, and the keys of those that are over.

    Raises Http404 for an event without prepared deals.
    """
    event = selectors.event(event_id)
    viewer = viewer_of(request, event_place(event))
    assert event is not None
    if not event.duplicate:
        raise Http404
    context = {
        "event": event,
        "club": event.club,
        "viewer": viewer,
        "proofs": prove_boards(event),
    }
    return page(request, "window/deals.html", context)


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
