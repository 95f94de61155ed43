"""Entries of an event: checked in, changed, kept apart; penalties and bonuses."""

from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import TypedDict
from uuid import UUID

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, read, write
from tournaments.api.fields import Flag, Identifier, ListOf, OneOf, Text, Whole, changes, form
from tournaments.api.places import EventDoor, entry_of, event_of
from tournaments.events import adjustments, entries
from tournaments.events.adjustments import NewAdjustment
from tournaments.events.entries import NewEntry
from tournaments.events.events import ROUNDS_MOST
from tournaments.models import Adjustment, Apart, Entry, EntryStanding, Presence

_FIELDS = {
    "standing": OneOf(required=False, of=tuple(map(str, EntryStanding.values))),
    "presence": OneOf(required=False, of=tuple(map(str, Presence.values))),
    "team": Text(required=False, most=100, least=0),
    "household": Text(
        required=False, most=100, least=0, words="Those of one household meet as seldom as can be."
    ),
    "pot": Whole(required=False, nullable=True, least=1, most=1000, words="Its seeding pot."),
    "stay_table": Whole(required=False, nullable=True, least=1, most=1000),
    "stay_seat": Whole(required=False, nullable=True, most=5, words="From 0, who deals first."),
    "never_tables": ListOf(
        required=False, of=Whole(least=1, most=1000), words="Numbers of tables to keep away from."
    ),
    "sits_out": Flag(required=False, words="Sits out first, if somebody has to."),
    "handicap": Text(required=False, most=40, least=0, words="A number such as 21/2."),
}
NEW = form(
    player=Identifier(),
    first=Whole(required=False, least=1, most=ROUNDS_MOST, words="The first round he plays."),
    **_FIELDS,
)
CHANGE = changes(form(**_FIELDS))
FILTERS = form(presence=OneOf(required=False, of=tuple(map(str, Presence.values))))
PAIR = form(one=Identifier(), other=Identifier())
ADJUSTMENT = form(
    entry=Identifier(),
    amount=Text(most=40, words="A number in the unit of the score; a penalty begins with -."),
    reason=Text(most=300),
    round=Whole(required=False, nullable=True, least=1, most=ROUNDS_MOST),
    affects_place=Flag(required=False, words="Whether it changes places at the table."),
)
WHY = form(why=Text(most=300))


class EntryOut(TypedDict):
    """Somebody who takes part. ``last``: the last round that he plays, null: to the end."""

    id: UUID
    number: int
    player: UUID
    name: str
    standing: str
    presence: str
    first: int
    last: int | None
    team: str
    household: str
    pot: int | None
    stay_table: int | None
    stay_seat: int | None
    never_tables: list[int]
    sits_out: bool
    handicap: str


class PairOut(TypedDict):
    """Two entries that are kept apart."""

    one: UUID
    other: UUID


class PairList(TypedDict):
    """All pairs that are kept apart."""

    items: list[PairOut]


class AdjustmentOut(TypedDict):
    """A penalty or a bonus; ``reason`` is told to members of the club."""

    id: UUID
    entry: UUID
    amount: str
    round: int | None
    affects_place: bool
    reason: str | None
    at: datetime
    cancelled_at: datetime | None


class Entries(EventDoor):
    """Who takes part in an event."""

    @read(Right.CLUB_READ, gives=EntryOut, query=FILTERS, pages=True)
    def get(self, ask: Ask, event_id: UUID) -> Answer:
        """List entries."""
        rows = selectors.entries(event_of(ask))
        if "presence" in ask.query:
            rows = rows.filter(presence=ask.query["presence"])
        return ask.page(rows, lambda row: entry_out(row, ask.rights))

    @write(Right.EVENTS_EDIT, takes=NEW, gives=EntryOut, status=201)
    def post(self, ask: Ask, event_id: UUID) -> Answer:
        """Enter somebody, or check in who was entered already."""
        entry = entries.enter(event_id=event_id, new=NewEntry(**ask.values), by=ask.by, at=ask.at)
        return Answer(entry_out(entry, ask.rights), location=f"{ask.path}/{entry.pk}")


class OneEntry(EventDoor):
    """An entry."""

    @read(Right.CLUB_READ, gives=EntryOut)
    def get(self, ask: Ask, event_id: UUID, entry_id: UUID) -> Answer:
        """Show an entry."""
        return Answer(entry_out(entry_of(ask, entry_id), ask.rights))

    @write(Right.EVENTS_EDIT, takes=CHANGE, gives=EntryOut)
    def patch(self, ask: Ask, event_id: UUID, entry_id: UUID) -> Answer:
        """Check in, let leave, or change what the seating keeps to."""
        entry_of(ask, entry_id)
        entry = entries.change_entry(entry_id=entry_id, changes=ask.values, by=ask.by, at=ask.at)
        return Answer(entry_out(entry, ask.rights))

    @write(Right.EVENTS_EDIT, gives=EntryOut)
    def delete(self, ask: Ask, event_id: UUID, entry_id: UUID) -> Answer:
        """Take off who was entered by mistake and never seated."""
        row = entry_out(entry_of(ask, entry_id), ask.rights)
        entries.remove_entry(entry_id=entry_id, by=ask.by, at=ask.at)
        return Answer(row)


class Apartness(EventDoor):
    """Pairs that are kept apart."""

    @read(Right.EVENTS_EDIT, gives=PairList)
    def get(self, ask: Ask, event_id: UUID) -> Answer:
        """List pairs that are kept apart; nobody's business but the director's."""
        rows = Apart.objects.filter(event=event_of(ask)).order_by("id")
        return Answer({"items": [{"one": row.one_id, "other": row.other_id} for row in rows]})

    @write(Right.EVENTS_EDIT, takes=PAIR, gives=PairOut, status=201)
    def post(self, ask: Ask, event_id: UUID) -> Answer:
        """Keep two entries apart."""
        row = entries.keep_apart(event_id=event_id, **ask.values, by=ask.by, at=ask.at)
        return Answer({"one": row.one_id, "other": row.other_id})


class Meeting(EventDoor):
    """A pair that may meet again."""

    @write(Right.EVENTS_EDIT, takes=PAIR, gives=PairOut)
    def post(self, ask: Ask, event_id: UUID) -> Answer:
        """Let two entries meet again."""
        entries.let_meet(event_id=event_id, **ask.values, by=ask.by, at=ask.at)
        return Answer(dict(ask.values))


class Adjustments(EventDoor):
    """Penalties and bonuses."""

    @read(Right.CLUB_READ, gives=AdjustmentOut, pages=True)
    def get(self, ask: Ask, event_id: UUID) -> Answer:
        """List penalties and bonuses, cancelled ones too."""
        rows = selectors.adjustments(event_of(ask))
        return ask.page(rows, lambda row: adjustment_out(row, ask.rights))

    @write(Right.EVENTS_EDIT, takes=ADJUSTMENT, gives=AdjustmentOut, status=201)
    def post(self, ask: Ask, event_id: UUID) -> Answer:
        """Give a penalty or a bonus."""
        row = adjustments.adjust(
            event_id=event_id, new=NewAdjustment(**ask.values), by=ask.by, at=ask.at
        )
        return Answer(adjustment_out(row, ask.rights))


class OneAdjustment(EventDoor):
    """A penalty or a bonus."""

    @write(Right.EVENTS_EDIT, takes=WHY, gives=AdjustmentOut)
    def delete(self, ask: Ask, event_id: UUID, adjustment_id: UUID) -> Answer:
        """Take a penalty or a bonus back; it stays on record."""
        row = adjustments.cancel_adjustment(
            event_id=event_id,
            adjustment_id=adjustment_id,
            why=ask.values["why"],
            by=ask.by,
            at=ask.at,
        )
        return Answer(adjustment_out(row, ask.rights))


def entry_out(entry: Entry, rights: AbstractSet[Right]) -> EntryOut:
    """An entry as data, for somebody with these rights."""
    return {
        "id": entry.pk,
        "number": entry.number,
        "player": entry.player_id,
        "name": selectors.shown_name(entry.player, in_full=Right.NAMES_READ in rights),
        "standing": entry.standing,
        "presence": entry.presence,
        "first": entry.first,
        "last": entry.last,
        "team": entry.team,
        "household": entry.household,
        "pot": entry.pot,
        "stay_table": entry.stay_table,
        "stay_seat": entry.stay_seat,
        "never_tables": entry.never_tables,
        "sits_out": entry.sits_out,
        "handicap": entry.handicap,
    }


def adjustment_out(row: Adjustment, rights: AbstractSet[Right]) -> AdjustmentOut:
    """An adjustment as data, for somebody with these rights."""
    return {
        "id": row.pk,
        "entry": row.entry_id,
        "amount": row.amount,
        "round": row.round,
        "affects_place": row.affects_place,
        "reason": row.reason if Right.NAMES_READ in rights else None,
        "at": row.at,
        "cancelled_at": row.cancelled_at,
    }
