"""Ask for a job, cancel it, and delete it in the end."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from engine.core.messages import Message
from tournaments.core.actors import Actor
from tournaments.core.errors import ConflictError, NotThereError, TooOftenError
from tournaments.models import ALIVE, TABLE_KINDS, Club, Job, JobKind, JobState
from tournaments.models.limits import max_length


def write_file(path: Path, data: bytes) -> None:
    """Write a file that is there whole, or not at all. Raises OSError, for a full disk too."""
    draft = path.with_suffix(f".{secrets.token_hex(4)}.part")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def remove_files(*jobs: Job) -> None:
    """Remove what was uploaded for jobs and what they made."""
    for job in jobs:
        job.upload_path.unlink(missing_ok=True)
        job.result_path.unlink(missing_ok=True)


AT_ONCE_MAX: Final = 3
"""How many jobs of one club may wait or run (reliability.md section 4, item 19)."""
DRAFTS_MAX: Final = 20
KEPT: Final = timedelta(days=7)
"""How long a job that came to an end is kept, and its file; and a draft."""
FILE_NAME_MAX: Final = max_length(Job, "file_name")
_WITH_NAMES: Final = frozenset(
    ["plan", "details", "understood", "differences", "newcomers", "standings", "why"]
)
"""Of the outcome of an import of a table, what names people."""
_ORPHAN: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRequest:
    """A job that somebody asks for; ``upload`` is what it reads, ``file_name`` its name."""

    kind: str
    params: Mapping[str, Any] = field(default_factory=dict)
    dry_run: bool = False
    upload: bytes | None = None
    file_name: str = ""


@transaction.atomic
def create_draft(*, club_id: UUID, request: JobRequest, by: Actor, at: datetime) -> Job:
    """Keep an upload while somebody says what is to be done with it; the oldest makes room."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    drafts = Job.objects.filter(club=club, state=JobState.DRAFT)
    for old in drafts.order_by("-created_at", "-pk")[DRAFTS_MAX - 1 :]:
        discard(draft=old)
    return _save_job(club, request, by, at, state=JobState.DRAFT, due_at=None)


def change_draft(*, draft: Job, params: Mapping[str, Any]) -> Job:
    """Keep what was said about a draft."""
    draft.params = dict(params)
    draft.save(update_fields=["params"])
    return draft


def find_draft(job: Job) -> Job | None:
    """The draft that a job was created from, as long as it is kept."""
    return Job.objects.filter(
        club=job.club_id, state=JobState.DRAFT, pk=job.params.get("draft")
    ).first()


@transaction.atomic
def create_from_draft(
    *, draft: Job, dry_run: bool, by: Actor, at: datetime, once: Mapping[str, Any] | None = None
) -> Job:
    """Put a job down for what a draft has; the draft stays, so that it can be tried again.

    ``once``: parameters of this job alone, which the draft does not keep.
    Raises TooOftenError where the club has enough jobs.
    """
    request = JobRequest(
        kind=draft.kind,
        params={**draft.params, **(once or {}), "draft": str(draft.pk)},
        dry_run=dry_run,
        upload=draft.upload_path.read_bytes(),
        file_name=draft.file_name,
    )
    job = create(club_id=draft.club_id, request=request, by=by, at=at)
    if not dry_run:
        change_draft(draft=draft, params={**draft.params, "job": str(job.pk)})
    return job


def discard(*, draft: Job) -> None:
    """Delete a draft and its upload."""
    Job.objects.filter(pk=draft.pk, state=JobState.DRAFT).delete()
    transaction.on_commit(lambda: remove_files(draft))


@transaction.atomic
def create(*, club_id: UUID, request: JobRequest, by: Actor, at: datetime) -> Job:
    """Put a job down for the worker. Raises TooOftenError where the club has enough of them."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if Job.objects.filter(club=club, state__in=ALIVE).count() >= AT_ONCE_MAX:
        words = Message(
            "A club may have {most_at_once} jobs at once; wait for one, or cancel it.",
            most_at_once=AT_ONCE_MAX,
        )
        raise TooOftenError(words, 60)
    return _save_job(club, request, by, at, due_at=at)


def _save_job(club: Club, request: JobRequest, by: Actor, at: datetime, **fields: Any) -> Job:
    job = Job(
        club=club,
        kind=request.kind,
        params=dict(request.params),
        dry_run=request.dry_run,
        file_name=request.file_name[:FILE_NAME_MAX],
        by=by.label,
        source=str(by.source),
        created_at=at,
        **fields,
    )
    if request.upload is not None:
        job.total = len(request.upload)
        write_file(job.upload_path, request.upload)
    job.save(force_insert=True)
    return job


def find(job_id: UUID) -> Job | None:
    """A job with its club. One query."""
    return Job.objects.select_related("club").filter(pk=job_id).first()


def find_result(job: Job) -> Path:
    """The file that a job made. Raises NotThereError where there is none, or none any more."""
    if job.state != JobState.DONE or not job.file or not job.result_path.is_file():
        raise NotThereError
    return job.result_path


@transaction.atomic
def cancel(*, job_id: UUID, at: datetime) -> Job:
    """Stop a job: what its parts did stays, the part that is being done is undone.

    A second time changes nothing. Raises NotThereError, ConflictError for one that has ended.
    """
    fields = {"state": JobState.CANCELLED, "due_at": None, "finished_at": at, "file": ""}
    stopped = Job.objects.filter(pk=job_id, state__in=ALIVE).update(**fields)
    job = find(job_id)
    if job is None:
        raise NotThereError
    if not stopped and job.state != JobState.CANCELLED:
        raise ConflictError(Message("This job has ended."))
    if stopped:
        transaction.on_commit(lambda: remove_files(job))
    return job


def try_again(*, job_id: UUID, at: datetime) -> Job:
    """Begin an export anew that failed.

    Raises NotThereError, ConflictError for a job that did not fail, or for an import: the file that
    was brought in is gone.
    """
    failed = Job.objects.filter(pk=job_id, kind=JobKind.EXPORT, state=JobState.FAILED)
    afresh: dict[str, Any] = {"done": 0, "total": None, "place": {}, "outcome": {}, "problems": []}
    begun = failed.update(state=JobState.WAITING, due_at=at, attempts=0, finished_at=None, **afresh)
    job = find(job_id)
    if job is None:
        raise NotThereError
    if not begun:
        raise ConflictError(Message("This cannot be retried: make a new request."))
    return job


def delete_old(*, at: datetime) -> int:
    """Delete jobs that ended long ago, drafts that nobody went on with, and files without a job.

    Gives how many jobs and drafts were deleted.
    """
    deleted = Job.objects.filter(finished_at__lt=at - KEPT).delete()[0]
    left = Job.objects.filter(state=JobState.DRAFT, created_at__lt=at - KEPT)
    deleted += left.delete()[0]
    known = {str(key) for key in Job.objects.values_list("pk", flat=True)}
    limit = (at - _ORPHAN).timestamp()
    for path in Path(settings.FILES).glob("*.*"):
        if path.name.split(".")[0] not in known and path.stat().st_mtime < limit:
            path.unlink(missing_ok=True)
    return deleted


def forget_names(club: UUID) -> None:
    """Let go of all files and words of a club's jobs in which an erased name may stand.

    Jobs that have not ended are cancelled: what they read or make may have the name in it. Drafts
    are deleted.
    """
    rows = Job.objects.filter(club=club)
    jobs = list(rows.only("pk"))
    rows.filter(state=JobState.DRAFT).delete()
    alive = rows.filter(state__in=ALIVE)
    alive.update(state=JobState.CANCELLED, due_at=None, finished_at=Now())
    rows.update(problems=[], file="")
    for job in rows.filter(kind__in=TABLE_KINDS).only("outcome"):
        outcome = {key: value for key, value in job.outcome.items() if key not in _WITH_NAMES}
        rows.filter(pk=job.pk).update(outcome=outcome)
    transaction.on_commit(lambda: remove_files(*jobs))
