"""Results of seats that standings are made of, and mails of the results of a night."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.core.ids import new_id
from tournaments.models.event import Event
from tournaments.models.league import League
from tournaments.models.leased_row import LeasedRow
from tournaments.models.player import Player
from tournaments.models.round import TableGame


class Result(models.Model):
    """One seat's result of one hand: derived from the records, written by scoring alone.

    ``player`` is who sat there. ``score`` are the chips won or lost (rebuys left out), or penalty
    points. What a record does not tell is null: ``taken`` pain cards, the ``bid`` that won and
    the ``second`` highest, ``insured``. ``to_dealer`` counts seats from the eldest hand (0) to the
    dealer (size - 1); ``from_namer`` seats to the left of the bid-winner (0: this seat). ``pot`` is
    what the hand was played for, ``won`` what this seat had of it, shared by ``sharers``.
    ``counts``: whether the hand is one of those of a round (DEC-4); chips that moved count anyway.
    ``fits``: whether the cards were those of the ``board``, where the record tells; where a table
    tells the deal, ``dealt`` are the cards, as `Board` has them, and it can be told later.
    ``worth``: what the seat's cards were worth (`engine.analysis.worth`), where all are on record.
    """

    # The index of one_result_a_seat begins with the game.
    game = models.ForeignKey(
        TableGame, on_delete=models.PROTECT, related_name="results", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="results")
    score = models.IntegerField()
    taken = models.PositiveSmallIntegerField(null=True)
    whole = models.PositiveSmallIntegerField(default=13)
    queen = models.BooleanField(null=True)
    to_dealer = models.PositiveSmallIntegerField()
    from_namer = models.PositiveSmallIntegerField(null=True)
    bid = models.PositiveIntegerField(null=True)
    second = models.PositiveIntegerField(null=True)
    own_bid = models.PositiveIntegerField(null=True)
    pain = models.CharField(max_length=1, blank=True)
    pot = models.IntegerField(default=0)
    won = models.IntegerField(default=0)
    sharers = models.PositiveSmallIntegerField(default=0)
    jackpot = models.BooleanField(default=False)
    insured = models.PositiveSmallIntegerField(null=True)
    foot = models.BooleanField(default=False)
    played = models.BooleanField(default=True)
    counts = models.BooleanField(default=True, db_default=True)
    board = models.PositiveSmallIntegerField(null=True)
    fits = models.BooleanField(null=True)
    dealt = models.CharField(max_length=300, blank=True, default="", db_default="")
    worth = models.IntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number", "seat"], name="one_result_a_seat"),
        ]

    def __str__(self) -> str:
        return f"hand {self.number}, seat {self.seat}"


class MailKind(models.TextChoices):
    """Kinds of e-mails to those of a club who want its mails, and the question whether they do."""

    QUESTION = "question", _("Does the owner of the address want them?")
    RESULT = "result", _("Result of a night")
    REMINDER = "reminder", _("Tomorrow is a night")
    CANCELLED = "cancelled", _("A night is called off")
    REINSTATED = "reinstated", _("A night takes place after all")
    MOVED = "moved", _("A night is moved")
    ADJOURNED = "adjourned", _("A table is finished another day")
    RESUMED = "resumed", _("A table plays on after all")
    AMENDED = "amended", _("An official result was amended")
    DIVISION = "division", _("Up or down at the end of a season")


class ResultMail(LeasedRow):
    """An e-mail about an event or a league for one player; a worker sends it once.

    ``about`` tells mails of a kind apart, so that nobody is told the same twice: the day that is
    reminded of, the moment at which the schedule changed, the table and the moment at which its day
    was decided, the version that is official, the division. ``asked_digest`` is that of the address
    which is asked (`MailKind.QUESTION`).

    In ``language``, with links to the pages at ``site``; ``has_money``: it says who pays whom.
    ``sent_at`` is written before the mail server is given it, so that nobody gets it twice.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(
        max_length=10, choices=MailKind, default=MailKind.RESULT, db_default="result"
    )
    about = models.CharField(max_length=64, blank=True, default="", db_default="")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, related_name="+")
    league = models.ForeignKey(League, on_delete=models.CASCADE, null=True, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    asked_digest = models.CharField(max_length=32, blank=True, default="", db_default="")
    language = models.CharField(max_length=10, blank=True)
    site = models.CharField(max_length=300)
    has_money = models.BooleanField()
    made_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "player", "kind", "about"], name="a_mail_of_an_event_once"
            ),
            models.UniqueConstraint(
                fields=["league", "player", "kind", "about"], name="a_mail_of_a_league_once"
            ),
            models.UniqueConstraint(
                fields=["player"],
                condition=models.Q(kind="question"),
                name="a_player_is_asked_once",
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=MailKind.values), name="kind_of_mail_is_known"
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(due_at__isnull=False),
                name="result_mail_is_due",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.player_id}"
