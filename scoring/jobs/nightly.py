"""Work that comes round every night, done in parts so that nothing waits behind it.

A new task is a function in TASKS; the relay finds it in the database when it is due.
"""

import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.core.cache import caches
from django.db.models import QuerySet

from scoring.games import director_calls
from scoring.hands import drafts
from scoring.models import NightlyTask
from scoring.settlement import hand_losses
from scoring.slips import intake
from scoring.transfer import verifying
from scoring.webhooks import queue
from tournaments import idempotency, jobs, publishing
from tournaments.events import notices, replies
from tournaments.models import ATTEMPTS_MAX, Club
from tournaments.models.limits import max_length
from tournaments.people import accounts, invitations, password_links, player_devices

NIGHT: Final = 3
"""The hour (UTC) at which tasks are due; a machine that is off then does them at its start."""
_PUT_ASIDE: Final = "Put aside"
_OUTCOME_MAX: Final = max_length(NightlyTask, "outcome")

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class NightlyStep:
    """The outcome of one part: ``place`` is where the next one begins, empty at the end.

    ``found`` is handed on to it; what the last one found is the outcome of the task.
    """

    found: str
    place: str = ""


def _delete_expired(_place: str, _found: str, at: datetime) -> NightlyStep:
    """Delete what is kept for a time only."""
    messages, answers = queue.delete_old(at=at), idempotency.delete_expired(at=at)
    signs = accounts.delete_expired(at=at) + password_links.delete_expired(at=at)
    ended = jobs.delete_old(at=at)
    begun, asked = drafts.delete_old_drafts(at=at), invitations.delete_expired(at=at)
    words = f"{messages} messages, {answers} answers, {signs} signs of who was there, {ended} jobs"
    words = (
        f"{words}, {asked} invitations, {player_devices.delete_expired(at=at)} devices and codes"
    )
    calls, crops = director_calls.delete_old_calls(at=at), intake.delete_old_crops(at=at)
    words = f"{words}, {replies.delete_old(at=at)} replies, {calls} calls for the director"
    words = f"{words}, {crops} pictures of slips"
    caches["files"].clear()
    return NightlyStep(f"{words}, {begun} drafts were old enough to be forgotten.")


def _verify_books(place: str, found: str, _at: datetime) -> NightlyStep:
    """Recompute the next games from their records; what differs is logged and counted."""
    place, found = verifying.look_on(place, found)
    return NightlyStep(found, place)


def _value_cards(place: str, found: str, at: datetime) -> NightlyStep:
    """Value the cards of the next games that were reported before cards were valued as today."""
    games, place = verifying.value_cards(place, at=at)
    count = int(found or 0) + games
    return NightlyStep(str(count) if place else f"The cards of {count} games were valued.", place)


def _sweep_standings(_place: str, _found: str, at: datetime) -> NightlyStep:
    """Mark standings that are missing, or that another program made, for computing."""
    return NightlyStep(f"{publishing.sweep(at=at)} standings were to be computed anew.")


def _rate_strengths(_place: str, _found: str, at: datetime) -> NightlyStep:
    """Mark strengths for computing where ratings changed."""
    return NightlyStep(
        f"The strengths of {publishing.mark_strengths(at=at)} clubs were to be computed."
    )


def _thin_standings(place: str, found: str, at: datetime) -> NightlyStep:
    """Remove the old versions of standings of the next club that are not kept for ever."""
    rows = Club.objects.order_by("pk")
    club = (rows.filter(pk__gt=UUID(place)) if place else rows).first()
    if club is None:
        return NightlyStep(f"{found or 0} versions of standings were no longer kept.")
    count = int(found or 0) + publishing.thin_versions(club, at=at)
    return NightlyStep(str(count), str(club.pk))


def _judge_losses(place: str, found: str, _at: datetime) -> NightlyStep:
    """Estimate what the cards of the next hands cost who played them."""
    place, found = hand_losses.judge_next(place, found)
    return NightlyStep(found, place)


def _remind_of_nights(_place: str, _found: str, at: datetime) -> NightlyStep:
    """Have those who want it reminded of the nights of tomorrow, by the clock of each club."""
    return NightlyStep(f"{notices.enqueue_reminders(at=at)} people will be reminded of a night.")


def _back_up(_place: str, _found: str, _at: datetime) -> NightlyStep:
    """Begin tonight's backup, and once a week a rehearsal of its restore.

    In a process of its own, which reports by itself: either may take longer than a task may.
    """
    if not settings.BACKUPS_KEPT:
        return NightlyStep("No backup: PAINSUIT_BACKUPS is 0.")
    subprocess.Popen(  # noqa: S603 (our own command, no shell)
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "rehearse", "--nightly"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    return NightlyStep("The backup was begun.")


TASKS: Final[Mapping[str, Callable[[str, str, datetime], NightlyStep]]] = {
    "tidy": _delete_expired,
    "verify books": _verify_books,
    "value cards": _value_cards,
    "sweep standings": _sweep_standings,
    "rate strengths": _rate_strengths,
    "thin standings": _thin_standings,
    "judge losses": _judge_losses,
    "remind of nights": _remind_of_nights,
    "back up": _back_up,
}
"""Each is told where to begin, what the parts before found, and the time."""


def next_night(at: datetime) -> datetime:
    """The next moment at which tasks are due.

    >>> from datetime import UTC
    >>> print(next_night(datetime(2026, 11, 20, 19, 30, tzinfo=UTC)))
    2026-11-21 03:00:00+00:00
    """
    tonight = at.replace(hour=NIGHT, minute=0, second=0, microsecond=0)
    return tonight if tonight > at else tonight + timedelta(days=1)


def plan(*, at: datetime) -> None:
    """Make a row for every new task, due in the next night."""
    new = [NightlyTask(name=name, due_at=next_night(at)) for name in TASKS]
    NightlyTask.objects.bulk_create(new, ignore_conflicts=True)


def due(at: datetime, most: int) -> list[tuple[str, datetime]]:
    """Tasks that are due and since when, the oldest first. One query."""
    return NightlyTask.objects.filter(name__in=TASKS).due_names(at, most)


def count_due(at: datetime) -> int:
    """Return the number of due tasks."""
    return NightlyTask.objects.filter(name__in=TASKS).count_due(at)


def put_aside() -> QuerySet[NightlyTask]:
    """Tasks that came to no good end the last time."""
    return NightlyTask.objects.filter(name__in=TASKS, outcome__startswith=_PUT_ASIDE)


def run(name: str, clock: Clock) -> bool:
    """Do one part of a task, if it is due and no other worker does; whether it did."""
    task = NightlyTask.objects.claim(name, clock())
    if task is None:
        return False
    if task.attempts > ATTEMPTS_MAX:
        place = f" after {task.place}" if task.place else ""
        words = f"{_PUT_ASIDE}{place}: {ATTEMPTS_MAX} tries ended with the end of the worker."
        return _end(task, words, clock())
    part = TASKS[name](task.place, task.found, clock())
    if part.place:
        task.update_leased(due_at=clock(), attempts=0, place=part.place, found=part.found)
        return True
    return _end(task, part.found, clock())


def _end(task: NightlyTask, outcome: str, at: datetime) -> bool:
    again = {"due_at": next_night(at), "attempts": 0, "place": "", "found": ""}
    return task.update_leased(**again, done_at=at, outcome=outcome[:_OUTCOME_MAX])
