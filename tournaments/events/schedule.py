"""The schedule of events: called off and reinstated, moved to another date, removed.

An event that is called off stays, with its reason and everybody who had entered; one that was set
up by mistake can be removed while nothing was played or paid in it.
"""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message, joined_sentences, message_of
from tournaments import invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.core.ports import books
from tournaments.core.time_zones import day
from tournaments.events.events import (
    ask_again,
    check_not_cancelled,
    check_version,
    lock,
    lock_with_club,
    note,
    touch,
)
from tournaments.events.notices import enqueue_schedule_notices
from tournaments.models import (
    Adjustment,
    Apart,
    Board,
    DealSecret,
    Entry,
    Event,
    LeagueEvent,
    MailKind,
    Published,
    Round,
    RoundClock,
    Scope,
    Snapshot,
    Stale,
    StandingsDecision,
    Status,
    TableGame,
)


@transaction.atomic
def cancel_event(
    *, event_id: UUID, why: str, version: int | None, by: Actor, at: datetime
) -> Event:
    """Call off an event that has not begun: it takes nothing more, and nobody owes its fee.

    Raises StaleError, EventCancelledError for one that is called off already, and RefusedError: it
    has begun, or no reason.
    """
    event = lock(event_id)
    check_version(event, version)
    check_not_cancelled(event)
    _check_not_begun(event)
    if not why.strip():
        raise RefusedError(Message("Say why the night is called off. Everybody reads it."), "why")
    event.status, event.cancel_reason, event.schedule_changed_at = Status.CANCELLED, why.strip(), at
    RoundClock.objects.filter(event=event).delete()
    touch(event, AuditRecord(Message("event called off"), event.cancel_reason), by, at)
    _follow_status(event, by, at)
    books().announce_event(event, "event.cancelled", at)
    enqueue_schedule_notices(event, MailKind.CANCELLED, at)
    return event


@transaction.atomic
def reinstate_event(*, event_id: UUID, version: int | None, by: Actor, at: datetime) -> Event:
    """Reinstate an event that was called off; fees are owed again.

    Raises StaleError, and RefusedError: it is not called off, its day is past, or a season that it
    counts for is closed.
    """
    event = lock_with_club(event_id)
    check_version(event, version)
    if event.status != Status.CANCELLED:
        raise RefusedError(Message("This night is not called off."), "status")
    if not can_be_reinstated(event, at):
        words = Message("The day of this night is past. Set up a new night instead.")
        raise RefusedError(words, "status")
    _check_seasons(event)
    event.status, event.cancel_reason, event.schedule_changed_at = Status.PLANNED, "", at
    touch(event, AuditRecord(Message("event reinstated")), by, at)
    _follow_status(event, by, at)
    books().announce_event(event, "event.reinstated", at)
    enqueue_schedule_notices(event, MailKind.REINSTATED, at)
    return event


def can_be_reinstated(event: Event, at: datetime) -> bool:
    """Whether the day of an event is not past, by the clock of its club."""
    clock = event.club.time_zone
    return day(event.starts_at, clock) >= day(at, clock)


@transaction.atomic
def move_event(
    *,
    event_id: UUID,
    starts_at: datetime,
    why: str,
    version: int | None,
    by: Actor,
    at: datetime,
) -> Event:
    """Move an event that has not begun to another date, for everybody to see.

    Replies were for the date that was: members are asked anew. The time by which enough have to
    come moves too; where it is past then, the event is not called off by itself any more.

    Raises StaleError, EventCancelledError, and RefusedError naming the field: it has begun, the
    new date is the old one or past, or no reason.
    """
    event = lock(event_id)
    check_version(event, version)
    check_not_cancelled(event)
    _check_not_begun(event)
    clock = event.club.time_zone
    if starts_at == event.starts_at:
        raise RefusedError(Message("The night already begins at that time."), "starts_at")
    if day(starts_at, clock) < day(at, clock):
        raise RefusedError(Message("This date is in the past."), "starts_at")
    if not why.strip():
        raise RefusedError(Message("Say why the night is moved. Everybody reads it."), "why")
    before = event.starts_at
    event.starts_at, event.moved_from = starts_at, before
    event.move_reason, event.schedule_changed_at = why.strip(), at
    ask_again(event, before, at)
    details = {"moved_from": before.isoformat(), "moved_to": starts_at.isoformat()}
    touch(event, AuditRecord(Message("event moved"), event.move_reason, details), by, at)
    invalidation.mark_event(event.pk, at)
    books().announce_event(event, "event.moved", at)
    enqueue_schedule_notices(event, MailKind.MOVED, at)
    return event


@transaction.atomic
def remove_event(*, event_id: UUID, version: int | None, by: Actor, at: datetime) -> None:
    """Remove an event that was set up by mistake, with its entries; its trail stays.

    Raises StaleError, and RefusedError where something was played, decided or paid: then it can
    only be called off.
    """
    event = lock_with_club(event_id)
    check_version(event, version)
    if event.status != Status.CANCELLED:
        _check_not_begun(event)
    published = Published.objects.filter(scope=Scope.EVENT, subject=event.pk)
    try:
        _check_seasons(event)
        decided = StandingsDecision.objects.filter(published__in=published)
        if decided.exists() or Adjustment.objects.filter(entry__event=event).exists():
            words = Message("Something was decided in this night.")
            raise RefusedError(words, "status")  # noqa: TRY301 (joined with advice below)
        books().remove_event(event)
    except RefusedError as error:
        is_cancelled = event.status == Status.CANCELLED
        advice = (
            Message("It stays on record as called off.")
            if is_cancelled
            else Message("It cannot be removed; call it off instead.")
        )
        raise RefusedError(joined_sentences([message_of(error), advice]), "status") from error
    leagues = invalidation.leagues_of(event.pk)
    # The name is the reason of this entry, from which a person's name can be erased.
    details = {"begins": event.starts_at.isoformat()}
    note(event, AuditRecord(Message("event removed"), event.name, details), by, at)
    books().announce_event(event, "event.removed", at)
    Round.objects.filter(event=event).delete()
    for model in (Apart, Entry, Board, DealSecret, LeagueEvent, RoundClock):
        model.objects.filter(event=event).delete()
    Snapshot.objects.filter(published__in=published).delete()
    published.delete()
    Stale.objects.filter(scope=Scope.EVENT, subject=event.pk).delete()
    event.delete()
    invalidation.mark(Scope.LEAGUE, leagues, at)


def _check_not_begun(event: Event) -> None:
    if event.status != Status.PLANNED or TableGame.objects.filter(event=event).exists():
        words = Message("This night has begun; what was played in it stays on record.")
        raise RefusedError(words, "status")


def _check_seasons(event: Event) -> None:
    closed = LeagueEvent.objects.filter(event=event).exclude(league__closed_at=None)
    if row := closed.select_related("league").first():
        words = Message("The season {name} is closed; open it again first.", name=row.league.name)
        raise RefusedError(words, "status")


def _follow_status(event: Event, by: Actor, at: datetime) -> None:
    """Let fees and standings follow: nobody owes anything for what does not take place."""
    rows = Entry.objects.filter(event=event).select_related("player__merged_into")
    books().charge_fees(event, list(rows), by, at)
    invalidation.mark_event(event.pk, at)
