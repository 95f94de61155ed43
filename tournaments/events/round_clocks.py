"""The clock of a round: started, paused, resumed, given more time, stopped.

The event's row is its lock. A clock changes neither the version of the event nor its standings:
whoever has the desk open need not look again because of it.
"""

from datetime import datetime
from typing import Final, TypedDict
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.events.events import check_running, lock, note
from tournaments.models import Event, Round, RoundClock, Stage
from tournaments.models.limits import CLOCK_MINUTES_MAX
from tournaments.models.round_clock import whole_second

_MINUTE: Final = 60

ClockData = TypedDict(
    "ClockData",
    {
        "ends_at": datetime | None,
        "left": int | None,
        "paused": bool,
        "break": bool,
        "seconds": int,
        "at": datetime,
    },
)
"""A clock as pages and programs get it.

``ends_at`` is when it reaches zero, null while it is paused; ``left`` are the seconds left of one
that is paused, else null. ``seconds`` is the whole time. ``at`` is the server's time of this
answer: who shows the clock measures from it how far their own clock is off.
"""


def clock_data(clock: RoundClock | None, at: datetime) -> ClockData | None:
    """Return a clock as data; None where there is none."""
    if clock is None:
        return None
    return {
        "ends_at": clock.ends_at,
        "left": clock.left if clock.is_paused else None,
        "paused": clock.is_paused,
        "break": clock.is_break,
        "seconds": clock.seconds,
        "at": at,
    }


def find_clock(event_id: UUID) -> RoundClock | None:
    """Return the clock of an event. One query."""
    return RoundClock.objects.filter(event=event_id).first()


@transaction.atomic
def start_clock(*, event_id: UUID, minutes: int | None, by: Actor, at: datetime) -> RoundClock:
    """Start the clock of the round that is played, or else of the break; one that runs starts anew.

    ``minutes`` None: as the event says. Raises RefusedError: the event is over, or nobody said how
    many minutes.
    """
    event = lock(event_id)
    check_running(event)
    is_break = not Round.objects.filter(event=event, stage=Stage.PLAYING).exists()
    if minutes is None:
        minutes = event.break_minutes if is_break else event.round_minutes
    if not 1 <= minutes <= CLOCK_MINUTES_MAX:
        words = Message("Say how many minutes: 1 to {most}.", most=CLOCK_MINUTES_MAX)
        raise RefusedError(words, "minutes")
    clock = _set(event, minutes, at, is_break=is_break)
    note(event, AuditRecord(Message("clock started"), details={"minutes": minutes}), by, at)
    return clock


@transaction.atomic
def pause_clock(*, event_id: UUID, by: Actor, at: datetime) -> RoundClock:
    """Let the clock stand still; again changes nothing. Raises RefusedError: there is none."""
    event, clock = _lock_clock(event_id)
    if not clock.is_paused:
        clock.pause(at)
        clock.save()
        note(event, AuditRecord(Message("clock paused"), details={"left": clock.left}), by, at)
    return clock


@transaction.atomic
def resume_clock(*, event_id: UUID, by: Actor, at: datetime) -> RoundClock:
    """Let the clock go on; again changes nothing. Raises RefusedError: there is none."""
    event, clock = _lock_clock(event_id)
    if clock.is_paused:
        details = {"left": clock.left}
        clock.resume(at)
        clock.save()
        note(event, AuditRecord(Message("clock resumed"), details=details), by, at)
    return clock


@transaction.atomic
def add_minutes(*, event_id: UUID, minutes: int, by: Actor, at: datetime) -> RoundClock:
    """Give the round more time, or less if negative. Raises RefusedError: there is no clock."""
    event, clock = _lock_clock(event_id)
    if not minutes or not -CLOCK_MINUTES_MAX <= minutes <= CLOCK_MINUTES_MAX:
        words = Message("Say how many minutes: 1 to {most}.", most=CLOCK_MINUTES_MAX)
        raise RefusedError(words, "minutes")
    clock.add(minutes * _MINUTE, at)
    clock.save()
    note(event, AuditRecord(Message("clock changed"), details={"minutes": minutes}), by, at)
    return clock


@transaction.atomic
def stop_clock(*, event_id: UUID, by: Actor, at: datetime) -> None:
    """Take the clock away; again changes nothing."""
    event = lock(event_id)
    if remove_clock(event):
        note(event, AuditRecord(Message("clock stopped")), by, at)


def begin_round_clock(event: Event, at: datetime) -> int:
    """Start the clock with a round where the event says so; a break is over in any case.

    The caller holds the event. Returns the minutes; 0 where no clock starts.
    """
    if not event.starts_clock or not event.round_minutes:
        remove_clock(event)
        return 0
    _set(event, event.round_minutes, at, is_break=False)
    return event.round_minutes


def begin_break_clock(event: Event, at: datetime) -> None:
    """End the clock of a round; a break before another one has its own, where the event says so.

    The caller holds the event.
    """
    is_last = not event.round_rows.exclude(stage=Stage.CLOSED).exists()
    if (is_last and event.round_rows.count() >= event.rounds) or not event.break_minutes:
        remove_clock(event)
    else:
        _set(event, event.break_minutes, at, is_break=True)


def remove_clock(event: Event) -> bool:
    """Take the clock of a locked event away; whether there was one."""
    return RoundClock.objects.filter(event=event).delete()[0] > 0


def _set(event: Event, minutes: int, at: datetime, *, is_break: bool) -> RoundClock:
    seconds, since = minutes * _MINUTE, whole_second(at)
    clock = RoundClock(
        event=event, is_break=is_break, seconds=seconds, left=seconds, running_since=since
    )
    clock.save()
    return clock


def _lock_clock(event_id: UUID) -> tuple[Event, RoundClock]:
    event = lock(event_id)
    check_running(event)
    clock = find_clock(event_id)
    if clock is None:
        raise RefusedError(Message("There is no clock; start it first."), "clock")
    return event, clock
