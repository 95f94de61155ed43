"""Score slips that were read from pictures, and the pictures until they are read."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.models.hand import Hand
from tournaments.core.ids import new_id
from tournaments.core.text_fields import MessageField, MessagesField
from tournaments.models import Event, LeasedRow, Table


class SlipPicture(LeasedRow):
    """A picture of slips of an event, or the work to read it.

    ``digest`` is the SHA-256 of the file: the same file again is the same picture. ``original`` is
    the file until it is read, at most `scoring.slips.intake.WAITING_MAX`, and None from then on:
    nothing of what a camera adds (time, place, model) is kept. ``problems`` are what in it could
    not be read, each a sentence. ``read_at`` is None while it waits.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # The index of picture_of_slips_once begins with the event.
    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="slip_pictures", db_index=False
    )
    digest = models.CharField(max_length=64)
    original = models.BinaryField(null=True)
    problems = MessagesField(default=list)
    by = models.CharField(max_length=60)
    taken_in_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "picture of slips"
        verbose_name_plural = "pictures of slips"
        constraints = [
            models.UniqueConstraint(fields=["event", "digest"], name="picture_of_slips_once"),
        ]
        indexes = [models.Index(fields=["due_at"], name="slip_picture_due")]

    def __str__(self) -> str:
        return f"picture {self.digest[:8]}"


class SlipState(models.TextChoices):
    """The states of a slip that was read."""

    READ = "read", pgettext_lazy("a score slip", "to be looked at")
    ACCEPTED = "accepted", pgettext_lazy("a score slip", "recorded")
    ASIDE = "set aside", _("set aside")
    FOREIGN = "not ours", _("not a slip of this night")


class Slip(models.Model):
    """A slip as it was read, what somebody changed of it, and what became of it.

    ``code`` is what its codes say; ``table`` and ``number`` the hand that it is for. They are None
    where that is not known (yet): a slip of another night, of tables that were drawn anew, or a
    blank one on which no hand is marked. ``reason`` says why it is not ours or was set aside.

    ``marks`` are all circles as they were read, by row and value: the `Mark` and the darkness in
    thousandths. ``changes`` are the values that somebody gave to rows instead, None for no mark.
    What they come to is not stored: it depends on the game too (`scoring.slips.interpretation`).
    ``revision`` goes up with every change; an editor names the one that they saw.

    ``crop`` is the slip cut out of the picture, straightened and grey, as JPEG. It is deleted when
    the results of the event cannot be corrected any more, and when somebody who sat at the table is
    erased: people sign slips. ``hand`` is the record that it became.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="slips")
    picture = models.ForeignKey(
        SlipPicture, on_delete=models.SET_NULL, null=True, related_name="slips"
    )
    table = models.ForeignKey(Table, on_delete=models.SET_NULL, null=True, related_name="slips")
    number = models.PositiveSmallIntegerField(null=True)
    code = models.CharField(max_length=200)
    state = models.CharField(max_length=9, choices=SlipState, default=SlipState.READ)
    reason = MessageField(blank=True)
    marks = models.JSONField(default=dict)
    changes = models.JSONField(default=dict)
    crop = models.BinaryField(null=True)
    revision = models.PositiveIntegerField(default=1)
    hand = models.ForeignKey(Hand, on_delete=models.SET_NULL, null=True, related_name="slips")
    read_at = models.DateTimeField()
    decided_by = models.CharField(max_length=60, blank=True)
    decided_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "score slip"
        verbose_name_plural = "score slips"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=SlipState.values), name="slip_state_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"slip of hand {self.number}"
