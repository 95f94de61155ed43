"""Feeds: the events of a club for calendars and feed readers; of a public club for everybody.

iCalendar is RFC 5545, the feed JSON Feed 1.1.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.urls import reverse

from tournaments.access.rights import Right
from tournaments.access.visibility import visible_rows
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.models import Event

MOST = 200
_HOURS = timedelta(hours=3)
_FOLD = 75


class CalendarViewSet(ApiViewSet):
    """The events of a club as a calendar."""

    outputs = {"retrieve": bytes}
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, club_id: UUID) -> HttpResponse:
        """Subscribe to the events of a club, as iCalendar."""
        lines = _calendar(request, _events(request))
        body = b"".join(_fold_line(line) for line in lines)
        return HttpResponse(body, content_type="text/calendar; charset=utf-8")


class FeedViewSet(ApiViewSet):
    """The events of a club as a feed."""

    outputs = {"retrieve": bytes}
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, club_id: UUID) -> HttpResponse:
        """Follow the events of a club, as JSON Feed."""
        items = [_item(event, _page_of(request, event)) for event in _events(request)]
        home = reverse("club-page", args=[club_id])
        feed = {
            "version": "https://jsonfeed.org/version/1.1",
            "title": request.club.name,
            "home_page_url": request.build_absolute_uri(home),
            "feed_url": request.build_absolute_uri(),
            "items": items,
        }
        return JsonResponse(feed, content_type="application/feed+json")


def _events(request: ApiRequest) -> list[Event]:
    rows = visible_rows(Event.objects.filter(club=request.club), hidden=request.sees_hidden)
    return list(rows.order_by("-starts_at", "pk")[:MOST])


def _page_of(request: ApiRequest, event: Event) -> str:
    """The address of an event's public page."""
    return request.build_absolute_uri(reverse("event-page", args=[event.pk]))


def _item(event: Event, url: str) -> dict[str, Any]:
    return {
        "id": f"urn:uuid:{event.pk}",
        "url": url,
        "title": event.name,
        "content_text": f"{event.name}: {event.get_status_display()}",
        "date_published": event.created_at.astimezone(UTC).isoformat(),
        "_painsuit": {
            "starts_at": event.starts_at.astimezone(UTC).isoformat(),
            "status": event.status,
            "rounds": event.rounds,
            "hands": event.hands,
        },
    }


def _calendar(request: ApiRequest, events: list[Event]) -> Iterator[str]:
    club = request.club
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Painsuit//Events//EN")
    yield f"X-WR-CALNAME:{_text(club.name)}"
    yield f"X-WR-TIMEZONE:{_text(club.time_zone)}"
    for event in events:
        yield "BEGIN:VEVENT"
        yield f"UID:{event.pk}@painsuit"
        yield f"DTSTAMP:{_moment(request.at)}"
        yield f"DTSTART:{_moment(event.starts_at)}"
        yield f"DTEND:{_moment(event.starts_at + _HOURS)}"
        yield f"SEQUENCE:{event.version}"
        yield f"SUMMARY:{_text(event.name)}"
        yield f"URL:{_page_of(request, event)}"
        yield "END:VEVENT"
    yield "END:VCALENDAR"


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(words: str) -> str:
    r"""A text as iCalendar takes it.

    >>> _text("Cup; round 1, 2\nBEGIN:VALARM")
    'Cup\\; round 1\\, 2\\nBEGIN:VALARM'
    """
    for sign in "\\;,":
        words = words.replace(sign, f"\\{sign}")
    lines = "\\n".join(words.splitlines())
    return "".join(sign for sign in lines if sign.isprintable())


def _fold_line(line: str) -> bytes:
    r"""A line of at most 75 bytes, going on in the next after a space; no letter is cut.

    >>> _fold_line("SUMMARY:" + "é" * 40).count(b"\r\n ")
    1
    """
    pieces: list[bytes] = []
    piece = b""
    for sign in line:
        made = sign.encode("utf-8", "replace")
        if len(piece) + len(made) > _FOLD - bool(pieces):
            pieces.append(piece)
            piece = b""
        piece += made
    return b"\r\n ".join([*pieces, piece]) + b"\r\n"
