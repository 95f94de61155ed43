"""Doing a job: part after part, each exactly once, by one worker at a time."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F, QuerySet

from tournaments.bulk import one_moment
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import RefusedError
from tournaments.jobs.asking import ALIVE
from tournaments.jobs.files import remove, source_of, target_of
from tournaments.models import Job, JobState

LEASE: Final = timedelta(seconds=90)
"""How long a part may take at most: longer than a task may run (CELERY_TASK_TIME_LIMIT)."""
SECONDS: Final = 15.0
"""How long a worker goes on with the parts of one job before others have their turn."""
DEATHS_MAX: Final = 3
"""After so many tries in a row that came to no good end a job is given up."""
PROBLEMS_MOST: Final = 500
"""How many problems are kept line by line; all are counted."""

Clock = Callable[[], datetime]
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A job as its kind sees it: what was asked, and where the next part begins.

    ``source`` is the file that was uploaded, ``target`` the one to be made. ``by`` asked for it.
    """

    id: UUID
    club: UUID
    params: Mapping[str, Any]
    place: Mapping[str, Any]
    outcome: Mapping[str, Any]
    dry_run: bool
    source: Path
    target: Path
    by: Actor
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What came of one part. ``place`` is where the next one begins, empty after the last.

    ``problems`` are new ones; ``outcome`` replaces what was known of it; ``file_name`` is the name
    under which the target is taken away.
    """

    done: int
    total: int | None = None
    place: Mapping[str, Any] = field(default_factory=dict)
    outcome: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[Mapping[str, Any], ...] = ()
    file_name: str = ""


Doing = Callable[[Running], Part]
"""Does one part of a job, in a transaction that the caller holds open. May raise RefusedError."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A kind that writes nothing to the database: it reads it as of one moment.

    What it makes is put down in a transaction of its own, so that nobody waits for a long read.
    """

    part: Doing


Kind = Doing | Reading


class _LostError(Exception):
    """Somebody cancelled the job, or the time ran out and it is another worker's."""


def due(at: datetime, most: int) -> list[tuple[str, datetime]]:
    """The jobs that are due and since when, the oldest first. One query."""
    waiting = Job.objects.filter(due_at__lte=at, state__in=ALIVE).order_by("due_at")
    found = waiting.values_list("pk", "due_at")[:most]
    return [(str(number), since) for number, since in found if since is not None]


def do(*, job_id: UUID, kinds: Mapping[str, Kind], clock: Clock, seconds: float = SECONDS) -> bool:
    """Do the next parts of a job, if it is due and nobody else does; whether any was done."""
    job = _claim(job_id, clock())
    until = time.monotonic() + seconds
    did = False
    try:
        while job is not None:
            job = _do_part(job, kinds, clock, is_late=lambda: time.monotonic() > until)
            did = True
    except _LostError:
        log.info("a job was taken away", job=str(job_id))
        if not Job.objects.filter(pk=job_id, state__in=(*ALIVE, JobState.DONE)).exists():
            remove([source_of(job_id), target_of(job_id)])
    return did


def _claim(job_id: UUID, at: datetime) -> Job | None:
    """Take a job for this worker alone; its ``due_at`` is the mark of that."""
    is_due = Job.objects.filter(pk=job_id, due_at__lte=at, state__in=ALIVE)
    if not is_due.update(due_at=at + LEASE, begun=F("begun") + 1, state=JobState.RUNNING):
        return None
    job = Job.objects.get(pk=job_id)
    if job.begun > DEATHS_MAX:
        _fail(job, f"Put aside: {DEATHS_MAX} tries in a row came to no good end.", at)
        return None
    return job


def _do_part(
    job: Job, kinds: Mapping[str, Kind], clock: Clock, is_late: Callable[[], bool]
) -> Job | None:
    """Do one part, and write down that it is done; the job again, where it goes on at once."""
    try:
        kind, running = kinds.get(job.kind, _unknown), _running(job, clock())
        if isinstance(kind, Reading):
            with one_moment():
                part = kind.part(running)
            with transaction.atomic():
                return _put_down(job, part, clock(), goes_on=not is_late())
        with transaction.atomic():
            return _put_down(job, kind(running), clock(), goes_on=not is_late())
    except RefusedError as error:
        _fail(job, str(error), clock())
        return None
    except _LostError:
        raise
    except Exception:
        # Counted by `begun`: the job is tried again when its lease is over.
        log.exception("a part of a job failed", job=str(job.pk), kind=job.kind)
        return None


def _unknown(running: Running) -> Part:
    raise RefusedError("Nobody knows how to do this any more.", "kind")


def _put_down(job: Job, part: Part, at: datetime, *, goes_on: bool) -> Job | None:
    count = job.outcome.get("problems", 0) + len(part.problems)
    fields: dict[str, Any] = {
        "done": part.done,
        "total": part.total if part.total is not None else job.total,
        "place": dict(part.place),
        "outcome": {**job.outcome, **part.outcome, "problems": count},
        "problems": [*job.problems, *map(dict, part.problems)][:PROBLEMS_MOST],
    }
    if part.place:
        fields |= {"due_at": at + LEASE if goes_on else at, "begun": 1 if goes_on else 0}
    else:
        fields |= {"due_at": None, "begun": 0, "state": JobState.DONE, "finished_at": at}
        if part.file_name:
            fields |= {"file": target_of(job.pk).name, "file_name": part.file_name}
    if not _mine(job).update(**fields):
        raise _LostError
    if not part.place:
        transaction.on_commit(lambda: remove([source_of(job.pk)]))
        return None
    for name, value in fields.items():
        setattr(job, name, value)
    return job if goes_on else None


def _fail(job: Job, why: str, at: datetime) -> None:
    outcome = {**job.outcome, "why": why}
    fields = {"state": JobState.FAILED, "due_at": None, "finished_at": at, "outcome": outcome}
    if _mine(job).update(**fields):
        remove([source_of(job.pk), target_of(job.pk)])


def _mine(job: Job) -> QuerySet[Job]:
    """The row, unless the job was cancelled, or is another worker's by now."""
    return Job.objects.filter(pk=job.pk, due_at=job.due_at, state=JobState.RUNNING)


def _running(job: Job, at: datetime) -> Running:
    return Running(
        id=job.pk,
        club=job.club_id,
        params=job.params,
        place=job.place,
        outcome=job.outcome,
        dry_run=job.dry_run,
        source=source_of(job.pk),
        target=target_of(job.pk),
        by=actor_of(job.by),
        at=at,
    )


def actor_of(label: str) -> Actor:
    """Who asked for a job, as those are told who write what it brings.

    >>> actor_of("person:0193f000-0000-7000-8000-000000000000").label
    'person:0193f000-0000-7000-8000-000000000000'
    """
    kind, _, number = label.partition(":")
    return Actor(ActorKind(kind), Source.IMPORT, UUID(number) if number else None)
