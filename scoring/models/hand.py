"""Hands of a game: their versions and words, drafts on phones, and sealed papers."""

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.record.facts import Status
from scoring.models.game import Game
from tournaments.core.ids import new_id
from tournaments.core.language import translated_lazily
from tournaments.core.text_fields import MessageField
from tournaments.models.choices import DetailedChoices

REASON_MAX: Final = 300
"""So many letters of an objection are the reason of a hand."""


class State(DetailedChoices):
    """States of a hand (rules.md section 8).

    The details are for public pages, labels for badges at the desk.
    """

    DRAFT = "draft", _("not finished"), "Draft"
    ACCEPTED = "accepted", _("accepted"), "Accepted"
    DISPUTED = "disputed", _("disputed"), "Disputed"
    RULED = "ruled", _("ruled"), "Ruled"
    VOID = "void", _("void"), "Void"
    PASSED_OUT = "passed out", translated_lazily(Status.PASSED_OUT.words), "Passed Out"
    FOOT = "foot", translated_lazily(Status.FOOT.words), "Foot"
    NOT_PLAYED = "not played", translated_lazily(Status.NOT_PLAYED.words), "Not Played"
    TAKEN_BACK = "taken back", _("taken back"), "Taken Back"


NOT_COUNTED: Final = (State.VOID, State.FOOT, State.NOT_PLAYED)
"""Hands that are on record and are none of the hands of a round (DEC-4)."""


class Certainty(models.TextChoices):
    """Degrees of certainty of a hand's result."""

    PROVISIONAL = "provisional", _("provisional")
    CONFIRMED = "confirmed", _("confirmed")
    OFFICIAL = "official", _("official")


class Hand(models.Model):
    """One deal played once in a game. The client makes the id, so sending twice is harmless.

    Everything beside the number and the versions is derived: ``state`` and ``certainty``;
    ``after`` (what the next hand inherits, `scoring.models.states`), empty while the hand waits for
    an earlier one; ``board``, the number of the prepared board as which it began, where boards
    begin alike; ``reason``, why it is not simply accepted. ``revision`` goes up with all that
    happens to the hand; an editor names the one that they saw. A hand whose number was taken
    by another record is kept as a ``rival`` of that one, outside the game, until the table agrees
    or the director chooses. One that was taken back is outside the game as well; once its number
    is told again, it is a rival of that hand. ``director_called_at``: a seat asked for a decision
    then, or the table did not agree, and nothing was decided since.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="hand_rows")
    number = models.PositiveIntegerField()
    rival = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="rivals")
    current = models.PositiveIntegerField(default=1)
    revision = models.PositiveIntegerField(default=1, db_default=1)
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    certainty = models.CharField(max_length=11, choices=Certainty, default=Certainty.PROVISIONAL)
    reason = MessageField(blank=True)
    after = models.TextField(blank=True)
    board = models.PositiveIntegerField(null=True)
    entered_at = models.DateTimeField()
    director_called_at = models.DateTimeField(null=True, default=None, db_default=None)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number"],
                condition=models.Q(rival__isnull=True),
                name="hand_number_once",
            ),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="hands_count_from_one"),
            models.CheckConstraint(
                condition=models.Q(state__in=State.values), name="hand_state_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(certainty__in=Certainty.values), name="certainty_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"hand {self.number}"


class Form(models.TextChoices):
    """Forms of a submission."""

    RECORD = "record"
    ACTIONS = "actions"
    RESULT = "result"


class HandVersion(models.Model):
    """One version of a hand's record, as it came; never changed, never removed.

    ``text`` is the record that is judged (PHN, UTF-8); ``sent`` what the client sent, where that
    was something else: actions or a result as JSON. ``why`` is required for a correction.
    ``digest`` is that of the text as it came; where a name was erased from it, ``erased_digest`` is
    that of the text as it stands.
    ``restores`` is the number of the version that an undone correction brought back.
    """

    # The index of hand_version_once begins with the hand.
    hand = models.ForeignKey(
        Hand, on_delete=models.PROTECT, related_name="versions", db_index=False
    )
    number = models.PositiveIntegerField()
    form = models.CharField(max_length=7, choices=Form, default=Form.RECORD)
    text = models.BinaryField()
    sent = models.BinaryField(null=True)
    digest = models.CharField(max_length=64)
    erased_digest = models.CharField(max_length=64, blank=True, default="", db_default="")
    by = models.CharField(max_length=60)
    source = models.CharField(max_length=12)
    seat = models.PositiveSmallIntegerField(null=True)
    why = models.CharField(max_length=1000, blank=True)
    restores = models.PositiveIntegerField(null=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hand", "number"], name="hand_version_once"),
        ]

    def __str__(self) -> str:
        return f"version {self.number}"


class Word(models.Model):
    """A seat's word on one version of a hand: that it is right, or that it is not, and why.

    ``is_late``: it was said after the game was closed. Such an objection calls the director and
    changes nothing by itself.
    """

    version = models.ForeignKey(HandVersion, on_delete=models.PROTECT, related_name="words")
    agrees = models.BooleanField()
    why = models.CharField(max_length=1000, blank=True)
    by = models.CharField(max_length=60)
    source = models.CharField(max_length=12)
    seat = models.PositiveSmallIntegerField(null=True)
    is_late = models.BooleanField(default=False, db_default=False)
    at = models.DateTimeField()

    class Meta:
        verbose_name = "word of a second seat"
        verbose_name_plural = "words of second seats"

    def __str__(self) -> str:
        return "confirmed" if self.agrees else "objected to"


class HandDraft(models.Model):
    """A hand as far as one phone has told it: nothing of it is on record.

    ``id`` is the one that the hand will have; ``change`` counts what was told and taken back, so
    that a late copy never replaces a newer one. ``answers`` is JSON, question by question in the
    order of telling, without anything that other seats may not know yet. ``sees_deal``: the phone
    was told the cards of the board, which the whole table gets to know. A phone that goes on
    from another one's draft makes a draft of its own: ``continues`` is the other, ``seen`` its
    ``change`` then.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="drafts")
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField(null=True)
    by = models.CharField(max_length=60)
    change = models.PositiveIntegerField()
    answers = models.TextField()
    sees_deal = models.BooleanField(default=False)
    continues = models.UUIDField(null=True)
    seen = models.PositiveIntegerField(default=0)
    kept_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"draft of hand {self.number}"


class PaperKind(models.TextChoices):
    """Things that are written on a secret paper."""

    INSURANCE = "insurance", pgettext_lazy("a paper", "insurance")
    FOOT = "foot", pgettext_lazy("a paper", "foot")
    CENTRE = "centre", pgettext_lazy("a paper", "bids for the centre")


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


class SeatLoss(models.Model):
    """The cost of a seat's own cards in a hand, as `engine.analysis.losses` estimates it.

    For the page of the player alone; it counts nowhere and is computed anew at night when the hand
    changes: it belongs to one ``revision`` of the hand, and to one ``digest`` of record, rules,
    state before and ``judge`` (the number of the program that judged). ``total`` is the loss of
    the hand in ``unit`` (points or chips) with its standard ``error``; null where not all cards
    are recorded. ``largest`` is the largest loss by one card that is no noise; ``cards`` are the
    largest of them, with every choice (`scoring.settlement.hand_losses`). Numbers are thousandths.
    """

    # The index of losses_of_a_seat_once begins with the hand.
    hand = models.ForeignKey(Hand, on_delete=models.CASCADE, related_name="losses", db_index=False)
    seat = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64)
    revision = models.PositiveIntegerField()
    judge = models.PositiveSmallIntegerField()
    unit = models.CharField(max_length=6, blank=True)
    total = models.IntegerField(null=True)
    error = models.IntegerField(default=0)
    largest = models.IntegerField(default=0)
    cards = models.JSONField(default=list)

    class Meta:
        verbose_name = "losses of a seat"
        verbose_name_plural = "losses of seats"
        constraints = [
            models.UniqueConstraint(fields=["hand", "seat"], name="losses_of_a_seat_once"),
        ]

    def __str__(self) -> str:
        return f"losses of seat {self.seat}"
