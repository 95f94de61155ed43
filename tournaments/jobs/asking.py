"""Asking for a job, looking at it, cancelling it, and forgetting it in the end."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from tournaments.core.actors import Actor
from tournaments.core.errors import ConflictError, NotThereError, TooOftenError
from tournaments.jobs.files import remove, source_of, target_of, write_file
from tournaments.models import Club, Job, JobState
from tournaments.people.erasure import Erasure

MOST_AT_ONCE: Final = 3
"""How many jobs of one club may wait or run (reliability.md section 4, item 19)."""
KEPT: Final = timedelta(days=7)
"""How long a job that came to an end is kept, and its file."""
ALIVE: Final = (JobState.WAITING, JobState.RUNNING)
_ORPHAN: Final = timedelta(days=1)
_PATHS: Final = (source_of, target_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A job that somebody asks for; ``upload`` is what it reads."""

    kind: str
    params: Mapping[str, Any] = field(default_factory=dict)
    dry_run: bool = False
    upload: bytes | None = None


@transaction.atomic
def ask(*, club_id: UUID, wish: Wish, by: Actor, at: datetime) -> Job:
    """Put a job down for the worker. Raises TooOftenError where the club has enough of them."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if Job.objects.filter(club=club, state__in=ALIVE).count() >= MOST_AT_ONCE:
        words = f"A club may have {MOST_AT_ONCE} jobs at once; wait for one, or cancel it."
        raise TooOftenError(words, 60)
    job = Job(
        club=club,
        kind=wish.kind,
        params=dict(wish.params),
        dry_run=wish.dry_run,
        by=by.label,
        source=str(by.source),
        due_at=at,
        created_at=at,
    )
    if wish.upload is not None:
        job.total = len(wish.upload)
        write_file(source_of(job.pk), wish.upload)
    job.save(force_insert=True)
    return job


def of_club(club: Club) -> QuerySet[Job]:
    """The jobs of a club that are still known."""
    return Job.objects.filter(club=club)


def known(job_id: UUID) -> Job | None:
    """A job with its club. One query."""
    return Job.objects.select_related("club").filter(pk=job_id).first()


@transaction.atomic
def cancel(*, job_id: UUID, at: datetime) -> Job:
    """Stop a job: what its parts did stays, the part that is being done is undone.

    A second time changes nothing. Raises NotThereError, ConflictError for one that has ended.
    """
    fields = {"state": JobState.CANCELLED, "due_at": None, "finished_at": at, "file": ""}
    stopped = Job.objects.filter(pk=job_id, state__in=ALIVE).update(**fields)
    job = known(job_id)
    if job is None:
        raise NotThereError
    if not stopped and job.state != JobState.CANCELLED:
        raise ConflictError("This job has come to its end.")
    if stopped:
        transaction.on_commit(lambda: remove([source_of(job_id), target_of(job_id)]))
    return job


def forget(*, at: datetime) -> int:
    """Remove jobs that ended long ago, and files that belong to none; tells how many jobs."""
    old = Job.objects.filter(finished_at__lt=at - KEPT)
    gone = old.delete()[0]
    alive = {str(number) for number in Job.objects.values_list("pk", flat=True)}
    limit = (at - _ORPHAN).timestamp()
    for path in Path(settings.FILES).glob("*.*"):
        if path.name.split(".")[0] not in alive and path.stat().st_mtime < limit:
            path.unlink(missing_ok=True)
    return gone


def forget_names(club: UUID) -> None:
    """Let go of all files and words of a club's jobs in which an erased name may stand.

    Jobs that have not ended are cancelled: what they read or make may have the name in it.
    """
    rows = Job.objects.filter(club=club)
    paths = [path(number) for number in rows.values_list("pk", flat=True) for path in _PATHS]
    rows.filter(state__in=ALIVE).update(state=JobState.CANCELLED, due_at=None, finished_at=Now())
    rows.update(problems=[], file="")
    transaction.on_commit(lambda: remove(paths))


def erase_person(erasure: Erasure) -> None:
    """Do what erasing a person means for the jobs of the club."""
    forget_names(erasure.club)
