from uuid import UUID

from django.db import models

from tournaments.core.ids import new_id
from tournaments.core.text_fields import CompressedTextField
from tournaments.models.club import Club
from tournaments.models.leased_row import LeasedRow
from tournaments.models.limits import REASON_MAX


class Scope(models.TextChoices):
    """Of what there are standings."""

    EVENT = "event"
    LEAGUE = "league"
    RATINGS = "ratings"
    STRENGTH = "batch"
    """Of a club too: strengths from all its games at once, worked out every night."""
    STATISTICS = "player"
    """Sums of all hands of a player. Only the last version is kept: nothing else refers to it."""


class Stale(models.Model):
    """A mark that standings are behind, written in the transaction of what changed.

    Marks are only added and, once what they tell of has been computed, removed; nobody waits for
    another's. ``subject`` is the event, the league, the player, or for ratings the club. ``game``
    is the one in which hands changed and nothing else did; without it anything may have.
    """

    scope = models.CharField(max_length=7, choices=Scope)
    subject: "models.UUIDField[UUID, UUID]" = models.UUIDField()
    since = models.DateTimeField()
    game: "models.UUIDField[UUID | None, UUID | None]" = models.UUIDField(null=True)

    class Meta:
        verbose_name = "stale mark"
        verbose_name_plural = "stale marks"
        indexes = [models.Index(fields=["scope", "subject"])]

    def __str__(self) -> str:
        return f"{self.scope} since {self.since}"


class Published(LeasedRow):
    """The standings of one event, league or club, or the statistics of a player, as last published.

    ``version`` goes up whenever they say something else. ``official`` is the version that holds
    since the director made it official (DEC-7); None where the last version holds. They are due
    while there are marks (`Stale`) and no worker has the row; ``trouble`` is why they were put
    aside.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    scope = models.CharField(max_length=7, choices=Scope)
    subject: "models.UUIDField[UUID, UUID]" = models.UUIDField()
    version = models.PositiveIntegerField(default=0)
    official = models.PositiveIntegerField(null=True)
    inputs = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    computed_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name = "published standings"
        verbose_name_plural = "published standings"
        constraints = [
            models.UniqueConstraint(fields=["scope", "subject"], name="published_once"),
        ]

    def __str__(self) -> str:
        return f"{self.scope} standings, version {self.version}"


class Snapshot(models.Model):
    """One version of standings, as canonical JSON; never changed.

    ``inputs`` is the digest of all that it was computed from, ``digest`` that of ``data``. Not
    every version is kept for ever: see `tournaments.publishing.thinning`.
    """

    published = models.ForeignKey(Published, on_delete=models.PROTECT, related_name="snapshots")
    version = models.PositiveIntegerField()
    inputs = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    program = models.CharField(max_length=20)
    computed_at = models.DateTimeField()
    data = CompressedTextField()

    class Meta:
        verbose_name = "snapshot of standings"
        verbose_name_plural = "snapshots of standings"
        constraints = [
            models.UniqueConstraint(fields=["published", "version"], name="snapshot_version_once"),
        ]

    def __str__(self) -> str:
        return f"version {self.version}"


class Verdict(models.TextChoices):
    """The director's verdict on a version of standings (DEC-7)."""

    OFFICIAL = "official"
    AMENDED = "amended"
    DECLINED = "declined"
    REOPENED = "reopened"


class StandingsDecision(models.Model):
    """A decision on which version of standings is official, numbered from 1; only added to.

    ``version`` became official, took the place of the official one, was declined, or was official
    until its event or league was opened again. ``reason`` is published.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    published = models.ForeignKey(Published, on_delete=models.PROTECT, related_name="decisions")
    number = models.PositiveSmallIntegerField()
    verdict = models.CharField(max_length=8, choices=Verdict)
    version = models.PositiveIntegerField()
    reason = models.CharField(max_length=REASON_MAX, blank=True)
    by = models.CharField(max_length=60)
    at = models.DateTimeField()

    class Meta:
        verbose_name = "decision on standings"
        verbose_name_plural = "decisions on standings"
        constraints = [
            models.UniqueConstraint(
                fields=["published", "number"], name="standings_decision_number_once"
            ),
            models.CheckConstraint(
                condition=models.Q(verdict__in=Verdict.values), name="verdict_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(verdict=Verdict.OFFICIAL) | ~models.Q(reason=""),
                name="a_later_verdict_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.version} {self.verdict}"
