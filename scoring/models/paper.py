from django.db import models

from scoring.models.game import Game


class PaperKind(models.TextChoices):
    """Things that are written on a secret paper."""

    INSURANCE = "insurance"
    FOOT = "foot"
    CENTRE = "centre"


class SealedPaper(models.Model):
    """A secret paper of one seat: sealed first, opened later.

    ``seal`` is SHA-256 of the salt and the value, made by the seat itself, so that nobody here
    knows the value before it is opened and nobody can change it afterwards. ``value`` and
    ``salt`` stay empty until the seat opens it, and are shown to nobody before all have.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="papers")
    hand = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=9, choices=PaperKind)
    seal = models.CharField(max_length=64)
    sealed_at = models.DateTimeField()
    sealed_by = models.CharField(max_length=60)
    value = models.CharField(max_length=40, blank=True)
    salt = models.CharField(max_length=64, blank=True)
    opened_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "hand", "seat", "kind"], name="one_paper_of_a_kind_a_seat"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of seat {self.seat}"
