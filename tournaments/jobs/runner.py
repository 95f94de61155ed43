"""Run jobs: part after part, each exactly once, by one worker at a time."""

import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError, transaction

from engine.core.messages import Message
from tournaments.core.errors import RefusedError
from tournaments.core.storage import disk_space, is_disk_full, note_refused_write
from tournaments.database.transactions import read_snapshot
from tournaments.jobs.requests import remove_files
from tournaments.models import ALIVE, ATTEMPTS_MAX, LEASE, Job, JobState

SECONDS: Final = 15.0
"""How long a worker goes on with the parts of one job before others have their turn."""
SPACE_WAIT: Final = timedelta(seconds=30)
"""After how long a job that found the disk full begins its part again."""
RETRY_WAIT: Final = timedelta(seconds=10)
"""After how long a part is tried again that broke off by what passes by itself."""
PROBLEMS_MAX: Final = 500
"""How many problems are kept line by line; all are counted."""

Clock = Callable[[], datetime]
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The outcome of one part. ``place`` is where the next one begins, empty after the last.

    ``problems`` are new ones; ``outcome`` replaces what was known of it; ``file_name`` is the name
    under which the result is taken away.
    """

    done: int
    total: int | None = None
    place: Mapping[str, Any] = field(default_factory=dict)
    outcome: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[Mapping[str, Any], ...] = ()
    file_name: str = ""


@dataclass(frozen=True, slots=True)
class JobType:
    """A kind of jobs: does one part of a job at a time. May raise RefusedError.

    A part is done in the transaction that records it. A type ``is_read_only`` if it writes nothing
    to the database: it sees one moment of it, and nobody waits for a long read.
    """

    run_part: Callable[[Job, datetime], Part]
    is_read_only: bool = False


class _LostError(Exception):
    """Somebody cancelled the job, or the time ran out and it is another worker's."""


def run(
    *, job_id: UUID, types: Mapping[str, JobType], clock: Clock, seconds: float = SECONDS
) -> bool:
    """Do the next parts of a job, if it is due and no other worker does; whether any was done."""
    if not disk_space().is_writable:
        return False  # it stays due, with all its attempts, until there is space
    job = Job.objects.claim(job_id, clock(), state=JobState.RUNNING)
    if job is None:
        return False
    if job.attempts > ATTEMPTS_MAX:
        reference = _new_reference()
        words = Message(
            "Put aside: {most} tries in a row were broken off from outside. Tell whoever runs the "
            "service this number: {reference}.",
            most=ATTEMPTS_MAX,
            reference=reference,
        )
        log.error("a job was put aside", job=str(job_id), kind=job.kind, reference=reference)
        _fail(job, words, clock())
        return False
    until = time.monotonic() + seconds
    try:
        while _run_part(job, types.get(job.kind), clock, until):
            pass
    except _LostError:
        log.info("a job was taken away", job=str(job_id))
        if not Job.objects.filter(pk=job_id, state__in=(*ALIVE, JobState.DONE)).exists():
            remove_files(job)
    return True


def _run_part(job: Job, type_: JobType | None, clock: Clock, until: float) -> bool:
    """Do one part, and record that it is done; whether the job goes on at once.

    An error that nobody foresaw ends the job, as it would come again with every try. Only what
    passes by itself, such as a lost connection to the database, is tried again.
    """
    try:
        return _do_part(job, type_, clock, until)
    except _LostError:
        raise
    except Exception as error:
        if is_disk_full(error):
            _wait_for_space(job, error, clock())
        elif isinstance(error, (OperationalError, InterfaceError)):
            log.exception("a part of a job is tried again", job=str(job.pk), kind=job.kind)
            with suppress(DatabaseError):  # counted by `attempts`, else the lease runs out
                job.update_leased(due_at=clock() + RETRY_WAIT, state=JobState.WAITING)
        else:
            reference = _new_reference()
            log.exception(
                "a part of a job failed", job=str(job.pk), kind=job.kind, reference=reference
            )
            _fail(
                job,
                Message(
                    "An error in the program ended it. Tell whoever runs the service this number: "
                    "{reference}.",
                    reference=reference,
                ),
                clock(),
            )
    return False


def _do_part(job: Job, type_: JobType | None, clock: Clock, until: float) -> bool:
    try:
        if type_ is None:
            raise RefusedError(Message("Nobody knows how to do this any more."), "kind")  # noqa: TRY301
        if type_.is_read_only:
            with read_snapshot(is_long=True):
                part = type_.run_part(job, clock())
            with transaction.atomic():
                return _record(job, part, clock(), until)
        with transaction.atomic():
            return _record(job, type_.run_part(job, clock()), clock(), until)
    except RefusedError as error:
        _fail(job, error.message, clock())
    return False


def _wait_for_space(job: Job, error: Exception, at: datetime) -> None:
    """Let the part begin again soon, as often as it takes: it is not the job's fault."""
    note_refused_write(error)
    job.result_path.unlink(missing_ok=True)
    with suppress(DatabaseError):  # the database has no space either: the lease runs out
        job.update_leased(due_at=at + SPACE_WAIT, attempts=0, state=JobState.WAITING)


def _record(job: Job, part: Part, at: datetime, until: float) -> bool:
    """Record a part, in its transaction; whether the job goes on. Raises _LostError."""
    goes_on = bool(part.place) and time.monotonic() <= until
    problems = job.outcome.get("problems", 0) + len(part.problems)
    fields: dict[str, Any] = {
        "done": part.done,
        "total": part.total if part.total is not None else job.total,
        "place": dict(part.place),
        "outcome": {**job.outcome, **part.outcome, "problems": problems},
        "problems": [*job.problems, *map(dict, part.problems)][:PROBLEMS_MAX],
        "due_at": at + LEASE if goes_on else at,
        "attempts": int(goes_on),
    }
    if not part.place:
        fields |= {"due_at": None, "state": JobState.DONE, "finished_at": at}
        if part.file_name:
            fields |= {"file": job.result_path.name, "file_name": part.file_name}
        transaction.on_commit(lambda: job.upload_path.unlink(missing_ok=True))
    if not job.update_leased(**fields):
        raise _LostError
    return goes_on


def _new_reference() -> str:
    """A number by which somebody's report leads to the entry in the log."""
    return secrets.token_hex(4).upper()


def _fail(job: Job, why: str, at: datetime) -> None:
    outcome = {**job.outcome, "why": why}
    fields = {"state": JobState.FAILED, "due_at": None, "finished_at": at, "outcome": outcome}
    if job.update_leased(**fields):
        remove_files(job)
