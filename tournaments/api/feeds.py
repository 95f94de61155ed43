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
from tournaments.api.doors import PRIVATE, Answer, Ask, Door, read
from tournaments.models import Event

MOST = 200
_HOURS = timedelta(hours=3)
_FOLD = 75


class Calendar(Door):
    """The events of a club as a calendar."""

    @read(Right.CLUB_READ, gives=bytes)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """Subscribe to the events of a club, as iCalendar."""
        lines = _calendar(ask, _events(ask))
        body = b"".join(_folded(line) for line in lines)
        return Answer(file=_with(HttpResponse(body, content_type="text/calendar; charset=utf-8")))


class Feed(Door):
    """The events of a club as a feed."""

    @read(Right.CLUB_READ, gives=bytes)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """Follow the events of a club, as JSON Feed."""
        items = [_item(event, _page_of(ask, event)) for event in _events(ask)]
        home = reverse("club-page", args=[club_id])
        feed = {
            "version": "https://jsonfeed.org/version/1.1",
            "title": ask.club.name,
            "home_page_url": ask.request.build_absolute_uri(home),
            "feed_url": ask.request.build_absolute_uri(),
            "items": items,
        }
        return Answer(file=_with(JsonResponse(feed, content_type="application/feed+json")))


def _with(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = PRIVATE
    return response


def _events(ask: Ask) -> list[Event]:
    rows = visible_rows(Event.objects.filter(club=ask.club), hidden=ask.sees_hidden)
    return list(rows.order_by("-starts_at", "pk")[:MOST])


def _page_of(ask: Ask, event: Event) -> str:
    """The address of an event's public page."""
    return ask.request.build_absolute_uri(reverse("event-page", args=[event.pk]))


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


def _calendar(ask: Ask, events: list[Event]) -> Iterator[str]:
    club = ask.club
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Painsuit//Events//EN")
    yield f"X-WR-CALNAME:{_text(club.name)}"
    yield f"X-WR-TIMEZONE:{_text(club.time_zone)}"
    for event in events:
        yield "BEGIN:VEVENT"
        yield f"UID:{event.pk}@painsuit"
        yield f"DTSTAMP:{_moment(ask.at)}"
        yield f"DTSTART:{_moment(event.starts_at)}"
        yield f"DTEND:{_moment(event.starts_at + _HOURS)}"
        yield f"SEQUENCE:{event.version}"
        yield f"SUMMARY:{_text(event.name)}"
        yield f"URL:{_page_of(ask, event)}"
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


def _folded(line: str) -> bytes:
    r"""A line of at most 75 bytes, going on in the next after a space; no letter is cut.

    >>> _folded("SUMMARY:" + "é" * 40).count(b"\r\n ")
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
