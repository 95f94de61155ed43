from typing import Final
from uuid import UUID

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.core.deals import SECRET_BYTES, commitment_of
from tournaments.core.ids import new_id
from tournaments.models.club import Club
from tournaments.models.event import Entry, Event
from tournaments.models.limits import REASON_MAX


class Stage(models.TextChoices):
    """The progress of a round: its draw can be done again until it is played."""

    DRAWN = "drawn", _("drawn")
    PLAYING = "playing", _("being played")
    CLOSED = "closed", _("finished")


class Round(models.Model):
    """One step of an event's movement: a draw, as a fact.

    ``certificate`` says how good the seating is (`tournaments.movements.Certificate`), and
    ``paired_on`` the version of the standings that it was drawn from, where it was.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="round_rows")
    number = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=7, choices=Stage, default=Stage.DRAWN)
    certificate = models.JSONField(default=dict)
    paired_on = models.PositiveIntegerField(null=True)
    drawn_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="round_number_once"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="rounds_count_from_one"),
            models.CheckConstraint(
                condition=models.Q(stage__in=Stage.values), name="round_stage_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number}"


UNFINISHED: Final = ("open", "over")
"""The phases of a `TableGame` that is not closed."""


class Table(models.Model):
    """A table of a round. ``boards`` are the prepared deals that it plays, in order.

    One that ends another day has ``adjourned_at``, when its day was decided; it is adjourned until
    its game is closed (`tournaments.publishing.adjourned`).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    size = models.PositiveSmallIntegerField()
    boards = models.JSONField(default=list)
    adjourned_at = models.DateTimeField(null=True)
    finish_on = models.DateField(
        null=True, help_text="The day on which an adjourned game is to be finished, if it is known."
    )
    adjourn_reason = models.CharField(
        max_length=REASON_MAX,
        blank=True,
        default="",
        db_default="",
        help_text="Why it ends another day, for directors; empty if it does not.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="table_number_once"),
            models.CheckConstraint(
                condition=models.Q(adjourned_at__isnull=False)
                | models.Q(finish_on__isnull=True, adjourn_reason=""),
                name="an_adjourned_table_says_since_when",
            ),
            models.CheckConstraint(
                condition=models.Q(size__gte=3, size__lte=6), name="three_to_six_at_a_table"
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.number}"

    @property
    def is_adjourned(self) -> bool:
        """Whether it is to be finished another day: it was adjourned, and a game is not closed."""
        return self.adjourned_at is not None and any(
            game.phase in UNFINISHED for game in self.games.all()
        )


class TableSeat(models.Model):
    """The owner of a seat of a table; seat 0 deals first."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="+")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="table_seats")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "seat"], name="one_entry_in_a_seat"),
            models.UniqueConstraint(fields=["round", "entry"], name="an_entry_sits_once_a_round"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}"


class SitOut(models.Model):
    """Somebody who does not play in a round, because of the numbers."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="sit_outs")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="sit_outs")

    class Meta:
        verbose_name = "sit-out"
        verbose_name_plural = "sit-outs"
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="an_entry_sits_out_once"),
        ]

    def __str__(self) -> str:
        return f"sits out: {self.entry_id}"


class TableGame(models.Model):
    """A game as results know it; it has the id of the game at the table.

    Every game of a club has one, in an event or not. ``phase`` is the game's; ``is_open`` that
    something of it has still to be decided; ``low`` that a low score is a good one. By
    ``worth_version`` of the coefficients all its cards were valued, 0 before they were.
    """

    id: "models.UUIDField[UUID, UUID]" = models.UUIDField(primary_key=True)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, null=True, related_name="games")
    event = models.ForeignKey(Event, on_delete=models.PROTECT, null=True, related_name="games")
    phase = models.CharField(max_length=8)
    is_open = models.BooleanField(default=False)
    low = models.BooleanField(default=False)
    size = models.PositiveSmallIntegerField()
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    worth_version = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        indexes = [models.Index(fields=["club", "opened_at"])]

    def __str__(self) -> str:
        return f"game {self.id}"


class Board(models.Model):
    """A deal fixed in advance that several tables of an event play.

    ``deal`` are the cards seat by seat, from the eldest hand round to the dealer (`engine.show`,
    with semicolons between). It is empty where the record of a table tells it: ``source_table``, in
    the round in which the board is played. ``key`` is what it was dealt from, in hexadecimal digits
    (`tournaments.core.deals`); it is a secret of the deal makers until the board is over.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="boards")
    number = models.PositiveSmallIntegerField()
    deal = models.CharField(max_length=300, blank=True)
    source = models.CharField(max_length=60)
    source_table = models.PositiveSmallIntegerField(null=True)
    key = models.CharField(max_length=64, blank=True, default="", db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="board_number_once"),
        ]

    def __str__(self) -> str:
        return f"board {self.number}"

    @property
    def commitment(self) -> str:
        """The published commitment of the key; empty for a deal that was brought or told."""
        return commitment_of(bytes.fromhex(self.key)) if self.key else ""


class DealSecret(models.Model):
    """The secret from which boards of a duplicate event are dealt; nobody reads it, nor the admin.

    A row of its own, so that nothing that shows or stores an event can take it along.
    """

    event = models.OneToOneField(
        Event, on_delete=models.PROTECT, primary_key=True, related_name="deal_secret"
    )
    secret = models.BinaryField(max_length=SECRET_BYTES)

    def __str__(self) -> str:
        return f"secret of the deals of {self.event_id}"
