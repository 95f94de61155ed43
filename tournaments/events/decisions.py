"""Decisions on seats: forfeits, and scores that the director gives; taken back, never changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message, Sentence, message_of
from tournaments import invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.events.adjustments import mark_cancelled
from tournaments.events.events import lock, touch
from tournaments.models import (
    DecisionKind,
    Entry,
    Event,
    Round,
    SeatDecision,
    Stage,
    Table,
    TableGame,
    TableSeat,
)
from tournaments.standings.settings import exact


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDecision:
    """A decision in a round: on the seat of an ``entry``, or on everybody at a ``table``.

    A forfeit: who left early keeps their first ``hands`` (None: those that they sat in themselves),
    0 for somebody who never came. A score: ``amount``, in the unit of the event's score, instead of
    what was played. ``game`` tells which one, where the table played several.
    """

    kind: str
    round: int
    reason: str
    entry: UUID | None = None
    table: int | None = None
    game: UUID | None = None
    hands: int | None = None
    amount: str = ""


@transaction.atomic
def decide_seats(
    *, event_id: UUID, new: NewDecision, by: Actor, at: datetime
) -> list[SeatDecision]:
    """Decide on one seat, or on all those of a table. Raises RefusedError naming the field."""
    event = lock(event_id)
    if not new.reason.strip():
        raise RefusedError(Message("Say why."), "reason")
    _check(new)
    table, entries = _seats(event, new)
    game = _game(table, new)
    held = SeatDecision.objects.filter(game=game, entry__in=entries, cancelled_at=None)
    if known := held.select_related("entry").order_by("entry__number").first():
        words = Message(
            "There is a decision on entry {number} at this table already; take it back first.",
            number=known.entry.number,
        )
        raise RefusedError(words, "entry")
    rows = [
        SeatDecision(
            game=game,
            entry=entry,
            kind=new.kind,
            hands=new.hands,
            amount=str(exact(new.amount)) if new.amount else "",
            reason=new.reason,
            by=by.label,
            at=at,
        )
        for entry in entries
    ]
    SeatDecision.objects.bulk_create(rows)
    details = {
        "round": new.round,
        "game": game.pk,
        "kind": new.kind,
        "hands": new.hands,
        "amount": rows[0].amount,
        "entries": [entry.pk for entry in entries],
    }
    touch(event, AuditRecord(Message("seats decided"), new.reason, details), by, at)
    invalidation.mark_event(event.pk, at)
    return rows


def _check(new: NewDecision) -> None:
    """Raise RefusedError for what does not go with the kind of the decision."""
    if new.kind not in DecisionKind.values:
        raise RefusedError(Message("A decision is a forfeit or a score."), "kind")
    if new.kind == DecisionKind.FORFEIT:
        if new.amount:
            raise RefusedError(Message("A forfeit counts by the scoring of the event."), "amount")
        return
    if new.hands is not None:
        raise RefusedError(Message("A score is given instead of all hands."), "hands")
    try:
        exact(new.amount)
    except ValueError as error:
        raise RefusedError(Sentence(message_of(error)), "amount") from error


def _seats(event: Event, new: NewDecision) -> tuple[Table, Sequence[Entry]]:
    """The table, and whom it is about."""
    row = Round.objects.filter(event=event, number=new.round).first()
    if row is None:
        raise RefusedError(Message("There is no round {round}.", round=new.round), "round")
    if row.stage == Stage.DRAWN:
        words = Message("Round {round} has not begun; draw it again without them.", round=new.round)
        raise RefusedError(words, "round")
    if (new.entry is None) == (new.table is None):
        raise RefusedError(Message("Name an entry or a table."), "entry")
    seats = TableSeat.objects.filter(round=row).select_related("entry", "table").order_by("seat")
    if new.table is not None:
        found = list(seats.filter(table__number=new.table))
    else:
        found = list(seats.filter(entry=new.entry))
    if not found:
        if new.table is not None:
            words = Message(
                "There is no table {table} in round {round}.", table=new.table, round=new.round
            )
            raise RefusedError(words, "table")
        raise RefusedError(
            Message("This entry does not sit in round {round}.", round=new.round), "entry"
        )
    return found[0].table, [seat.entry for seat in found]


def _game(table: Table, new: NewDecision) -> TableGame:
    games = TableGame.objects.filter(table=table)
    found = list(games.filter(pk=new.game) if new.game is not None else games)
    if not found:
        raise RefusedError(
            Message("There is no such game at table {number}.", number=table.number), "game"
        )
    if len(found) > 1:
        raise RefusedError(
            Message("Say which of the {count} games of this table.", count=len(found)), "game"
        )
    return found[0]


@transaction.atomic
def cancel_decision(
    *, event_id: UUID, decision_id: UUID, why: str, by: Actor, at: datetime
) -> SeatDecision:
    """Take a decision back; it stays on record. A second time changes nothing."""
    event = lock(event_id)
    row = SeatDecision.objects.filter(game__event=event, pk=decision_id).first()
    action = AuditRecord(Message("decision cancelled"), why, {"decision": decision_id})
    return mark_cancelled(event, row, action, by, at)
