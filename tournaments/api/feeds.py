"""Feeds: the events of a club for calendars and feed readers; of a public club for everybody.

The calendar is iCalendar (RFC 5545), the feeds are Atom (RFC 4287) and JSON Feed 1.1. A response
has an ETag; what a stranger may see may be kept for five minutes by whoever passes it on.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.defaultfilters import linebreaksbr
from django.urls import path, reverse
from django.utils.feedgenerator import Atom1Feed, SyndicationFeed
from django.utils.translation import get_language, gettext

from tournaments.access.rights import Right
from tournaments.access.visibility import visible_rows
from tournaments.api.files import FileOutput, choose_media_type
from tournaments.api.views import PRIVATE, ApiRequest, ApiViewSet
from tournaments.core.public_address import public_url
from tournaments.core.time_zones import local
from tournaments.events.announcements import (
    describe_event,
    find_first_names,
    list_first_places,
)
from tournaments.models import Event, Scope, Status
from tournaments.publishing.official import TableStatus, find_current, status_of
from tournaments.publishing.versions import Standings
from tournaments.tables.cells import isolate_name, readable

if TYPE_CHECKING:
    import icalendar

CALENDAR_MAX: Final = 200
"""How many events, the newest ones, are in a calendar."""
ITEMS_MAX: Final = 30
"""How many events are in a feed, and how many have their results in a calendar."""
_HOURS: Final = timedelta(hours=3)
"""The length of a night in a calendar, since no event says when it will end."""
_PUBLIC: Final = "public, max-age=300"
CALENDAR_TYPE: Final = "text/calendar; charset=utf-8"
ATOM_TYPE: Final = Atom1Feed.content_type
JSON_FEED_TYPE: Final = "application/feed+json; charset=utf-8"


class FeedViewSetBase(ApiViewSet):
    """The base of feeds of a club."""

    rights = {"retrieve": Right.CLUB_READ}

    def answer_feed(self, body: bytes, content_type: str) -> HttpResponse:
        """Return the feed, or 304 for a reader who has it."""
        tag = f'"{sha256(body).hexdigest()[:32]}"'
        is_public = self.request.club.is_public and self.request.asker.is_visitor
        self.headers |= {
            "ETag": tag,
            "Cache-Control": _PUBLIC if is_public else PRIVATE,
            "Vary": "Accept, Accept-Language, Authorization, Cookie",
        }
        kind = choose_media_type(self.request.django_request, content_type)
        if self.is_known(tag):
            return HttpResponse(status=304)
        return HttpResponse(body, content_type=kind)


class CalendarViewSet(FeedViewSetBase):
    """The events of a club as a calendar."""

    outputs = {"retrieve": FileOutput.of(CALENDAR_TYPE)}

    def retrieve(self, request: ApiRequest, club_id: UUID) -> HttpResponse:
        """Subscribe to the events of a club, as iCalendar."""
        import icalendar  # noqa: PLC0415 (3 MB, for this file alone)

        club = request.club
        calendar = icalendar.Calendar()
        calendar.add("prodid", "-//Painsuit//Events//EN")
        calendar.add("version", "2.0")
        calendar.add("method", "PUBLISH")
        # Its own type: a property that the standard does not know is written as it is.
        calendar.add("x-wr-calname", icalendar.vText(readable(club.name)))
        calendar.add("x-wr-timezone", club.time_zone)
        items = _items(request, CALENDAR_MAX)
        for item in items:
            calendar.add_component(_calendar_event(item))
        if items:
            # Only the years that are told, and only those of which anybody knows the clocks.
            years = [min(max(item.event.starts_at.year, 1970), 2100) for item in items]
            calendar.add_missing_timezones(date(min(years) - 1, 1, 1), date(max(years) + 2, 1, 1))
        return self.answer_feed(calendar.to_ical(), CALENDAR_TYPE)


class AtomFeedViewSet(FeedViewSetBase):
    """The events of a club as an Atom feed."""

    outputs = {"retrieve": FileOutput.of(ATOM_TYPE)}

    def retrieve(self, request: ApiRequest, club_id: UUID) -> HttpResponse:
        """Follow the events of a club, as Atom."""
        feed = _write_feed(AtomFeed, request)
        return self.answer_feed(feed.encode(), ATOM_TYPE)


class JsonFeedViewSet(FeedViewSetBase):
    """The events of a club as a JSON feed."""

    outputs = {"retrieve": FileOutput.of(JSON_FEED_TYPE)}

    def retrieve(self, request: ApiRequest, club_id: UUID) -> HttpResponse:
        """Follow the events of a club, as JSON Feed."""
        feed = _write_feed(JsonFeed, request)
        return self.answer_feed(feed.encode(), JSON_FEED_TYPE)


class AtomFeed(Atom1Feed):
    """Django's Atom feed, whose summaries are HTML."""

    def add_item_elements(self, handler: Any, item: Mapping[str, Any]) -> None:
        """Write an entry; each line of its text stands on a line of its own."""
        html = linebreaksbr(item["description"], autoescape=True)
        super().add_item_elements(handler, {**item, "description": html})


class JsonFeed(SyndicationFeed):
    """JSON Feed 1.1, beside Django's writers of RSS and Atom."""

    content_type = JSON_FEED_TYPE

    def write(self, outfile: Any, encoding: str) -> None:
        """Write the feed to a text file."""
        about = self.feed
        feed = {
            "version": "https://jsonfeed.org/version/1.1",
            "title": about["title"],
            "home_page_url": about["link"],
            "feed_url": about["feed_url"],
            "description": about["description"],
            "language": about["language"],
            "items": [
                {
                    "id": item["unique_id"],
                    "url": item["link"],
                    "title": item["title"],
                    "content_text": item["description"],
                    "date_published": item["pubdate"].isoformat(),
                    "date_modified": item["updateddate"].isoformat(),
                    "_painsuit": item["painsuit"],
                }
                for item in self.items
            ],
        }
        json.dump(feed, outfile, ensure_ascii=False)


def _write_feed(make: type[SyndicationFeed], request: ApiRequest) -> str:
    """Write the events of a club as a feed of this kind."""
    club = request.club
    name = readable(club.name)
    feed = make(
        title=name,
        link=public_url(request, reverse("club-page", args=[club.pk])),
        description=gettext("Nights and results of %(club)s") % {"club": isolate_name(name)},
        language=get_language(),
        feed_url=public_url(request, request.get_full_path()),
        author_name=name,
    )
    for item in _items(request, ITEMS_MAX):
        event = item.event
        feed.add_item(
            title=item.title,
            link=item.url,
            description=item.text,
            unique_id=f"urn:uuid:{event.pk}",
            pubdate=event.created_at.astimezone(UTC),
            updateddate=item.updated_at,
            painsuit={
                "starts_at": event.starts_at.astimezone(UTC).isoformat(),
                "status": event.status,
                "rounds": event.rounds,
                "hands": event.hands,
                "venue": readable(event.place),
            },
        )
    return feed.writeString("utf-8")


@dataclass(frozen=True)
class _Item:
    """An event as feeds and calendars show it; ``found`` None: without results."""

    event: Event
    url: str
    found: Standings | None
    in_full: bool

    @property
    def title(self) -> str:
        name = readable(self.event.name)
        is_cancelled = self.event.status == Status.CANCELLED
        return gettext("Called off: %(name)s") % {"name": name} if is_cancelled else name

    @property
    def updated_at(self) -> datetime:
        """When anything that is shown of it changed last."""
        event = self.event
        moments = [
            event.created_at,
            event.schedule_changed_at,
            event.finished_at,
            event.official_at,
        ]
        if self.found is not None and self.status is not None:
            moments += [self.found.row.computed_at, self.status.amended_at]
        return max(at for at in moments if at is not None).astimezone(UTC)

    @cached_property
    def status(self) -> TableStatus | None:
        """The status of its standings; None without results."""
        return None if self.found is None else status_of(self.found, in_full=self.in_full)

    @cached_property
    def text(self) -> str:
        """When and where it is, and who leads or won."""
        lines = describe_event(self.event)
        if self.found is not None and self.status is not None:
            names = find_first_names(self.found, in_full=self.in_full)
            lines += list_first_places(self.found, self.status, names, self.event.club.time_zone)
        return "\n".join(lines)


def _items(request: ApiRequest, most: int) -> Sequence[_Item]:
    """The newest events that the asker may know of. Some queries for each that has results."""
    rows = visible_rows(Event.objects.filter(club=request.club), hidden=request.sees_hidden)
    newest = rows.select_related("club", "rule_set").order_by("-starts_at", "pk")[:most]
    return [
        _Item(
            event,
            public_url(request, reverse("event-page", args=[event.pk])),
            find_current(Scope.EVENT, event.pk)
            if place < ITEMS_MAX and event.status not in (Status.PLANNED, Status.CANCELLED)
            else None,
            in_full=Right.NAMES_READ in request.rights,
        )
        for place, event in enumerate(newest)
    ]


def _calendar_event(item: _Item) -> "icalendar.Event":
    import icalendar  # noqa: PLC0415 (as above)

    event = item.event
    clock = event.club.time_zone
    starts_at = local(event.starts_at, clock)
    ends_at = max(event.finished_at or event.starts_at, event.starts_at + _HOURS)
    made = icalendar.Event()
    made.add("uid", f"{event.pk}@painsuit")
    made.add("dtstamp", item.updated_at)
    made.add("dtstart", starts_at)
    made.add("dtend", local(ends_at, clock))
    made.add("sequence", event.version)
    made.add("status", "CANCELLED" if event.status == Status.CANCELLED else "CONFIRMED")
    made.add("summary", item.title)
    made.add("description", f"{item.text}\n{item.url}")
    if event.place:
        made.add("location", readable(event.place))
    made.add("url", item.url)
    return made


def _page(viewset: type[FeedViewSetBase]) -> Callable[..., HttpResponseBase]:
    """Return the view of a feed at a readable address, which is no endpoint of the API."""
    answer = viewset.as_view({"get": "retrieve"})

    def feed(request: HttpRequest, club_id: UUID) -> HttpResponseBase:
        return answer(request, club_id=club_id)

    return feed


urlpatterns = [
    path("c/<uuid:club_id>/calendar.ics", _page(CalendarViewSet), name="club-calendar"),
    path("c/<uuid:club_id>/feed.atom", _page(AtomFeedViewSet), name="club-atom-feed"),
    path("c/<uuid:club_id>/feed.json", _page(JsonFeedViewSet), name="club-json-feed"),
]
"""The same feeds beside the page of the club, where search engines may look as well."""
