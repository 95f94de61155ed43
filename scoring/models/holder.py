from django.db import models


class Holder(models.TextChoices):
    """Kinds of owners of an account."""

    SEAT = "seat"
    POT = "pot"
    BANK = "bank"
    """Where chips come from and go to: what it lacks is what was bought."""
    POOL = "pool"
    """The money of one game, from the buy-ins to the payout."""
    PLAYER = "player"
    """What the club owes a player (or they the club, where it is less than nothing)."""
    TILL = "till"
    """The club's cash box: what it lacks is what is in it."""
    FUND = "fund"
    JACKPOT = "jackpot"
