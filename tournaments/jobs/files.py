"""Where the files of jobs lie: what was uploaded, and what was made."""

import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from uuid import UUID

from django.conf import settings

from tournaments.core.errors import NotThereError
from tournaments.models import Job, JobState


def folder() -> Path:
    """Where uploads and results lie, in the data folder; made where it is missing."""
    found = Path(settings.FILES)
    found.mkdir(mode=0o700, parents=True, exist_ok=True)
    return found


def source_of(job_id: UUID) -> Path:
    """What was uploaded for a job."""
    return folder() / f"{job_id}.in"


def target_of(job_id: UUID) -> Path:
    """What a job makes."""
    return folder() / f"{job_id}.out"


def written_so_far(job: Job) -> int:
    """How many bytes lie there of what a job makes; 0 before it has begun."""
    try:
        return target_of(job.pk).stat().st_size
    except OSError:
        return 0


def done_so_far(job: Job) -> int:
    """How far a job is: what its parts have done, or the bytes of a file made in one go."""
    in_one_go = job.state == JobState.RUNNING and not job.done and job.total is None
    return written_so_far(job) if in_one_go else job.done


def result_of(job: Job) -> Path:
    """The file that a job made. Raises NotThereError where there is none, or none any more."""
    path = folder() / job.file
    if job.state != JobState.DONE or not job.file or not path.is_file():
        raise NotThereError
    return path


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


def remove(paths: Iterable[Path]) -> None:
    """Let go of files, those that are gone already too."""
    for path in paths:
        path.unlink(missing_ok=True)
