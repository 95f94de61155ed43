"""Where doors of events stand: what an address names."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from tournaments import queries
from tournaments.access import Place
from tournaments.api.doors import Ask, Door
from tournaments.hiding import EventPlace, event_place
from tournaments.models import Entry, Event
from tournaments.refusals import NotThereError


class EventDoor(Door):
    """Doors at an event."""

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        return event_place(queries.event(ids["event_id"]))


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
