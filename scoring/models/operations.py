"""The service itself: nightly work, signs of life, and what was wrong."""

from django.db import models

from tournaments.models import LeasedRow


class NightlyTask(LeasedRow):
    """Work that comes round by itself, such as the nightly look through all books.

    A long one is done in parts: ``place`` says how far it is, ``found`` what it found so far;
    ``outcome`` is that of the last time it came to an end, at ``done_at``.
    """

    name = models.CharField(primary_key=True, max_length=40)
    place = models.CharField(max_length=60, blank=True)
    found = models.CharField(max_length=300, blank=True)
    done_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=300, blank=True)

    class Meta:
        # Tables keep their first names, so that an upgrade renames nothing.
        db_table = "scoring_chore"

    def __str__(self) -> str:
        return self.name


class Heartbeat(models.Model):
    """The last sign of life of a process that answers no requests.

    ``since`` is since when such signs have come without a gap; of several processes of one name.
    """

    name = models.CharField(primary_key=True, max_length=40)
    at = models.DateTimeField()
    since = models.DateTimeField(null=True)

    class Meta:
        db_table = "scoring_pulse"

    def __str__(self) -> str:
        return self.name


class Incident(models.Model):
    """Something that was wrong with the service, the last time for each ``cause``.

    Operators are told at ``told_at`` that it has been so ``since``, and once more when it is over
    (`config.operations.alerts`). A row is open between the two; whoever changes that is the one who
    tells.
    """

    cause = models.CharField(primary_key=True, max_length=20)
    since = models.DateTimeField()
    told_at = models.DateTimeField(null=True)
    is_open = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.cause} since {self.since}"
