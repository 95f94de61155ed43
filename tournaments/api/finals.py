"""The cut of an event, and the final that its best play on in."""

from typing import TypedDict
from uuid import UUID

from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, read, write
from tournaments.api.entries import EntryOut, entry_out
from tournaments.api.events import NEW, EventOut, event_out
from tournaments.api.fields import OneOf, Whole, form
from tournaments.api.places import EventDoor
from tournaments.events import finals
from tournaments.events.events import NewEvent
from tournaments.events.finals import CutLine, NewFinal
from tournaments.movements import CarryOver, CutPolicy

_POLICY = OneOf(
    required=False,
    of=tuple(map(str, CutPolicy)),
    words="Where more are tied for the last places than there are places.",
)
LINE = form(
    places=Whole(required=False, least=1, most=1000, words="4 unless said otherwise."),
    policy=_POLICY,
)
FINAL = form(
    event=NEW,
    places=Whole(least=1, most=1000),
    policy=_POLICY,
    carry=OneOf(required=False, of=tuple(map(str, CarryOver)), words="What finalists keep."),
)


class CutOut(TypedDict):
    """A cut: ``sure`` are above the line, ``tied`` on it, ``chosen`` go on."""

    places: int
    sure: list[EntryOut]
    tied: list[EntryOut]
    chosen: list[EntryOut]
    reserves: list[EntryOut]
    still_open: int


class EventCut(EventDoor):
    """Who would go on."""

    @read(Right.CLUB_READ, gives=CutOut, query=LINE)
    def get(self, ask: Ask, event_id: UUID) -> Answer:
        """Show who would be over the line as the event stands; nothing is written."""
        found = finals.cut_of(event_id=event_id, line=_line(ask.query))
        groups = {
            name: [entry_out(entry, ask.rights) for entry in found.named(getattr(found.cut, name))]
            for name in ("sure", "tied", "chosen", "reserves")
        }
        return Answer({"places": found.cut.places, "still_open": found.cut.still_open, **groups})


class Finals(EventDoor):
    """The final of an event."""

    @write(Right.EVENTS_EDIT, takes=FINAL, gives=EventOut, status=201)
    def post(self, ask: Ask, event_id: UUID) -> Answer:
        """Set a final up with those who are over the line, an event of its own."""
        final = NewFinal(
            event=NewEvent(**ask.values["event"]),
            line=_line(ask.values),
            carry=CarryOver(ask.values.get("carry", CarryOver.NONE)),
        )
        made = finals.make_final(event_id=event_id, final=final, by=ask.by, at=ask.at)
        return Answer(event_out(made), version=made.version, location=f"/api/v1/events/{made.pk}")


def _line(values: object) -> CutLine:
    assert isinstance(values, dict)
    policy = CutPolicy(values.get("policy", CutPolicy.TIEBREAK))
    return CutLine(places=values.get("places", 4), policy=policy)
