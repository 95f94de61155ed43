"""Analyses of hands, made by a worker and kept."""

from typing import ClassVar

from django.db import models

from scoring.models.hand import Hand
from tournaments.models import LeasedRow


class HandAnalysis(LeasedRow):
    """The analysis of the last tricks of a hand, or the work to make it.

    ``digest`` is that of all that it follows from: the record, what was decided on it, the rules,
    the game before it and the version of the program. Where it is another one now, the analysis is
    made anew. ``outcome`` is what the engine found (`engine.analysis.report`); None until then, and
    FAILED where every try was broken off.
    """

    hand = models.OneToOneField(
        Hand, on_delete=models.CASCADE, primary_key=True, related_name="analysis"
    )
    FAILED: ClassVar = {"failed": True}

    digest = models.CharField(max_length=64)
    outcome = models.JSONField(null=True)

    class Meta:
        verbose_name = "analysis of a hand"
        verbose_name_plural = "analyses of hands"
        indexes = [models.Index(fields=["due_at"], name="analysis_due")]

    def __str__(self) -> str:
        return f"analysis of {self.hand_id}"

    @property
    def has_failed(self) -> bool:
        """Whether every try to make it was broken off; it is not tried again."""
        return self.outcome == self.FAILED
