"""Replies of members to the invitation to an event, and how many have to come."""

from datetime import datetime
from uuid import UUID, uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.core.ids import new_id
from tournaments.models.event import Event
from tournaments.models.leased_row import LeasedRow
from tournaments.models.limits import REASON_MAX
from tournaments.models.player import Player


class Reply(models.TextChoices):
    """Replies to the question whether somebody comes, as the desk reads them."""

    COMES = "comes", _("comes")
    PERHAPS = "perhaps", _("perhaps")
    NOT = "not", _("does not come")


class EventReply(LeasedRow):
    """The link of a member with which they say whether they come to an event, and what they said.

    ``reply`` is empty until they did. The token of the link is made of ``nonce`` with the key of
    the installation; its digest is kept. A worker sends it by e-mail when it is due, in
    ``language`` and to the pages at ``site``; ``asked_at`` is when that was last wanted.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="replies")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="replies")
    nonce: "models.UUIDField[UUID, UUID]" = models.UUIDField(default=uuid4, editable=False)
    digest = models.CharField(max_length=64, unique=True)
    reply = models.CharField(max_length=7, choices=Reply, blank=True)
    replied_at = models.DateTimeField(null=True)
    made_at = models.DateTimeField()
    asked_at = models.DateTimeField(null=True)
    language = models.CharField(max_length=10, blank=True)
    site = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name_plural = "event replies"
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="a_member_replies_once"),
            models.CheckConstraint(
                condition=models.Q(reply__in=["", *Reply.values]), name="reply_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(reply="") ^ models.Q(replied_at__isnull=False),
                name="a_reply_has_its_time",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(due_at__isnull=False),
                name="reply_is_asked_for",
            )
        ]

    def __str__(self) -> str:
        return f"reply of {self.player_id}"

    @property
    def ends_at(self) -> datetime:
        """When the link takes no reply any more: the event begins."""
        return self.event.starts_at


class Quorum(LeasedRow):
    """The number of players who have to say by ``until`` that they come to an event.

    If they are too few then, the desk calls it off; by itself only where ``cancel_reason`` was
    given beforehand, which everybody reads then.
    """

    event = models.OneToOneField(
        Event, on_delete=models.CASCADE, primary_key=True, related_name="quorum"
    )
    least = models.PositiveSmallIntegerField(_("How many are needed?"))
    until = models.DateTimeField(_("By when?"))
    cancel_reason = models.CharField(max_length=REASON_MAX, blank=True)

    class Meta:
        verbose_name_plural = "quorums"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(least__gte=1), name="a_quorum_needs_somebody"
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(due_at__isnull=False),
                name="quorum_is_due",
            )
        ]

    def __str__(self) -> str:
        return f"{self.least} for {self.event_id}"
