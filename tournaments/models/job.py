from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import models

from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.ids import new_id
from tournaments.core.text_fields import MessagesField
from tournaments.models.club import Club
from tournaments.models.leased_row import LeasedRow


class JobKind(models.TextChoices):
    """Kinds of jobs."""

    ARCHIVE = "archive"
    EXPORT = "export"
    LAB = "lab"
    MEMBERS = "members"
    NIGHTS = "nights"
    OPENINGS = "openings"


class JobState(models.TextChoices):
    """The progress of a long piece of work; a draft is prepared and not yet asked for."""

    DRAFT = "draft"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


TABLE_KINDS = (JobKind.MEMBERS, JobKind.NIGHTS, JobKind.OPENINGS)
"""Imports of tables: their outcome says row by row whom they are about."""
ALIVE = (JobState.WAITING, JobState.RUNNING)


class Job(LeasedRow):
    """A long export or import: asked for, done by a worker in parts, with its progress.

    ``place`` is where the next part begins; ``problems`` what was wrong, by line. ``file`` is where
    in the data folder its result lies; ``file_name`` is the name of that, or of what was uploaded.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="jobs")
    kind = models.CharField(max_length=20, choices=JobKind)
    params = models.JSONField(default=dict)
    state = models.CharField(max_length=9, choices=JobState, default=JobState.WAITING)
    dry_run = models.BooleanField(default=False)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True)
    place = models.JSONField(default=dict)
    outcome = MessagesField(default=dict)
    problems = MessagesField(default=list)
    file = models.CharField(max_length=200, blank=True)
    file_name = models.CharField(max_length=200, blank=True)
    by = models.CharField(max_length=60)
    source = models.CharField(max_length=12)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=JobState.values), name="job_state_is_known"
            ),
        ]
        indexes = [models.Index(fields=["due_at"]), models.Index(fields=["club", "created_at"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"

    @property
    def is_alive(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ALIVE

    @property
    def upload_path(self) -> Path:
        """The path of its uploaded file."""
        return _folder() / f"{self.pk}.in"

    @property
    def result_path(self) -> Path:
        """The path of the file that it makes."""
        return _folder() / f"{self.pk}.out"

    @property
    def bytes_written(self) -> int:
        """The length of the file that it makes; 0 before it has begun."""
        try:
            return self.result_path.stat().st_size
        except OSError:
            return 0

    @property
    def progress(self) -> int:
        """The progress: the work of its parts, or the bytes of a file made in one go."""
        in_one_go = self.state == JobState.RUNNING and not self.done and self.total is None
        return self.bytes_written if in_one_go else self.done

    @property
    def actor(self) -> Actor:
        """The actor in whose name the job writes: whoever asked for it, by way of an import."""
        kind, _, number = self.by.partition(":")
        return Actor(ActorKind.of(kind), Source.IMPORT, UUID(number) if number else None)


def _folder() -> Path:
    """Return the folder of uploads and results in the data folder; made where it is missing."""
    path = Path(settings.FILES)
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path
