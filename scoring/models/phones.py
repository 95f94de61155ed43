"""Links and codes by which phones get to a table."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.models.game import Game
from tournaments.core.ids import new_id
from tournaments.models import Club, Event, Player


class PlayerPhone(models.Model):
    """The phone of a player, which follows them from table to table of one event.

    Somebody at the player's table said with it who they are. Only a digest of its token is kept;
    the token gets a seat link at each table where the player sits, and nothing else.
    ``replaced_at``: another phone follows this player since.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # The index of event and player begins with the event.
    event = models.ForeignKey(
        Event, on_delete=models.PROTECT, related_name="phones", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="phones")
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField()
    replaced_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["event", "player"])]

    def __str__(self) -> str:
        return f"phone {self.id}"


class SeatLink(models.Model):
    """The link behind a table's QR code: it lets a phone enter hands of one game.

    Only a digest of it is kept. ``seat`` None: the whole table; the phone then says which seat
    it speaks for. ``phone``: the one of a player, for whose seat at this table it speaks, wherever
    that is now.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="links")
    seat = models.PositiveSmallIntegerField(null=True)
    phone = models.ForeignKey(
        PlayerPhone, on_delete=models.PROTECT, null=True, related_name="links"
    )
    digest = models.CharField(max_length=64, unique=True)
    made_by = models.CharField(max_length=60)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"link {self.id}"


class TableCode(models.Model):
    """The code of a numbered table: it opens the game that is played there now.

    It is good for one event, or without one for every night of the club. Only digests are kept:
    of the token behind the QR code, and of the short code that somebody types.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    event = models.ForeignKey(Event, on_delete=models.PROTECT, null=True, related_name="codes")
    number = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64, unique=True)
    short_digest = models.CharField(max_length=64, unique=True)
    made_by = models.CharField(max_length=60)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "number"],
                condition=models.Q(revoked_at__isnull=True, event__isnull=False),
                name="one_open_code_a_table_of_an_event",
            ),
            models.UniqueConstraint(
                fields=["club", "number"],
                condition=models.Q(revoked_at__isnull=True, event__isnull=True),
                name="one_open_code_a_table_of_a_club",
            ),
            models.CheckConstraint(
                condition=models.Q(number__gte=1), name="coded_tables_count_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"code of table {self.number}"


class CallReason(models.TextChoices):
    """Reasons for which a table calls the director."""

    RULING = "ruling", _("A ruling")
    CORRECTION = "correction", _("A wrong hand to correct")
    ABSENCE = "absence", _("Somebody is missing or leaves")
    OTHER = "other", _("Something else")


class DirectorCall(models.Model):
    """The last call of a table of an event for its director; withdrawing it deletes it.

    ``seat`` is that of the phone; None for one that speaks for nobody. ``taken_at``: the director
    knows of it.
    """

    game = models.OneToOneField(
        Game, on_delete=models.CASCADE, primary_key=True, related_name="director_call"
    )
    seat = models.PositiveSmallIntegerField(null=True)
    reason = models.CharField(max_length=10, choices=CallReason)
    called_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(reason__in=CallReason.values), name="reason_of_a_call_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reason} at {self.game_id}"
