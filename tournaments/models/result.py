from django.db import models

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

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number", "seat"], name="one_result_a_seat"),
        ]

    def __str__(self) -> str:
        return f"hand {self.number}, seat {self.seat}"
