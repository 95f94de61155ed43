"""Jobs, as the API shows them: how far they are, what was wrong, the file they made."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypedDict
from uuid import UUID

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

from tournaments import jobs
from tournaments.access.rights import Place, Right
from tournaments.api.describing import BINARY_TYPE
from tournaments.api.doors import PRIVATE, Answer, Ask, Door, read, write
from tournaments.api.fields import Flag, OneOf, form
from tournaments.core.errors import NotThereError
from tournaments.models import Job, JobState

FILTERS = form(
    state=OneOf(of=tuple(map(str, JobState.values)), required=False),
    dry_run=Flag(required=False, words="Only those that tried, or only those that did it."),
)

_PIECE = 64 * 1024


class JobLine(TypedDict):
    """A job in a list. ``done`` of ``total``: hands, rows or bytes, as its kind counts."""

    id: UUID
    kind: str
    state: JobState
    dry_run: bool
    done: int
    total: int | None
    file_name: str | None
    created_at: datetime
    finished_at: datetime | None


class JobOut(JobLine):
    """A job: what was asked, what came of it, and what was wrong, line by line."""

    params: dict[str, Any]
    outcome: dict[str, Any]
    problems: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class JobPlace(Place):
    """The club of a job, and the job."""

    job: Job | None = None


class JobDoor(Door):
    """Doors at a job."""

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        job = jobs.find(ids["job_id"])
        return JobPlace(None) if job is None else JobPlace(job.club, None, job)


class Jobs(Door):
    """The jobs of a club."""

    @read(Right.EXPORTS_MAKE, gives=JobLine, query=FILTERS, pages=True)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """List jobs, in the order of asking; those that ended are kept for a week."""
        rows = Job.objects.filter(club=ask.club)
        return ask.page(rows.filter(**ask.filters), job_line)


class OneJob(JobDoor):
    """One job."""

    @read(Right.EXPORTS_MAKE, gives=JobOut)
    def get(self, ask: Ask, job_id: UUID) -> Answer:
        """Read how far a job is, and what was wrong so far."""
        return Answer(job_out(job_of(ask)))

    @write(Right.EXPORTS_MAKE, gives=JobOut)
    def delete(self, ask: Ask, job_id: UUID) -> Answer:
        """Cancel a job: what it has done stays, the part that is being done is undone."""
        return Answer(job_out(jobs.cancel(job_id=job_id, at=ask.at)))


class JobFile(JobDoor):
    """What a job made."""

    @read(Right.EXPORTS_MAKE, gives=bytes)
    def get(self, ask: Ask, job_id: UUID) -> Answer:
        """Take away the file that a job made."""
        job = job_of(ask)
        path = jobs.find_result(job)
        return Answer(file=download(_pieces(path), job.file_name, BINARY_TYPE))


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def download(pieces: Iterator[bytes], name: str, media_type: str) -> StreamingHttpResponse:
    """A file that a browser saves under a name, sent piece by piece, for this asker alone."""
    file = StreamingHttpResponse(pieces, content_type=media_type)
    file["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
    file["Cache-Control"] = PRIVATE
    return file


def job_of(ask: Ask) -> Job:
    """The job that an address names. Raises NotThereError."""
    if not isinstance(ask.place, JobPlace) or ask.place.job is None:
        raise NotThereError
    return ask.place.job


def job_line(job: Job) -> JobLine:
    """A job as a line of a list."""
    return {
        "id": job.pk,
        "kind": job.kind,
        "state": JobState(job.state),
        "dry_run": job.dry_run,
        "done": job.progress,
        "total": job.total,
        "file_name": job.file_name or None,
        "created_at": job.created_at,
        "finished_at": job.finished_at,
    }


def job_out(job: Job) -> JobOut:
    """A job as data."""
    return {
        **job_line(job),
        "params": job.params,
        "outcome": job.outcome,
        "problems": job.problems,
    }
