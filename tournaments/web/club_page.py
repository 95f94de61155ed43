"""The pages of clubs: which there are, and what is on at one of them."""

from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import selectors
from tournaments.access.visibility import hides_games, leagues_seen, visible_rows
from tournaments.models import Event, League, Scope, Shown, Status
from tournaments.people.display_names import distinct_names
from tournaments.publishing import versions
from tournaments.reports.labels import STATUSES, label_for
from tournaments.web.base import PrivatePage, PublicPage
from tournaments.web.link_preview import link_preview
from tournaments.web.search import search_club
from tournaments.web.viewer import Viewer, asker_of

_A_PAGE: Final = 20
_SOUGHT_MOST: Final = 100
_RATED: Final = 10
"""So many of the highest ratings are on a club's page."""


class ClubsPage(PrivatePage):
    """The clubs that a viewer may know of."""

    template_name = "window/clubs.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        sought = requested_name(self.request)
        rows = selectors.clubs(asker_of(self.request), search=sought).order_by("name", "id")
        return super().get_context_data(sought=sought, clubs=self.turn_to_page(rows, _A_PAGE))


class ClubPage(PublicPage):
    """A club: what is next, what was, and its leagues; players and nights are looked for here."""

    template_name = "window/club.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        viewer, sought = self.viewer, requested_name(self.request)
        club, hidden = viewer.club, viewer.sees_hidden
        events = visible_rows(Event.objects.filter(club=club), hidden=hidden)
        rows = events.order_by("-starts_at", "-id")
        leagues = leagues_seen(League.objects.filter(club=club), hidden=hidden)
        past = rows.exclude(status__in=(Status.PLANNED, Status.RUNNING))
        shown = self.turn_to_page(past, _A_PAGE)
        lines = (club.venue, _("Nights, seasons and results"))
        return super().get_context_data(
            preview=link_preview(self.request, club.name, lines),
            running=_with_names(rows.filter(status=Status.RUNNING)[:_A_PAGE]),
            coming=_coming(rows),
            events=shown,
            rows=_with_names(shown),
            leagues=leagues.order_by("-created_at", "-id")[:_A_PAGE],
            rated=_top_ratings(viewer),
            sought=sought,
            found=search_club(viewer, sought),
        )


def requested_name(request: HttpRequest) -> str:
    """The name that somebody looks for."""
    return request.GET.get("q", "").replace("\0", "").strip()[:_SOUGHT_MOST]


def _coming(rows: QuerySet[Event]) -> list[Event]:
    """What is planned from today on, the next one first."""
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    planned = rows.filter(status=Status.PLANNED, starts_at__gte=today)
    return list(planned.order_by("starts_at", "id")[:5])


def _with_names(rows: Any) -> list[tuple[Event, str]]:
    return [(event, label_for(STATUSES, event.status)) for event in rows]


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
    names = distinct_names(viewer.club, people, in_full=viewer.in_full)
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
