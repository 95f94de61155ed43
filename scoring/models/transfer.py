"""The books: accounts, transfers between them, and the fees of events among those.

Only the ledger writes transfers (`scoring.ledger.transfers`).
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from engine.settlement.settlement import Kind
from scoring.models.game import Game
from scoring.models.hand import Hand
from tournaments.core.language import translated_lazily
from tournaments.models import Club, Event, Player
from tournaments.models.choices import DetailedChoices


class EntryKind(DetailedChoices):
    """Purposes of a transfer, beside the chips of a hand (which are the engine's `Kind`).

    The details complete a sentence on a player, for those that the treasurer enters.
    """

    BUYIN = "BUYIN", translated_lazily(Kind.BUYIN.words)
    """Chips that a seat begins with, from the bank; and the money for them, into the pool."""
    ANTE = "ANTE", _("ante")
    """Money into the pool of a game in which the winner takes all (E8)."""
    REBUY = "REBUY", translated_lazily(Kind.REBUY.words)
    """Money for the chips that were bought again (Q22)."""
    JACKPOT = "JACKPOT", _("jackpot")
    """Between a game and the club's jackpot: a pot that was left, or that is drawn on."""
    RETURN = "RETURN", _("chips returned")
    """Chips that go back to the bank when a game is closed."""
    PAYOUT = "PAYOUT", translated_lazily(Kind.PAYOUT.words)
    """Money out of the pool: to a player, or to the club's fund (A11, E8, Q25, Q31)."""
    FEE = "FEE", _("owes the club a fee"), _("fee")
    """What the club charges a player."""
    ENTRY_FEE = "ENTRY_FEE", _("entry fee")
    """What an entrant of an event owes from check-in on (DEC-10)."""
    FEE_PAID = "FEE_PAID", _("entry fee paid")
    """An entrant paid that fee at the desk."""
    PRIZE = "PRIZE", _("has won a prize"), _("prize")
    """What a player gets from the club's fund."""
    RECEIVED = "RECEIVED", _("paid the club"), _("paid to the club")
    """A player paid the club, in cash or by bank."""
    PAID_OUT = "PAID_OUT", _("was paid by the club"), _("paid by the club")
    """The club paid a player, in cash or by bank."""
    BETWEEN = "BETWEEN", _("paid another player"), _("paid between players")
    """One player paid another to settle up."""
    WRITE_OFF = "WRITE_OFF", _("is let off what is open"), _("written off")
    """A balance that will never be paid is borne by the club's fund, or kept in it."""


class Holder(models.TextChoices):
    """Kinds of owners of an account."""

    SEAT = "seat", _("seat")
    POT = "pot", _("pot")
    BANK = "bank", _("bank")
    """Where chips come from and go to: what it lacks is what was bought."""
    POOL = "pool", _("pool of the game")
    """The money of one game, from the buy-ins to the payout."""
    PLAYER = "player", _("player")
    """What the club owes a player (or they the club, where it is less than nothing)."""
    TILL = "till", _("cash box")
    """The club's cash box: what it lacks is what is in it."""
    FUND = "fund", _("club's fund")
    JACKPOT = "jackpot", _("club's jackpot")


class LedgerAccount(models.Model):
    """An account in one unit: chips, or a currency in minor units. Its balance is its rows' sum.

    ``worth`` is what a chip of a club's jackpot is worth (`scoring.ledger.payouts.worth`), so that
    chips and their money stay together; it is empty for all other accounts.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="accounts")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="accounts")
    holder = models.CharField(max_length=8, choices=Holder)
    seat = models.PositiveSmallIntegerField(null=True)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="accounts")
    unit = models.CharField(max_length=5)
    worth = models.CharField(max_length=60, blank=True, default="", db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "holder", "unit"],
                condition=models.Q(game__isnull=False, seat__isnull=True),
                name="account_once_in_a_game",
            ),
            models.UniqueConstraint(
                fields=["game", "seat", "unit"],
                condition=models.Q(seat__isnull=False),
                name="account_once_for_a_seat",
            ),
            models.UniqueConstraint(
                fields=["club", "player", "unit"],
                condition=models.Q(player__isnull=False),
                name="account_once_for_a_player",
            ),
            models.UniqueConstraint(
                fields=["club", "holder", "unit", "worth"],
                condition=models.Q(game__isnull=True, player__isnull=True),
                name="account_once_in_a_club",
            ),
            models.CheckConstraint(
                condition=models.Q(holder="seat", seat__isnull=False, game__isnull=False)
                | (~models.Q(holder="seat") & models.Q(seat__isnull=True)),
                name="a_seat_is_in_a_game",
            ),
            models.CheckConstraint(
                condition=models.Q(holder="player", player__isnull=False, game__isnull=True)
                | (~models.Q(holder="player") & models.Q(player__isnull=True)),
                name="a_player_is_in_a_club",
            ),
            models.CheckConstraint(
                condition=models.Q(holder__in=Holder.values), name="account_holder_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.holder} ({self.unit})"


class Transfer(models.Model):
    """A whole positive amount from one account to another; never changed, never removed.

    A correction posts the opposite (``reverses``, at most once each) and then what is right.
    Both accounts are of one club and in one unit: the database refuses anything else.

    Its game, its hand and its accounts are kept by guards in place of foreign keys: they find all
    that the transfers of a statement speak of at once, and none of it is ever removed
    (`scoring/migrations/_triggers.py`).
    """

    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, null=True, related_name="transfers", db_constraint=False
    )
    hand = models.ForeignKey(
        Hand, on_delete=models.PROTECT, null=True, related_name="transfers", db_constraint=False
    )
    kind = models.CharField(max_length=10)
    payer = models.ForeignKey(
        LedgerAccount, on_delete=models.PROTECT, related_name="paid", db_constraint=False
    )
    payee = models.ForeignKey(
        LedgerAccount, on_delete=models.PROTECT, related_name="received", db_constraint=False
    )
    amount = models.BigIntegerField()
    reverses = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="reversed_by"
    )
    note = models.CharField(max_length=300, blank=True)
    by = models.CharField(max_length=60)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(amount__gt=0), name="a_transfer_is_positive"),
            models.CheckConstraint(
                condition=~models.Q(payer=models.F("payee")), name="nobody_pays_himself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}"


class EntryFee(models.Model):
    """A transfer of an event: a fee, a prize, a payment, or its reversal (DEC-10, DEC-14)."""

    transfer = models.OneToOneField(
        Transfer, on_delete=models.PROTECT, primary_key=True, related_name="entry_fee"
    )
    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="fee_rows")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="fee_rows")

    def __str__(self) -> str:
        return f"entry fee {self.transfer_id}"
