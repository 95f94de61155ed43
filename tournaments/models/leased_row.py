from datetime import datetime, timedelta
from typing import Any, Final, Self, TypeVar

from django.db import models

LEASE: Final = timedelta(seconds=90)
"""How long a worker has a row for itself: longer than a task may run (CELERY_TASK_TIME_LIMIT)."""
ATTEMPTS_MAX: Final = 3
"""A row whose lease ran out so often in a row is put aside; the others go on."""

Row = TypeVar("Row", bound="LeasedRow")


class LeasedQuerySet(models.QuerySet[Row]):
    """Rows of background work."""

    def due(self, at: datetime) -> Self:
        """Rows with work to do at this moment that no worker has, the oldest first."""
        return self.filter(due_at__lte=at).order_by("due_at")

    def due_names(self, at: datetime, most: int) -> list[tuple[str, datetime]]:
        """Primary keys of due rows and since when they are due. One query, by index."""
        rows = self.due(at).values_list("pk", "due_at")[:most]
        return [(str(key), since) for key, since in rows if since is not None]

    def count_due(self, at: datetime) -> int:
        """Count the due rows. One query, by index."""
        return self.filter(due_at__lte=at).count()

    def claim(self, key: Any, at: datetime, **fields: Any) -> Row | None:
        """Take a due row for this worker until ``at + LEASE``; None where it is not due.

        Of several workers that try at once one gets it: the condition and the new ``due_at`` are
        one statement. ``fields`` are written with it.
        """
        fields |= {"due_at": at + LEASE, "attempts": models.F("attempts") + 1}
        if not self.filter(pk=key, due_at__lte=at).update(**fields):
            return None
        return self.get(pk=key)


class LeasedRow(models.Model):
    """Work that one worker at a time may do: a row of an outbox with a lease.

    ``due_at`` is when the work may begin; None where there is nothing to do. A worker claims the
    row by moving ``due_at`` on to the end of its lease, so a worker that dies leaves a row that is
    due again. The exact value proves later whose lease it is. ``attempts`` counts leases since the
    work last came to an end, good or bad: what ran out are workers that died.
    """

    due_at = models.DateTimeField(null=True)
    # The column keeps its first name, so that an upgrade renames nothing.
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0, db_column="begun")

    objects = LeasedQuerySet.as_manager()

    class Meta:
        abstract = True

    def update_leased(self, **fields: Any) -> bool:
        """Write fields, unless the lease ran out and another worker has the row; whether it did."""
        mine = type(self).objects.filter(pk=self.pk, due_at=self.due_at)
        if not mine.update(**fields):
            return False
        for name, value in fields.items():
            setattr(self, name, value)
        return True
