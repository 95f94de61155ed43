"""Bases of the public pages: a club's pages for whoever looks, and pages that follow the play.

A visitor sees of a club what `tournaments.access` lets them know of; a club, event or player that
they may not know of is answered like one that is not there.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, ClassVar, Final, TypeVar, cast

from django.core.cache import caches
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.views.generic import TemplateView

from tournaments.access.rights import Place
from tournaments.access.visibility import EventPlace, event_place
from tournaments.core.entity_tags import tag_of
from tournaments.core.public_address import public_url
from tournaments.core.time_zones import day
from tournaments.events.announcements import list_first_places
from tournaments.models import Club, Event, League, RoundClock, Scope
from tournaments.publishing.versions import Standings
from tournaments.selectors import event as find_event
from tournaments.tables.cells import isolate_name
from tournaments.web.responses import not_modified_response, require_revalidation
from tournaments.web.round_clock import clock_context
from tournaments.web.standing_changes import moved_since, versions_of
from tournaments.web.standings import names_in
from tournaments.web.standings_query import (
    ALL,
    PROJECTOR,
    StandingsQuery,
    parse_standings_query,
    standings_for,
)
from tournaments.web.table_status import StatusSheet, describe_status
from tournaments.web.viewer import Viewer, viewer_of

T = TypeVar("T")

_LIVE = "live"
"""What ``part`` says in the address of the part of a page that is asked for again and again."""
_SECONDS_RUNNING = 1
"""A page asks so often whether there is news: a hand is to be seen within two seconds."""
DESCRIPTION_MAX: Final = 300
"""Characters of a description; readers cut what is longer."""


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """The title, the description, the address and the picture of a shared page (Open Graph)."""

    title: str
    description: str
    url: str
    image: str
    is_own: bool
    """Whether the picture is of this page, and wide; else it is the same for all."""


def link_preview(
    request: HttpRequest, title: str, lines: Iterable[str], *, picture: str = ""
) -> LinkPreview:
    """Describe the page of a request; ``lines`` become one text.

    ``picture`` is the address of one of its own, which everybody may see.
    """
    description = " · ".join(line for line in lines if line)
    return LinkPreview(
        title=title,
        description=Truncator(description).chars(DESCRIPTION_MAX),
        url=public_url(request, request.path),
        image=public_url(request, picture or static("share.png")),
        is_own=bool(picture),
    )


class PrivatePage(TemplateView):
    """A page for one reader; browsers must revalidate it before showing it again."""

    http_method_names = ["get", "head"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return require_revalidation(super().dispatch(request, *args, **kwargs))

    def turn_to_page(self, rows: QuerySet[Any] | Sequence[Any], size: int) -> Page[Any]:
        """Return the page that ``page`` names; an invalid number gives the first or last."""
        return Paginator(rows, size).get_page(self.request.GET.get("page", "1")[:9])


class PublicPage(PrivatePage):
    """A page of a club; 404 for viewers who may not know of the place."""

    def get_place(self) -> Place:
        """The place that the address names."""
        return Place(Club.objects.filter(pk=self.kwargs["club_id"]).first())

    @cached_property
    def viewer(self) -> Viewer:
        """The viewer at this place. Raises Http404 where they may not look."""
        return viewer_of(self.request, self.get_place())

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        viewer = self.viewer
        return super().get_context_data(**{"viewer": viewer, "club": viewer.club, **kwargs})


class EventPageMixin(PublicPage):
    """A page of an event."""

    def get_place(self) -> Place:
        return event_place(find_event(self.kwargs["event_id"]))

    @property
    def event(self) -> Event:
        """The event that the address names."""
        place = self.viewer.place
        assert isinstance(place, EventPlace)
        assert place.event is not None
        return place.event

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**{"event": self.event, **kwargs})


class LivePage(PublicPage):
    """A page with a live part, which the browser polls and gets only if it changed (ETag)."""

    live_template: ClassVar[str]

    def get_facts(self) -> object:
        """Return every value the live part depends on; its ETag is made of them."""
        raise NotImplementedError

    def get_live_context(self) -> dict[str, Any]:
        """Return the context of the live part."""
        raise NotImplementedError

    @cached_property
    def tag(self) -> str:
        """The ETag of the live part, the same for all who see the same."""
        return tag_of((sorted(self.viewer.rights), self.viewer.by_sheet, self.get_facts()))

    def render_live(self) -> SafeString:
        """The live part as HTML."""
        live = {"viewer": self.viewer, "club": self.viewer.club, **self.get_live_context()}
        return render_to_string(self.live_template, live, self.request)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.GET.get("part") != _LIVE:
            return self.render_to_response(self.get_context_data(**kwargs))
        same = not_modified_response(request, self.tag)
        return same or HttpResponse(self.render_live(), headers={"ETag": self.tag})

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(tag=self.tag, live=self.render_live(), **kwargs)


class StandingsPage(LivePage):
    """Standings as they stand or stood, of an event or of a season.

    A long table takes a while to read and to render, so what is made of it is cached under the tag
    of the live part, which is another one whenever it would say something else.
    """

    page_template: ClassVar[str]
    scope: ClassVar[Scope]
    seconds: ClassVar[int]
    """Polling interval, in seconds, while nothing is played."""

    @property
    def subject(self) -> Event | League:
        """The subject of the standings."""
        raise NotImplementedError

    @property
    def is_running(self) -> bool:
        """Whether something of it is played just now."""
        raise NotImplementedError

    @cached_property
    def wanted(self) -> StandingsQuery:
        """The standings that the address asks for. Raises Http404."""
        return parse_standings_query(self.request)

    @cached_property
    def found(self) -> Standings:
        """The standings. Raises Http404."""
        return standings_for(self.wanted, self.scope, self.subject.pk, self.viewer)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The names of everybody in the standings, by entry, as the viewer may see them."""
        return names_in(self.found, self.viewer.club, in_full=self.viewer.in_full)

    @cached_property
    def status(self) -> StatusSheet:
        """Whether they are official, and what waits."""
        return describe_status(self.found, self.names, in_full=self.viewer.in_full)

    @property
    def provisional_day(self) -> date | None:
        """Today, as provisional standings say whether a day has passed; None of official ones."""
        is_official = self.found.row.official is not None
        return None if is_official else day(timezone.now(), self.viewer.club.time_zone)

    @cached_property
    def clock(self) -> RoundClock | None:
        """The clock of the round or the break, if there is one; only the wall shows it."""
        return None

    @property
    def is_projector(self) -> bool:
        """Whether it is shown on a wall."""
        return self.wanted.view == PROJECTOR

    def get_template_names(self) -> list[str]:
        return ["window/projector.html" if self.is_projector else self.page_template]

    def get_live_context(self) -> dict[str, Any]:
        found, wanted, names = self.found, self.wanted, self.names
        return {
            **self._describe_address(),
            "names": names,
            "moved": moved_since(found, wanted.since, names, in_full=self.viewer.in_full),
            "sheet_status": self.status,
            "kept_fields": wanted.fields_beside("nights", "columns", "page"),
            "every_night": replace(wanted, nights=ALL).query(),
        }

    def _describe_address(self) -> dict[str, Any]:
        """Return the wishes of the address, for the page and its live part."""
        seconds = _SECONDS_RUNNING if self.is_running else self.seconds
        return {
            "subject": self.subject,
            "found": self.found,
            "wanted": self.wanted,
            "here": self.request.path,
            "of": f"{self.scope}={self.subject.pk}",
            "seconds": 0 if self.wanted.is_past else seconds,
        }

    @property
    def picture(self) -> str:
        """The address of a picture for chats, if there is one of its own."""
        return ""

    def describe_subject(self) -> list[str]:
        """Return the preview of a link to the event or season before its first places."""
        return []

    def render_live(self) -> SafeString:
        if not self.is_projector:
            return self._cached("live", super().render_live)
        clock = clock_context(self.clock, timezone.now())
        wall = {**self._cached("wall", self._render_wall), **clock}
        return render_to_string("window/wall.html", wall, self.request)

    def _render_wall(self) -> dict[str, SafeString]:
        """All of the wall but its clock, which goes on."""
        live = {"viewer": self.viewer, "club": self.viewer.club, **self.get_live_context()}
        return {
            part: render_to_string(f"window/wall_{part}.html", live, self.request)
            for part in ("head", "screens")
        }

    def _list_first_places(self) -> list[str]:
        clock = self.viewer.club.time_zone
        return list(list_first_places(self.found, self.status.status, self.names, clock))

    def _cached(self, name: str, make: Callable[[], T]) -> T:
        return cast("T", caches["pages"].get_or_set(f"{name}-{self.tag}", make))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        title = f"{isolate_name(self.subject.name)}, {isolate_name(self.viewer.club.name)}"
        places = self._cached("first-places", self._list_first_places)
        lines = [*self.describe_subject(), *places]
        return super().get_context_data(
            **self._describe_address(),
            preview=link_preview(self.request, title, lines, picture=self.picture),
            versions=versions_of(self.found),
            **kwargs,
        )
