from django.db import models

from tournaments.core.ids import new_id
from tournaments.models.club import Club


class JobState(models.TextChoices):
    """How far a long piece of work is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Job(models.Model):
    """A long export or import: asked for, done by a worker in parts, with its progress.

    ``place`` is where the next part begins; ``problems`` what was wrong, by line. ``due_at`` and
    ``begun`` are as for a chore. ``file`` is where in the data folder its result lies, for
    ``file_name``.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="jobs")
    kind = models.CharField(max_length=20)
    params = models.JSONField(default=dict)
    state = models.CharField(max_length=9, choices=JobState, default=JobState.WAITING)
    dry_run = models.BooleanField(default=False)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True)
    place = models.JSONField(default=dict)
    outcome = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    file = models.CharField(max_length=200, blank=True)
    file_name = models.CharField(max_length=200, blank=True)
    by = models.CharField(max_length=60)
    source = models.CharField(max_length=12)
    due_at = models.DateTimeField(null=True)
    begun = models.PositiveSmallIntegerField(default=0)
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
