from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.core.ids import new_id
from tournaments.models.event import Entry
from tournaments.models.limits import REASON_MAX
from tournaments.models.round import TableGame


class DecisionKind(models.TextChoices):
    """Kinds of decisions of the director on a seat."""

    FORFEIT = "forfeit", _("left early, or did not come")
    SCORE = "score", _("set by the director")


class SeatDecision(models.Model):
    """A decision of the director on one seat in a game of an event; taken back, never changed.

    A forfeit says that the player left early or never came: the hands from ``hands`` on are not
    theirs, or all those that others played in their seat (null). A score gives ``amount``, a
    fraction as text in the unit of the event's total, instead of what was played.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    game = models.ForeignKey(TableGame, on_delete=models.PROTECT, related_name="decisions")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=7, choices=DecisionKind)
    hands = models.PositiveSmallIntegerField(null=True)
    amount = models.CharField(max_length=40, blank=True)
    reason = models.CharField(max_length=REASON_MAX)
    by = models.CharField(max_length=60)
    at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "entry"],
                condition=models.Q(cancelled_at__isnull=True),
                name="one_decision_holds_for_a_seat",
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=DecisionKind.values), name="decision_kind_is_known"
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="a_decision_has_a_reason"),
            models.CheckConstraint(
                condition=models.Q(kind=DecisionKind.FORFEIT, amount="")
                | (models.Q(kind=DecisionKind.SCORE, hands__isnull=True) & ~models.Q(amount="")),
                name="a_decision_says_what_its_kind_needs",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.entry_id}"


class BoardVerdict(models.TextChoices):
    """A director's verdict on a hand that was not dealt as its board (DEC-15)."""

    FOULED = "fouled", "fouled, assigned score"
    OTHER_BOARD = "other", "it was another board"
    MISWRITTEN = "written", "the cards were entered wrongly"


class BoardDecision(models.Model):
    """A director's decision on a hand with other cards than its board; only taken back.

    It holds until the hand has another record. ``other_board`` is the one whose cards they
    were, each of them ``turn`` seats further round the table than in the game.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    game = models.ForeignKey(TableGame, on_delete=models.PROTECT, related_name="board_decisions")
    number = models.PositiveSmallIntegerField()
    verdict = models.CharField(max_length=7, choices=BoardVerdict)
    other_board = models.PositiveSmallIntegerField(null=True)
    turn = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=REASON_MAX, blank=True)
    by = models.CharField(max_length=60)
    at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number"],
                condition=models.Q(cancelled_at__isnull=True),
                name="one_decision_holds_for_a_board",
            ),
            models.CheckConstraint(
                condition=models.Q(verdict="other", other_board__isnull=False)
                | (models.Q(verdict__in=["fouled", "written"], other_board__isnull=True)),
                name="a_board_verdict_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"hand {self.number}: {self.verdict}"
