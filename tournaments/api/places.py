"""Where doors of events stand: what an address names."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from tournaments import selectors
from tournaments.access.rights import Place
from tournaments.access.visibility import EventPlace, event_place
from tournaments.api.doors import Ask, Door
from tournaments.core.errors import NotThereError
from tournaments.models import Entry, Event


class EventDoor(Door):
    """Doors at an event."""

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        return event_place(selectors.event(ids["event_id"]))


def event_of(ask: Ask) -> Event:
    """The event that an address names."""
    assert isinstance(ask.place, EventPlace)
    assert ask.place.event is not None
    return ask.place.event


def entry_of(ask: Ask, entry_id: UUID) -> Entry:
    """An entry of that event. Raises NotThereError."""
    found = selectors.entries(event_of(ask)).filter(pk=entry_id).first()
    if found is None:
        raise NotThereError
    return found
