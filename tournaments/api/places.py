"""Where doors of events stand: what an address names."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tournaments import queries
from tournaments.access import Place
from tournaments.api.doors import Ask, Door
from tournaments.models import Entry, Event
from tournaments.refusals import NotThereError


@dataclass(frozen=True, slots=True)
class EventPlace(Place):
    """An event of a club."""

    event: Event | None = None


class EventDoor(Door):
    """Doors at an event."""

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        event = queries.event(ids["event_id"])
        return Place(None) if event is None else EventPlace(event.club, None, event)


def event_of(ask: Ask) -> Event:
    """The event that an address names."""
    assert isinstance(ask.place, EventPlace)
    assert ask.place.event is not None
    return ask.place.event


def entry_of(ask: Ask, entry_id: UUID) -> Entry:
    """An entry of that event. Raises NotThereError."""
    found = queries.entries(event_of(ask)).filter(pk=entry_id).first()
    if found is None:
        raise NotThereError
    return found
