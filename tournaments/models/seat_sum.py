from django.db import models

from tournaments.models.event import Entry, Event
from tournaments.models.player import Player
from tournaments.models.round import TableGame


class SeatSum(models.Model):
    """What somebody came to in one seat of a game of an event, kept in step with its results.

    It is written in their transaction, under the lock of the game (`tournaments.kept`). ``score``
    is the sum of theirs, ``hands`` their number, ``clean_hands`` those without a pain card;
    ``entry`` is whose the seat is, whoever sat in it.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="+")
    game = models.ForeignKey(TableGame, on_delete=models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+", null=True)
    score = models.BigIntegerField()
    hands = models.PositiveIntegerField()
    clean_hands = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "seat", "player"], name="one_sum_of_a_player_in_a_seat"
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.score} in {self.hands} hands"
