from django.db import models


class Chore(models.Model):
    """Work that comes round by itself, such as the nightly look through all books.

    A long one is done in parts: ``place`` says how far it is, ``found`` what it found so far;
    ``outcome`` is that of the last time it came to an end, at ``done_at``. ``due_at`` and
    ``begun`` are as for a delivery: moved on by whoever does the next part; None is parked.
    """

    name = models.CharField(primary_key=True, max_length=40)
    due_at = models.DateTimeField(null=True)
    begun = models.PositiveSmallIntegerField(default=0)
    place = models.CharField(max_length=60, blank=True)
    found = models.CharField(max_length=300, blank=True)
    done_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=300, blank=True)

    def __str__(self) -> str:
        return self.name


class Pulse(models.Model):
    """The last sign of life of a part that nobody asks anything."""

    name = models.CharField(primary_key=True, max_length=40)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
