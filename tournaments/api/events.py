"""Events: set up, listed, changed, finished; how their settings read in plain words."""

from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.access.visibility import visible_rows
from tournaments.api.doors import Answer, Ask, Door, read, write
from tournaments.api.fields import (
    Flag,
    Identifier,
    ListOf,
    Moment,
    OneOf,
    Text,
    Whole,
    changes,
    form,
)
from tournaments.api.places import EventDoor, event_of
from tournaments.api.settings import Settings
from tournaments.events import events
from tournaments.events.events import HANDS_MOST, MONEY_MOST, ROUNDS_MOST, NewEvent
from tournaments.models import Event, Movement, Status
from tournaments.standings import describe

_FIELDS = {
    "name": Text(most=200),
    "starts_at": Moment(),
    "rule_set": Identifier(words="The house rules that it is played by."),
    "rounds": Whole(required=False, least=1, most=ROUNDS_MOST),
    "hands": Whole(required=False, least=1, most=HANDS_MOST, words="Hands in a round."),
    "movement": OneOf(required=False, of=tuple(map(str, Movement.values))),
    "sizes": ListOf(
        required=False, of=Whole(least=3, most=6), least=1, most=4, words="Tables of which size."
    ),
    "sit_outs": Flag(required=False, words="Whether somebody may sit out a round."),
    "wishes": Settings(
        required=False, words="Of seating: top_first (true), closed_tables (numbers)."
    ),
    "scoring": Settings(required=False, words="How it is scored; see /scoring."),
    "prizes": Settings(required=False, words="Who gets how much of the pool; see /awards."),
    "entry_fee": Whole(required=False, most=MONEY_MOST, words="In minor units of the currency."),
    "added": Whole(required=False, most=MONEY_MOST, words="What the club puts into the pool."),
    "team_best": Whole(
        required=False, nullable=True, least=1, most=100, words="How many of a team count; all."
    ),
    "duplicate": Flag(required=False, words="Whether all tables play the same deals."),
    "rated": Flag(required=False, words="Whether it counts in ratings, as is usual."),
    "rank_guests": Flag(required=False, words="Whether guests are ranked like members."),
    "is_hidden": Flag(required=False, words="Whether strangers may not know of it."),
}
NEW = form(
    **_FIELDS,
    seed=Text(required=False, most=64, words="Makes every draw and lot; published."),
    id=Identifier(required=False, words="The client's own, so that sending twice is harmless."),
)
CHANGE = changes(form(**_FIELDS))
FILTERS = form(status=OneOf(required=False, of=tuple(map(str, Status.values))))


class ListedEvent(TypedDict):
    """An event in a list."""

    id: UUID
    name: str
    starts_at: datetime
    status: str
    movement: str
    rounds: int
    is_hidden: bool
    version: int


class EventOut(ListedEvent):
    """An event; ``scored`` says in plain words how."""

    rule_set: UUID
    hands: int
    sizes: list[int]
    sit_outs: bool
    wishes: dict[str, Any]
    scoring: dict[str, Any]
    scored: list[str]
    prizes: dict[str, Any]
    entry_fee: int
    added: int
    team_best: int | None
    duplicate: bool
    rated: bool
    rank_guests: bool
    seed: str
    finished_at: datetime | None
    official_at: datetime | None


class Events(Door):
    """The events of a club."""

    @read(Right.CLUB_READ, gives=ListedEvent, query=FILTERS, pages=True)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """List the events of a club."""
        rows = selectors.events(ask.club, **ask.filters)
        return ask.page(visible_rows(rows, hidden=ask.sees_hidden), line_out)

    @write(Right.EVENTS_EDIT, takes=NEW, gives=EventOut, status=201)
    def post(self, ask: Ask, club_id: UUID) -> Answer:
        """Set an event up."""
        event = events.create_event(
            club_id=club_id, new=NewEvent(**ask.values), by=ask.by, at=ask.at
        )
        return answer(event, f"/api/v1/events/{event.pk}")


class OneEvent(EventDoor):
    """An event."""

    @read(Right.CLUB_READ, gives=EventOut)
    def get(self, ask: Ask, event_id: UUID) -> Answer:
        """Show an event with all its settings."""
        return answer(event_of(ask))

    @write(Right.EVENTS_EDIT, takes=CHANGE, gives=EventOut, edits=True)
    def patch(self, ask: Ask, event_id: UUID) -> Answer:
        """Change an event; standings follow by themselves."""
        event = events.change_event(
            event_id=event_id, changes=ask.values, version=ask.version, by=ask.by, at=ask.at
        )
        return answer(event)


def line_out(event: Event) -> ListedEvent:
    """An event in a list."""
    return {
        "id": event.pk,
        "name": event.name,
        "starts_at": event.starts_at,
        "status": event.status,
        "movement": event.movement,
        "rounds": event.rounds,
        "is_hidden": event.is_hidden,
        "version": event.version,
    }


def event_out(event: Event) -> EventOut:
    """An event as data."""
    scoring = events.scoring_of(event)
    return {
        **line_out(event),
        "rule_set": event.rule_set_id,
        "hands": event.hands,
        "sizes": event.sizes,
        "sit_outs": event.sit_outs,
        "wishes": event.wishes,
        "scoring": scoring.to_data(),
        "scored": describe(scoring),
        "prizes": event.prizes,
        "entry_fee": event.entry_fee,
        "added": event.added,
        "team_best": event.team_best,
        "duplicate": event.duplicate,
        "rated": event.rated,
        "rank_guests": event.rank_guests,
        "seed": event.seed,
        "finished_at": event.finished_at,
        "official_at": event.official_at,
    }


def answer(event: Event, location: str | None = None) -> Answer:
    """The answer that shows an event."""
    return Answer(event_out(event), version=event.version, location=location)
