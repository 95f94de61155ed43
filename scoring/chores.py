"""Chores: work that comes round every night, done in parts so that nothing waits behind it.

A new one is a function in CHORES; the relay finds it in the database when it is due.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F

from scoring import delivering
from scoring.hands import drafts
from scoring.models import Chore
from scoring.transfer import verifying
from tournaments import idempotency, jobs, publishing
from tournaments.people import accounts, invitations

NIGHT: Final = 3
"""The hour (UTC) at which chores are due; a machine that is off then does them at its start."""
LEASE: Final = timedelta(seconds=90)
"""How long a part may take at most: longer than a task may run (CELERY_TASK_TIME_LIMIT)."""
DEATHS_MAX: Final = 3
"""After so many parts that ended with the worker's death a chore waits for the next night."""

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Part:
    """What came of one part: ``place`` is where the next one begins, empty at the end.

    ``found`` is handed on to it; what the last one found is the outcome of the chore.
    """

    found: str
    place: str = ""


def _tidy(_place: str, _found: str, at: datetime) -> Part:
    """Forget what is kept for a time only."""
    messages, answers = delivering.forget(at=at), idempotency.delete_expired(at=at)
    signs, ended = accounts.forget(at=at), jobs.forget(at=at)
    begun, asked = drafts.forget(at=at), invitations.forget(at=at)
    words = f"{messages} messages, {answers} answers, {signs} signs of who was there, {ended} jobs"
    words = f"{words}, {asked} invitations"
    return Part(f"{words}, {begun} drafts were old enough to be forgotten.")


def _verify_books(place: str, found: str, _at: datetime) -> Part:
    """Recompute the next games from their records; what differs is logged and counted."""
    place, found = verifying.look_on(place, found)
    return Part(found, place)


def _sweep_standings(_place: str, _found: str, at: datetime) -> Part:
    """Let standings that are missing, or that another program made, be computed."""
    return Part(f"{publishing.sweep(at=at)} standings were to be computed anew.")


def _rate_strengths(_place: str, _found: str, at: datetime) -> Part:
    """Let strengths be worked out anew where ratings changed."""
    return Part(f"The strengths of {publishing.mark_strengths(at=at)} clubs were to be computed.")


CHORES: Final[Mapping[str, Callable[[str, str, datetime], Part]]] = {
    "tidy": _tidy,
    "verify books": _verify_books,
    "sweep standings": _sweep_standings,
    "rate strengths": _rate_strengths,
}
"""Each is told where to begin, what the parts before found, and the time."""


def next_night(at: datetime) -> datetime:
    """The next moment at which chores are due.

    >>> from datetime import UTC
    >>> print(next_night(datetime(2026, 11, 20, 19, 30, tzinfo=UTC)))
    2026-11-21 03:00:00+00:00
    """
    tonight = at.replace(hour=NIGHT, minute=0, second=0, microsecond=0)
    return tonight if tonight > at else tonight + timedelta(days=1)


def plan(*, at: datetime) -> None:
    """Put every chore that nobody knows yet down for the next night."""
    then = next_night(at)
    fresh = [Chore(name=name, due_at=then) for name in CHORES]
    Chore.objects.bulk_create(fresh, ignore_conflicts=True)


def due(at: datetime, most: int) -> list[tuple[str, datetime]]:
    """The chores that are due and since when, the oldest first. One query."""
    waiting = Chore.objects.filter(due_at__lte=at, name__in=CHORES).order_by("due_at")
    found = waiting.values_list("name", "due_at")[:most]
    return [(name, since) for name, since in found if since is not None]


def do(*, name: str, clock: Clock) -> bool:
    """Do one part of a chore, if it is due and nobody else does; whether it did."""
    chore = _claim(name, clock())
    if chore is None:
        return False
    part = CHORES[name](chore.place, chore.found, clock())
    at = clock()
    if part.place:
        _write(chore, due_at=at, begun=0, place=part.place, found=part.found)
    else:
        _finish(chore, part.found, at)
    return True


def _claim(name: str, at: datetime) -> Chore | None:
    """Take a chore for this worker alone; its ``due_at`` is the mark of that."""
    is_due = Chore.objects.filter(name=name, due_at__lte=at)
    if not is_due.update(due_at=at + LEASE, begun=F("begun") + 1):
        return None
    chore = Chore.objects.get(name=name)
    if chore.begun > DEATHS_MAX:
        place = f" after {chore.place}" if chore.place else ""
        words = f"Put aside{place}: {DEATHS_MAX} tries ended with the end of the worker."
        _finish(chore, words, at)
        return None
    return chore


def _finish(chore: Chore, outcome: str, at: datetime) -> None:
    fields = {"begun": 0, "place": "", "found": "", "outcome": outcome[:300]}
    _write(chore, due_at=next_night(at), done_at=at, **fields)


def _write(chore: Chore, **fields: object) -> None:
    """Unless the time ran out, and it is another worker's by now."""
    Chore.objects.filter(name=chore.name, due_at=chore.due_at).update(**fields)
