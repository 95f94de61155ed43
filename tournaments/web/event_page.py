"""The page of an event: live standings, who sits where, the boards."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.access.visibility import event_place, leagues_seen
from tournaments.core.language import translate
from tournaments.events import events
from tournaments.events.boards import traveller, with_deals
from tournaments.models import Board, Entry, Event, League, Scope, Status
from tournaments.publishing.versions import Standings
from tournaments.standings import describe
from tournaments.web.labels import MOVEMENTS, STATUSES, word
from tournaments.web.number_format import format_number
from tournaments.web.responses import LIVE, not_modified_response, page, tag_of, with_etag
from tournaments.web.seating import rounds_of
from tournaments.web.standing_changes import moved_since, versions_of
from tournaments.web.standings import names_in, sheet
from tournaments.web.standings_query import (
    PROJECTOR,
    StandingsQuery,
    standings_for,
    wanted_by,
)
from tournaments.web.teams import prizes_won, teams_of
from tournaments.web.travellers import holdings, seats_at
from tournaments.web.viewer import Viewer, viewer_of

_NAMED = ("number", "person__name", "person__shown")
"""What the name of a player depends on, as a viewer sees it."""
_SECONDS = 4
"""A page asks so often whether something is new."""
_SECONDS_RUNNING = 1
"""So often while the event is played: a hand is to be seen within two seconds."""


@require_safe
def event_page(request: HttpRequest, event_id: UUID) -> HttpResponse:
    """An event with its standings, as they stand or stood."""
    event = selectors.event(event_id)
    viewer = viewer_of(request, event_place(event))
    assert event is not None
    wanted = wanted_by(request)
    found = standings_for(wanted, Scope.EVENT, event.pk, viewer)
    is_part = request.GET.get("part") == LIVE
    tag = _tag(event, found, viewer, wanted)
    if is_part and (same := not_modified_response(request, tag)) is not None:
        return same
    context = _live(event, found, viewer, wanted) | {"tag": tag, "event": event, "club": event.club}
    if is_part:
        return with_etag(tag, page(request, "window/live.html", context))
    context |= _about(event, found, viewer)
    context["prizes"] = prizes_won(event, context["names"])
    return page(request, _template(wanted), context)


def _template(wanted: StandingsQuery) -> str:
    return "window/projector.html" if wanted.view == PROJECTOR else "window/event.html"


def _tag(event: Event, found: Standings, viewer: Viewer, wanted: StandingsQuery) -> str:
    """By what a reader knows the live part: everything that it is made of, names too. One query."""
    named = Entry.objects.filter(event=event).order_by("number")
    people = ("player", "player__merged_into")
    names = list(named.values_list(*(f"{one}__{what}" for one in people for what in _NAMED)))
    about = (event.pk, event.version, event.name, found.stamp, found.behind_since)
    return tag_of((about, sorted(viewer.rights), wanted.query(), names))


def _live(event: Event, found: Standings, viewer: Viewer, wanted: StandingsQuery) -> dict[str, Any]:
    """What changes while an event is played."""
    names = names_in(found, event.club, in_full=viewer.in_full)
    return {
        "found": found,
        "wanted": wanted,
        "sheet": sheet(found, names, wanted, in_full=viewer.in_full),
        "teams": teams_of(found, names.names),
        "names": names.names,
        "moved": moved_since(found, wanted.since, names.names, in_full=viewer.in_full),
        "is_official": found.data.get("status") == "official",
        "up_to": found.data.get("up_to"),
        "rounds": rounds_of(event, wanted.round, in_full=viewer.in_full),
        "hands": event.hands,
        "viewer": viewer,
        "here": reverse("event-page", args=[event.pk]),
        "seconds": _seconds(event, wanted),
    }


def _seconds(event: Event, wanted: StandingsQuery) -> int:
    if wanted.is_past:
        return 0
    return _SECONDS_RUNNING if event.status == Status.RUNNING else _SECONDS


def _about(event: Event, found: Standings, viewer: Viewer) -> dict[str, Any]:
    """What stands around it."""
    boards = Board.objects.filter(event=event).order_by("number") if event.duplicate else ()
    played = selectors.boards_played(event) if event.duplicate else {}
    return {
        "live_template": "window/live.html",
        "of": f"event={event.pk}",
        "versions": versions_of(found),
        "status": word(STATUSES, event.status),
        "is_running": event.status == Status.RUNNING,
        "movement": word(MOVEMENTS, event.movement),
        "scored": list(map(translate, describe(events.scoring_of(event)))),
        "boards": [(board.number, played.get(board.number, 0)) for board in boards],
        "leagues": leagues_seen(
            League.objects.filter(sessions__event=event), hidden=viewer.sees_hidden
        ),
    }


@require_safe
def board_page(request: HttpRequest, event_id: UUID, number: int) -> HttpResponse:
    """The traveller of a board: what every table made of it."""
    event = selectors.event(event_id)
    viewer = viewer_of(request, event_place(event))
    assert event is not None
    board = next(iter(with_deals(Board.objects.filter(event=event, number=number))), None)
    if board is None:
        raise Http404
    made = traveller(board)
    context = {
        "event": event,
        "club": event.club,
        "viewer": viewer,
        "board": board,
        "seats": seats_at(made, event, in_full=viewer.in_full),
        "mean": format_number(str(made.mean)),
        "holdings": holdings(board) if _may_see_cards(event, board, viewer) else [],
    }
    return page(request, "window/board.html", context)


def _may_see_cards(event: Event, board: Board, viewer: Viewer) -> bool:
    """Whether the cards of a board are no secret any more. One query."""
    return Right.EVENTS_EDIT in viewer.rights or board.number in selectors.boards_over(event)
