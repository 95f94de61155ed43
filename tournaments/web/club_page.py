"""The pages of clubs: which there are, and what is on at one of them."""

from typing import Any, Final
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments import selectors
from tournaments.access.rights import Place
from tournaments.access.visibility import hides_games, leagues_seen, visible_rows
from tournaments.models import Club, Event, League, Scope, Shown, Status
from tournaments.people.display_names import told_apart
from tournaments.publishing import versions
from tournaments.web.labels import STATUSES, word
from tournaments.web.responses import page
from tournaments.web.search import found_in
from tournaments.web.viewer import Viewer, asker_of, viewer_of

_A_PAGE: Final = 20
_SOUGHT_MOST: Final = 100
_RATED: Final = 10
"""So many of the highest ratings are on a club's page."""


@require_safe
def clubs_page(request: HttpRequest) -> HttpResponse:
    """The clubs that a viewer may know of."""
    sought = sought_by(request)
    rows = selectors.clubs(asker_of(request), search=sought).order_by("name", "id")
    context = {"sought": sought, "clubs": _page_of(request, rows)}
    return page(request, "window/clubs.html", context)


@require_safe
def club_page(request: HttpRequest, club_id: UUID) -> HttpResponse:
    """A club: what is next, what was, and its leagues; players and nights are looked for here."""
    viewer = viewer_of(request, Place(Club.objects.filter(pk=club_id).first()))
    club, hidden = viewer.club, viewer.sees_hidden
    sought = sought_by(request)
    rows = visible_rows(Event.objects.filter(club=club), hidden=hidden).order_by(
        "-starts_at", "-id"
    )
    leagues = leagues_seen(League.objects.filter(club=club), hidden=hidden)
    shown = _page_of(request, rows.exclude(status__in=(Status.PLANNED, Status.RUNNING)))
    context = {
        "club": club,
        "viewer": viewer,
        "running": _with_names(rows.filter(status=Status.RUNNING)[:_A_PAGE]),
        "coming": _coming(rows),
        "events": shown,
        "rows": _with_names(shown),
        "leagues": leagues.order_by("-created_at", "-id")[:_A_PAGE],
        "rated": _top_ratings(viewer),
        "sought": sought,
        "found": found_in(viewer, sought),
    }
    return page(request, "window/club.html", context)


def sought_by(request: HttpRequest) -> str:
    """The name that somebody looks for."""
    return request.GET.get("q", "").replace("\0", "").strip()[:_SOUGHT_MOST]


def _page_of(request: HttpRequest, rows: QuerySet[Any]) -> Page[Any]:
    """A page of rows; nonsense is brought back to what there is."""
    return Paginator(rows, _A_PAGE).get_page(request.GET.get("page", "1")[:9])


def _coming(rows: QuerySet[Event]) -> list[Event]:
    """What is planned from today on, the next one first."""
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    planned = rows.filter(status=Status.PLANNED, starts_at__gte=today)
    return list(planned.order_by("starts_at", "id")[:5])


def _with_names(rows: Any) -> list[tuple[Event, str]]:
    return [(event, word(STATUSES, event.status)) for event in rows]


def _top_ratings(viewer: Viewer) -> list[dict[str, Any]]:
    """The highest ratings, those that may be told. Seven queries."""
    if not viewer.sees_hidden and hides_games(viewer.club.pk):
        return []
    found = versions.find_latest(Scope.RATINGS, viewer.club.pk)
    rows = found.rows
    if not viewer.in_full:
        known = selectors.players(viewer.club).filter(person__shown=Shown.HIDDEN)
        unseen = {str(player) for player in known.values_list("pk", flat=True)}
        rows = [row for row in rows if not row["hidden"] and row["player"] not in unseen]
    people = [UUID(row["player"]) for row in rows[:_RATED]]
    names = told_apart(viewer.club, people, in_full=viewer.in_full)
    return [
        {
            "player": row["player"],
            "name": names.get(row["player"], ""),
            "rating": row["rating"].partition(".")[0],
            "games": row["games"],
            "provisional": row["provisional"],
        }
        for row in rows[:_RATED]
    ]
