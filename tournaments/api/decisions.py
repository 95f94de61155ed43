"""Decisions on seats: forfeits, and scores given by the director."""

from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import TypedDict
from uuid import UUID

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, read, write
from tournaments.api.fields import Identifier, OneOf, Text, Whole, form
from tournaments.api.places import EventDoor, event_of
from tournaments.events import decisions
from tournaments.events.decisions import NewDecision
from tournaments.events.events import HANDS_MOST, ROUNDS_MOST
from tournaments.models import DecisionKind, SeatDecision
from tournaments.selectors import shown_name

DECISION = form(
    kind=OneOf(of=tuple(map(str, DecisionKind.values))),
    round=Whole(least=1, most=ROUNDS_MOST),
    entry=Identifier(required=False, words="Whom it is about; or a table."),
    table=Whole(required=False, least=1, most=1000, words="Everybody at this table."),
    game=Identifier(required=False, words="Where a table played several games of the round."),
    hands=Whole(
        required=False,
        nullable=True,
        most=HANDS_MOST,
        words="A forfeit: so many first hands are his; without it, those that he sat in himself.",
    ),
    amount=Text(required=False, most=40, least=0, words="A score: in the unit of the total."),
    reason=Text(most=300),
)
WHY = form(why=Text(most=300))


class DecisionOut(TypedDict):
    """A forfeit or a given score; ``reason`` is told to members of the club."""

    id: UUID
    kind: str
    round: int
    table: int
    game: UUID
    entry: UUID
    name: str
    hands: int | None
    amount: str
    reason: str | None
    at: datetime
    cancelled_at: datetime | None


class DecisionList(TypedDict):
    """Decisions that were made together."""

    items: list[DecisionOut]


class Decisions(EventDoor):
    """Forfeits, and scores given by the director."""

    @read(Right.CLUB_READ, gives=DecisionOut, pages=True)
    def get(self, ask: Ask, event_id: UUID) -> Answer:
        """List forfeits and given scores, cancelled ones too."""
        rows = selectors.decisions(event_of(ask))
        return ask.page(rows, lambda row: decision_out(row, ask.rights))

    @write(Right.EVENTS_EDIT, takes=DECISION, gives=DecisionList, status=201)
    def post(self, ask: Ask, event_id: UUID) -> Answer:
        """Decide on one seat in a round, or on all those of a table."""
        made = decisions.decide_seats(
            event_id=event_id, new=NewDecision(**ask.values), by=ask.by, at=ask.at
        )
        rows = selectors.decisions(event_of(ask)).filter(pk__in=[row.pk for row in made])
        return Answer({"items": [decision_out(row, ask.rights) for row in rows.order_by("pk")]})


class OneDecision(EventDoor):
    """A forfeit or a given score."""

    @write(Right.EVENTS_EDIT, takes=WHY, gives=DecisionOut)
    def delete(self, ask: Ask, event_id: UUID, decision_id: UUID) -> Answer:
        """Take a decision back; it stays on record."""
        decisions.cancel_decision(
            event_id=event_id,
            decision_id=decision_id,
            why=ask.values["why"],
            by=ask.by,
            at=ask.at,
        )
        row = selectors.decisions(event_of(ask)).get(pk=decision_id)
        return Answer(decision_out(row, ask.rights))


def decision_out(row: SeatDecision, rights: AbstractSet[Right]) -> DecisionOut:
    """A decision as data, for somebody with these rights."""
    table = row.game.table
    assert table is not None
    return {
        "id": row.pk,
        "kind": row.kind,
        "round": table.round.number,
        "table": table.number,
        "game": row.game_id,
        "entry": row.entry_id,
        "name": shown_name(row.entry.player, in_full=Right.NAMES_READ in rights),
        "hands": row.hands,
        "amount": row.amount,
        "reason": row.reason if Right.NAMES_READ in rights else None,
        "at": row.at,
        "cancelled_at": row.cancelled_at,
    }
