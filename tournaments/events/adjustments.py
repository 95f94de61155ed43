"""Adjustments: penalties and bonuses in the score of an event; taken back, never changed.

Once the event is official each makes an amendment that the director has to confirm (DEC-7).
"""

from datetime import datetime
from fractions import Fraction
from typing import TypeVar
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message, Sentence, message_of
from tournaments import invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.events.events import lock, touch
from tournaments.models import Adjustment, Entry, Event, SeatDecision
from tournaments.standings.settings import exact

R = TypeVar("R", Adjustment, SeatDecision)


@transaction.atomic
def adjust_score(
    *,
    event_id: UUID,
    entry: UUID,
    amount: str,
    reason: str,
    round: int | None = None,  # noqa: A002  # as the column is called
    affects_place: bool = False,
    by: Actor,
    at: datetime,
) -> Adjustment:
    """Give an entry a penalty (below 0) or a bonus, in the unit of the event's score.

    Raises RefusedError.
    """
    event = lock(event_id)
    entrant = Entry.objects.filter(event=event, pk=entry).first()
    if entrant is None:
        raise RefusedError(Message("There is no such entry in this event."), "entry")
    if round is not None and not event.round_rows.filter(number=round).exists():
        raise RefusedError(Message("There is no round {round}.", round=round), "round")
    row = Adjustment.objects.create(
        entry=entrant,
        amount=str(_amount(amount)),
        round=round,
        affects_place=affects_place,
        reason=reason,
        by=by.label,
        at=at,
    )
    details = {"entry": entrant.pk, "adjustment": row.pk, "amount": row.amount, "round": row.round}
    touch(event, AuditRecord(Message("score adjusted"), reason, details), by, at)
    invalidation.mark_event(event.pk, at)
    return row


def _amount(text: str) -> Fraction:
    try:
        amount = exact(text)
    except ValueError as error:
        raise RefusedError(Sentence(message_of(error)), "amount") from error
    if not amount:
        raise RefusedError(Message("An adjustment of nothing is none."), "amount")
    return amount


@transaction.atomic
def cancel_adjustment(
    *, event_id: UUID, adjustment_id: UUID, why: str, by: Actor, at: datetime
) -> Adjustment:
    """Take a penalty or a bonus back; it stays on record. A second time changes nothing."""
    event = lock(event_id)
    row = Adjustment.objects.filter(entry__event=event, pk=adjustment_id).first()
    action = AuditRecord(Message("adjustment cancelled"), why, {"adjustment": adjustment_id})
    return mark_cancelled(event, row, action, by, at)


def mark_cancelled(event: Event, row: R | None, action: AuditRecord, by: Actor, at: datetime) -> R:
    """Mark adjustments of a locked event as cancelled, from now on without effect.

    Raises NotThereError for None.
    """
    if row is None:
        raise NotThereError
    if row.cancelled_at is None:
        row.cancelled_at = at
        row.save(update_fields=["cancelled_at"])
        touch(event, action, by, at)
        invalidation.mark_event(event.pk, at)
    return row
