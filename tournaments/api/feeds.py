"""Feeds: the events of a club for calendars and feed readers; of a public club for everybody.

The calendar is iCalendar (RFC 5545), the feeds are Atom (RFC 4287) and JSON Feed 1.1. A response
has an ETag, which is known before it is made; what a stranger may see may be kept for five minutes
by whoever passes it on. A secret address (`tournaments.people.calendar_addresses`) opens the
calendar of a club that is not public, or a member's own nights.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.core.cache import caches
from django.db.models import Max, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.defaultfilters import linebreaksbr
from django.urls import path, reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed, SyndicationFeed
from django.utils.translation import get_language, gettext, pgettext
from django.views.generic import View

from tournaments.access.rights import Right
from tournaments.access.visibility import visible_rows
from tournaments.api.files import FileOutput, choose_media_type
from tournaments.api.views import PRIVATE, ApiRequest, ApiViewSet
from tournaments.core.entity_tags import tag_of
from tournaments.core.errors import NotThereError
from tournaments.core.public_address import AbsoluteUriBuilder, public_url
from tournaments.core.time_zones import local
from tournaments.events.announcements import (
    STILL_NEXT,
    describe_event,
    describe_seat,
    find_first_names,
    list_first_places,
)
from tournaments.models import (
    CalendarAddress,
    Club,
    Entry,
    Event,
    EventReply,
    Player,
    Presence,
    Reply,
    Round,
    RuleSet,
    Scope,
    Status,
    Table,
)
from tournaments.people.calendar_addresses import find_address, token_of
from tournaments.publishing.adjourned import find_adjourned
from tournaments.publishing.answer_facts import (
    list_club_facts,
    list_name_facts,
    list_published_facts,
)
from tournaments.publishing.official import TableStatus, find_current, status_of
from tournaments.publishing.player_lines import list_duplicate_ids
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
_OWN_COPY: Final = "private, max-age=300"
_AHEAD: Final = (Status.PLANNED, Status.RUNNING)
_NO_RESULTS: Final = (Status.PLANNED, Status.CANCELLED)
_EVENT_FACTS: Final = (
    *("pk", "status", "version", "name", "venue", "rule_set", "round_rules", "rounds", "hands"),
    *("starts_at", "moved_from", "move_reason", "cancel_reason", "schedule_changed_at"),
    *("created_at", "finished_at", "official_at", "is_results_only"),
)
"""Everything that a feed or a calendar says of an event itself."""
CALENDAR_TYPE: Final = "text/calendar; charset=utf-8"
ATOM_TYPE: Final = Atom1Feed.content_type
JSON_FEED_TYPE: Final = "application/feed+json; charset=utf-8"


class FeedViewSetBase(ApiViewSet):
    """The base of feeds of a club."""

    rights = {"retrieve": Right.CLUB_READ}

    def answer_feed(
        self, content_type: str, most: int, write: Callable[[Sequence["_Item"]], bytes]
    ) -> HttpResponse:
        """Return the feed of the newest events, or 304 for a reader who has it.

        ``write`` makes it of them, once for all who see the same. Seven queries at most then.
        """
        request = self.request
        facts = [content_type, public_url(request, request.get_full_path())]
        shown = _Shown(
            request,
            most,
            sees_hidden=request.sees_hidden,
            in_full=Right.NAMES_READ in request.rights,
        )
        tag = shown.tag(request.club, facts)
        is_public = request.club.is_public and request.asker.is_visitor
        self.headers |= {
            "ETag": tag,
            "Cache-Control": _PUBLIC if is_public else PRIVATE,
            "Vary": "Accept, Accept-Language, Authorization, Cookie",
        }
        kind = choose_media_type(request.django_request, content_type)
        if self.is_known(tag):
            return HttpResponse(status=304)
        body = caches["pages"].get_or_set(tag, lambda: write(shown.items(request.club)))
        return HttpResponse(body, content_type=kind)


class CalendarViewSet(FeedViewSetBase):
    """The events of a club as a calendar."""

    outputs = {"retrieve": FileOutput.of(CALENDAR_TYPE)}

    def retrieve(self, request: ApiRequest, club_id: UUID) -> HttpResponse:
        """Subscribe to the events of a club, as iCalendar."""
        club, name = request.club, readable(request.club.name)
        return self.answer_feed(
            CALENDAR_TYPE, CALENDAR_MAX, lambda items: _write_calendar(club, name, items)
        )


class SecretCalendar(View):
    """The calendar behind a secret address, for programs that cannot sign in.

    That of a club shows what strangers would see of it if it were public, that of a member their
    own nights. No search engine may keep it, and no link in it tells where it was read.
    """

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest, token: str) -> HttpResponseBase:
        """Answer the calendar, or 304 for a program that has it. Raises Http404."""
        try:
            address = find_address(token)
        except NotThereError as error:
            raise Http404 from error
        club, player = address.club, address.player
        body: bytes | None = None
        if player is None:
            shown = _Shown(request, CALENDAR_MAX, sees_hidden=False, in_full=False)
            tag = shown.tag(club, ["secret calendar", public_url(request, "/")])
        else:
            own = player.merged_into or player
            name = gettext("My nights at %(club)s") % {"club": isolate_name(club.name)}
            body = _write_calendar(club, name, _own_nights(request, own, timezone.now()), own)
            tag = tag_of(body.decode())
        kept = {"ETag": tag, "Cache-Control": _OWN_COPY, "Vary": "Accept-Language, Cookie"}
        answer = get_conditional_response(request, etag=tag)
        if answer is None:
            if body is None:
                body = caches["pages"].get_or_set(
                    tag, lambda: _write_secret(club, shown.items(club))
                )
            answer = HttpResponse(body, content_type=CALENDAR_TYPE)
        for name, value in kept.items():
            answer[name] = value
        answer["X-Robots-Tag"] = "noindex, nofollow"
        answer["Referrer-Policy"] = "no-referrer"
        return answer


class AtomFeedViewSet(FeedViewSetBase):
    """The events of a club as an Atom feed."""

    outputs = {"retrieve": FileOutput.of(ATOM_TYPE)}

    def retrieve(self, request: ApiRequest, club_id: UUID) -> HttpResponse:
        """Follow the events of a club, as Atom."""
        return self.answer_feed(ATOM_TYPE, ITEMS_MAX, partial(_write_feed, AtomFeed, request))


class JsonFeedViewSet(FeedViewSetBase):
    """The events of a club as a JSON feed."""

    outputs = {"retrieve": FileOutput.of(JSON_FEED_TYPE)}

    def retrieve(self, request: ApiRequest, club_id: UUID) -> HttpResponse:
        """Follow the events of a club, as JSON Feed."""
        return self.answer_feed(JSON_FEED_TYPE, ITEMS_MAX, partial(_write_feed, JsonFeed, request))


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


def _write_feed(
    make: type[SyndicationFeed], request: ApiRequest, items: Sequence["_Item"]
) -> bytes:
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
    for item in items:
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
    return feed.writeString("utf-8").encode()


@dataclass(frozen=True)
class _Item:
    """An event as feeds and calendars show it; ``found`` None: without results.

    ``url`` is empty where no page can be opened from there.
    """

    event: Event
    url: str
    found: Standings | None = None
    in_full: bool = False

    @property
    def calendar_status(self) -> str:
        """The status of RFC 5545."""
        return "CANCELLED" if self.event.status == Status.CANCELLED else "CONFIRMED"

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


def secret_calendar_url(request: AbsoluteUriBuilder, address: CalendarAddress | None) -> str:
    """Return a secret address to be shown; empty without one, and if it cannot be shown again."""
    token = "" if address is None else token_of(address)
    return public_url(request, reverse("secret-calendar", args=[token])) if token else ""


@dataclass(frozen=True)
class _OwnNight(_Item):
    """A night of one member: where they sit, and nothing of anybody else.

    ``round_at`` is when a round of it was last drawn, begun or closed. A night ahead for which they
    are not entered is one to which they may come; ``is_promised``: they said that they do.
    """

    seat: str = ""
    is_entered: bool = True
    is_promised: bool = False
    round_at: datetime | None = None

    @property
    def calendar_status(self) -> str:
        status = super().calendar_status
        if status == "CONFIRMED" and not (self.is_entered or self.is_promised):
            return "TENTATIVE"
        return status

    @property
    def updated_at(self) -> datetime:
        at = super().updated_at
        return at if self.round_at is None else max(at, self.round_at.astimezone(UTC))

    @cached_property
    def text(self) -> str:
        """When and where it is, its state, and the seat."""
        lines = describe_event(self.event)
        if self.event.status != Status.CANCELLED:
            lines.append(pgettext("state", self.event.get_status_display()))
        if self.event.status in _AHEAD:
            if self.is_entered:
                drawn = gettext("You are entered. Your seat is drawn on the night.")
                lines.append(self.seat or drawn)
            elif self.is_promised:
                lines.append(gettext("Good, you are on the list."))
            else:
                lines.append(
                    gettext("You are not entered yet. Just come, and the desk will enter you.")
                )
        return "\n".join(lines)


def _own_nights(request: HttpRequest, player: Player, at: datetime) -> Sequence[_OwnNight]:
    """The newest nights that a member is entered for, and those ahead to which they may come.

    One ahead of which they said that they do not come is left out. Four queries for each night that
    is ahead or being played, and four more.
    """
    club, player_ids = player.club, list_duplicate_ids(player)
    replies = EventReply.objects.filter(player__in=player_ids, event__club=club)
    said = dict(replies.values_list("event", "reply"))
    declined = [event for event, reply in said.items() if reply == Reply.NOT]
    comes = Entry.objects.filter(player__in=player_ids).exclude(presence=Presence.WITHDRAWN)
    comes = comes.exclude(presence=Presence.EXPECTED, event__in=declined)
    entered = Q(entries__in=comes)
    ahead = Q(
        status__in=(Status.PLANNED, Status.CANCELLED),
        is_hidden=False,
        is_results_only=False,
        starts_at__gte=at - STILL_NEXT,
    ) & ~Q(pk__in=declined)
    rows = Event.objects.filter(entered if player.left_at else entered | ahead, club=club)
    own = set(Event.objects.filter(entered, club=club).values_list("pk", flat=True))
    newest = rows.distinct().select_related("club", "rule_set").order_by("-starts_at", "pk")
    events = list(newest[:CALENDAR_MAX])
    moments = (
        Round.objects.filter(event__in=events)
        .values("event")
        .annotate(drawn=Max("drawn_at"), started=Max("started_at"), closed=Max("closed_at"))
    )
    round_at = {
        row["event"]: max(filter(None, (row["drawn"], row["started"], row["closed"])))
        for row in moments
    }
    my_season = public_url(request, reverse("my-season"))
    return [
        _OwnNight(
            event,
            public_url(request, reverse("event-page", args=[event.pk]))
            if club.is_public and not event.is_hidden
            else my_season,
            seat=describe_seat(event, player_ids)
            if event.pk in own and event.status in _AHEAD
            else "",
            is_entered=event.pk in own,
            is_promised=said.get(event.pk) == Reply.COMES,
            round_at=round_at.get(event.pk),
        )
        for event in events
    ]


@dataclass(frozen=True)
class _Shown:
    """The newest events of a club, ``most`` of them, as far as the asker may know of them."""

    request: AbsoluteUriBuilder
    most: int
    sees_hidden: bool
    in_full: bool

    def _rows(self, club: Club) -> QuerySet[Event]:
        rows = visible_rows(Event.objects.filter(club=club), hidden=self.sees_hidden)
        return rows.order_by("-starts_at", "pk")[: self.most]

    def tag(self, club: Club, facts: Sequence[str]) -> str:
        """The entity tag of a feed of them, before it is made. Six queries."""
        events = list(self._rows(club).values_list(*_EVENT_FACTS))
        told = [
            pk for pk, status, *_more in events[:ITEMS_MAX] if Status(status) not in _NO_RESULTS
        ]
        running = [pk for pk, status, *_more in events if status == Status.RUNNING]
        return tag_of(
            (
                *(facts, self.most, self.sees_hidden, self.in_full, events),
                list_club_facts(club),
                list_name_facts(club.pk),
                list(RuleSet.objects.filter(club=club).order_by("pk").values_list("pk", "name")),
                list_published_facts(club, Scope.EVENT, told),
                [
                    (
                        table.pk,
                        table.number,
                        table.round.number,
                        table.finish_on,
                        table.adjourned_at,
                    )
                    for table in (find_adjourned(running) if running else ())
                ],
            )
        )

    def items(self, club: Club) -> Sequence[_Item]:
        """The events with their results. Some queries for each that has results."""
        return [
            _Item(
                event,
                public_url(self.request, reverse("event-page", args=[event.pk])),
                find_current(Scope.EVENT, event.pk)
                if place < ITEMS_MAX and Status(event.status) not in _NO_RESULTS
                else None,
                in_full=self.in_full,
            )
            for place, event in enumerate(self._rows(club).select_related("club", "rule_set"))
        ]


def _write_secret(club: Club, items: Sequence[_Item]) -> bytes:
    """Write the calendar of a club behind a secret address.

    Pages of a club that is not public are for those who signed in.
    """
    if not club.is_public:
        items = [replace(item, url="") for item in items]
    return _write_calendar(club, readable(club.name), items)


def write_night_calendar(event: Event, url: str) -> bytes:
    """Write one event, without its results, as a calendar; ``url`` is its page, if it has one."""
    return _write_calendar(event.club, readable(event.club.name), [_Item(event, url)])


def _write_calendar(
    club: Club, name: str, items: Sequence[_Item], player: Player | None = None
) -> bytes:
    """Write events of a club as a calendar of this name; of ``player`` their own tables alone."""
    import icalendar  # noqa: PLC0415 (3 MB, for this file alone)

    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//Painsuit//Events//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    # Its own type: a property that the standard does not know is written as it is.
    calendar.add("x-wr-calname", icalendar.vText(name))
    calendar.add("x-wr-timezone", club.time_zone)
    for item in items:
        calendar.add_component(_calendar_event(item))
    for item, table in _tables_to_finish(items, player):
        calendar.add_component(_calendar_day(item, table))
    if items:
        # Only the years that are told, and only those of which anybody knows the clocks.
        years = [min(max(item.event.starts_at.year, 1970), 2100) for item in items]
        calendar.add_missing_timezones(date(min(years) - 1, 1, 1), date(max(years) + 2, 1, 1))
    body: bytes = calendar.to_ical()
    return body


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
    made.add("status", item.calendar_status)
    made.add("summary", item.title)
    made.add("description", f"{item.text}\n{item.url}".strip())
    if event.place:
        made.add("location", readable(event.place))
    if item.url:
        made.add("url", item.url)
    return made


def _tables_to_finish(
    items: Sequence[_Item], player: Player | None
) -> Iterator[tuple[_Item, Table]]:
    """The tables that are to be finished on a day that is known. Two queries at most."""
    nights = {item.event.pk: item for item in items if item.event.status == Status.RUNNING}
    players = None if player is None else list_duplicate_ids(player)
    for table in find_adjourned(nights, players) if nights else ():
        if table.finish_on:
            yield nights[table.round.event_id], table


def _calendar_day(item: _Item, table: Table) -> "icalendar.Event":
    """The day on which a table of a night is to be finished."""
    import icalendar  # noqa: PLC0415 (as above)

    made = icalendar.Event()
    made.add("uid", f"{table.pk}@painsuit")
    made.add("dtstamp", (table.adjourned_at or item.updated_at).astimezone(UTC))
    made.add("dtstart", table.finish_on)
    made.add("sequence", item.event.version)
    made.add("status", "CONFIRMED")
    numbers = {"table": table.number, "round": table.round.number}
    words = gettext("%(night)s: finish table %(table)s of round %(round)s")
    made.add("summary", words % {"night": readable(item.event.name), **numbers})
    if item.url:
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
    path("calendar/<str:token>/nights.ics", SecretCalendar.as_view(), name="secret-calendar"),
]
"""The same feeds beside the page of the club, where search engines may look as well; and calendars
behind secret addresses, where nobody may who does not know them."""
