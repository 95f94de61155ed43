import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from engine.core.messages import Message
from engine.record.rulings import Ruling
from scoring.models.hand import Hand
from scoring.models.states import dumps, read_ruling, ruling_data
from tournaments.core.ids import new_id


class Finding(models.TextChoices):
    """Whether an irregularity could still be put right when it was found (rules.md 8)."""

    BEFORE_ESTABLISHED = "before_established"
    ESTABLISHED = "established"


RULING: Final = Message("ruling")
"""The entry of the trail for a ruling."""
_TEXT_MAX: Final = 300


class Decided(models.Model):
    """A director's decision on a hand (rules.md section 8), never changed, only superseded.

    ``ruling`` is the engine's ruling as JSON (`scoring.models.states`): decision, code, offenders,
    captures, postings, what the next hand inherits. ``withdrawn``: it takes back the one that
    it supersedes and decides nothing itself. ``restores`` is the number of the ruling of this hand
    that holds again, where the one that took its place is taken back. ``before`` and ``after`` are
    digests of the settlement without and with it. ``record`` is the digest of the record that was
    ruled on. ``lets_stand`` is the hand that was changed, where this ruling only lets later play
    stand, and ``of_version`` the version that its record had then.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="decisions")
    number = models.PositiveIntegerField()
    ruling = models.TextField()
    trick = models.PositiveSmallIntegerField(null=True)
    card = models.CharField(max_length=2, blank=True)
    facts = models.CharField(max_length=2000, blank=True)
    law = models.CharField(max_length=300, blank=True)
    called_by = models.PositiveSmallIntegerField(null=True)
    found = models.CharField(max_length=20, choices=Finding, blank=True)
    told_to = models.JSONField(default=list)
    supersedes = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="superseded_by"
    )
    of_version = models.PositiveIntegerField(null=True)
    withdrawn = models.BooleanField(default=False)
    restores = models.PositiveIntegerField(null=True)
    record = models.CharField(max_length=64)
    # The hand whose change made this ruling necessary, so that a later change can take it back.
    lets_stand = models.ForeignKey(
        Hand, on_delete=models.PROTECT, null=True, related_name="policies"
    )
    before = models.CharField(max_length=64, blank=True)
    after = models.CharField(max_length=64, blank=True)
    by = models.CharField(max_length=60)
    source = models.CharField(max_length=12)
    at = models.DateTimeField()
    appeal_until = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "ruling"
        verbose_name_plural = "rulings"
        constraints = [
            models.UniqueConstraint(fields=["hand", "number"], name="ruling_number_once"),
            models.CheckConstraint(
                condition=models.Q(withdrawn=False) | models.Q(supersedes__isnull=False),
                name="only_a_ruling_is_withdrawn",
            ),
        ]

    def __str__(self) -> str:
        return f"ruling {self.number}"

    def decision(self) -> Ruling:
        """Return the engine's ruling; its text are the facts, of which it shows the beginning."""
        ruling = read_ruling(self.ruling)
        return ruling if ruling.text else replace(ruling, text=self.facts[:_TEXT_MAX])

    def reason(self) -> str:
        """The facts and the law, in the words of the director; both can be erased."""
        return " · ".join(filter(None, (self.facts, self.law)))

    def digest(self, *, text: str = "") -> str:
        """SHA-256 of all that is fixed when a ruling is saved, without words about people.

        Until 0.3.0 the digest covered the ``text`` that stood in the ruling as well.
        """
        ruling = self.ruling
        if text:
            ruling = dumps(ruling_data(replace(read_ruling(ruling), text=text)))
        fields = (
            *(self.hand_id, self.number, ruling, self.trick, self.card, self.called_by),
            *(self.found, self.supersedes_id, self.of_version, self.withdrawn, self.restores),
            *(self.record, self.lets_stand_id, self.before, self.after, self.by, self.source),
            *(_as_utc(self.at), self.appeal_until and _as_utc(self.appeal_until)),
        )
        return hashlib.sha256(json.dumps(fields, default=str).encode()).hexdigest()


def _as_utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


class AppealStep(models.TextChoices):
    """Steps of an appeal."""

    PENDING = "pending", _("appeal pending")
    UPHELD = "upheld", _("upheld on appeal")
    CHANGED = "changed", _("changed on appeal")
    WITHDRAWN = "withdrawn", _("appeal withdrawn")


class Appeal(models.Model):
    """One step of an appeal against a ruling; only ever added to."""

    ruling = models.ForeignKey(Decided, on_delete=models.PROTECT, related_name="appeals")
    step = models.CharField(max_length=9, choices=AppealStep)
    text = models.CharField(max_length=2000, blank=True)
    by = models.CharField(max_length=60)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.step
