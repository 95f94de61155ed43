from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.core.ids import new_id
from tournaments.models import Club, Player, RuleSet, Table
from tournaments.models.choices import DetailedChoices


class Phase(DetailedChoices):
    """The progress of a game; ``over`` is an end by the rules, ``closed`` the director's word.

    The details are for public pages, labels for badges at the desk.
    """

    OPEN = "open", _("being played"), "Open"
    OVER = "over", _("over by the rules"), "Over"
    CLOSED = "closed", _("closed"), "Closed"
    OFFICIAL = "official", _("official"), "Official"


class PresentGames(models.Manager["Game"]):
    """Games without those that were removed again."""

    def get_queryset(self) -> "models.QuerySet[Game]":
        """Leave out what came with an import that was undone."""
        return super().get_queryset().filter(removed_at=None)


class Game(models.Model):
    """The hands that the same seats play in sequence, sharing chips and pot.

    ``table`` is that of an event's round, if it is one. Whoever writes to a game, its hands,
    rulings or books locks this row first (docs/locks.md).
    ``rules`` are all switches as JSON of the engine, frozen with the first hand together with
    their ``digest``. ``state`` is what the next hand inherits, after every hand that was entered
    (`scoring.models.states`); ``booked`` counts the hands that stand in the books: the first
    that is still open to a decision, and all after it, are not among them yet. ``counted`` are
    those of its ``hands`` that are hands of a round (DEC-4). ``boards_alike``: each prepared
    board begins in the same state at every table (DEC-6). ``version`` goes up with every change.
    ``old_law`` is True of games that were begun before 0.2.0 (Q68): whoever cannot pay
    there buys in again automatically (before DEC-9), and an odd unit of money may leave a
    kept pot (before DEC-11).
    ``removed_at``: it came with an import that was undone. It stays as the books speak of it, with
    all its transfers taken back; it has no results, is part of no event, and ``objects`` leaves it
    out, so that nothing finds, lists or counts it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="games")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, null=True, related_name="played")
    name = models.CharField(max_length=200)
    rule_set = models.ForeignKey(RuleSet, on_delete=models.PROTECT, null=True, related_name="games")
    rules = models.TextField()
    digest = models.CharField(max_length=64)
    frozen_at = models.DateTimeField(null=True)
    keeps_jackpot = models.BooleanField(default=False)
    old_law = models.BooleanField(null=True)
    confirming = models.CharField(max_length=8)
    players = models.PositiveSmallIntegerField()
    start = models.TextField()
    state = models.TextField()
    hands = models.PositiveIntegerField(default=0)
    booked = models.PositiveIntegerField(default=0)
    counted = models.PositiveIntegerField(default=0, db_default=0)
    boards_alike = models.BooleanField(default=False, db_default=False)
    phase = models.CharField(max_length=8, choices=Phase, default=Phase.OPEN)
    version = models.PositiveIntegerField(default=1)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    removed_at = models.DateTimeField(null=True)

    # The first manager is the one that relations, bundles and the admin use: they see all games.
    all_objects = models.Manager["Game"]()
    objects = PresentGames()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(players__gte=3, players__lte=6), name="three_to_six_play"
            ),
            models.CheckConstraint(
                condition=models.Q(booked__lte=models.F("hands")), name="booked_hands_were_played"
            ),
            models.CheckConstraint(
                condition=models.Q(phase__in=Phase.values), name="game_phase_is_known"
            ),
        ]
        indexes = [models.Index(fields=["club", "opened_at"])]

    def __str__(self) -> str:
        return self.name


class Sitting(models.Model):
    """A player in a seat, from one hand to another (both counted in); ``last`` None: still there.

    Chips, debts, a used foot and the right to name belong to the seat, never to who sits in it.
    ``is_entrant``: the one who entered for this seat; others are their substitutes.
    """

    # The index of one_player_begins_in_a_seat begins with the game.
    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, related_name="sittings", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="sittings")
    first = models.PositiveIntegerField(default=1)
    last = models.PositiveIntegerField(null=True)
    is_entrant = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "seat", "first"], name="one_player_begins_in_a_seat"
            ),
            models.UniqueConstraint(
                fields=["game", "seat"],
                condition=models.Q(last__isnull=True),
                name="one_player_sits_in_a_seat",
            ),
            models.UniqueConstraint(
                fields=["game", "player"],
                condition=models.Q(last__isnull=True),
                name="a_player_sits_in_one_seat",
            ),
            models.CheckConstraint(
                condition=models.Q(last__isnull=True) | models.Q(last__gte=models.F("first")),
                name="a_sitting_ends_after_it_began",
            ),
            models.CheckConstraint(condition=models.Q(seat__lt=6), name="a_sitting_has_a_seat"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} from hand {self.first}"
