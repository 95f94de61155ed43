"""Names that pages and tables have for states of hands, kinds of bookings and accounts."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from engine.settlement.settlement import Kind
from scoring.models import Certainty, EntryKind, Holder, State

Words = Mapping[str, object]

STATES: Final[Words] = {
    State.DRAFT: _("not finished"),
    State.ACCEPTED: _("accepted"),
    State.DISPUTED: _("disputed"),
    State.RULED: _("ruled"),
    State.VOID: _("void"),
    State.PASSED_OUT: _("passed out"),
    State.FOOT: _("cancelled by a foot"),
    State.NOT_PLAYED: _("not played"),
    State.TAKEN_BACK: _("taken back"),
}
CERTAINTIES: Final[Words] = {
    Certainty.PROVISIONAL: _("provisional"),
    Certainty.CONFIRMED: _("confirmed"),
    Certainty.OFFICIAL: _("official"),
}
BOOKINGS: Final[Words] = {
    Kind.BUYIN: _("buy-in"),
    Kind.REBUY: _("rebuy"),
    Kind.BID: _("bid"),
    Kind.CAPTURE: _("cards taken"),
    Kind.AWARD: _("wins the pot"),
    Kind.PENALTY: _("penalty"),
    Kind.ADJUST: _("adjustment"),
    Kind.PAYOUT: _("payout"),
    EntryKind.ANTE: _("ante"),
    EntryKind.JACKPOT: _("jackpot"),
    EntryKind.RETURN: _("chips returned"),
    EntryKind.FEE: _("fee"),
    EntryKind.ENTRY_FEE: _("entry fee"),
    EntryKind.FEE_PAID: _("entry fee paid"),
    EntryKind.PRIZE: _("prize"),
    EntryKind.RECEIVED: _("paid to the club"),
    EntryKind.PAID_OUT: _("paid by the club"),
    EntryKind.BETWEEN: _("paid between players"),
    EntryKind.WRITE_OFF: _("written off"),
}
"""What a transfer in the books is for."""
HOLDERS: Final[Words] = {
    Holder.SEAT: _("seat"),
    Holder.POT: _("pot"),
    Holder.BANK: _("bank"),
    Holder.POOL: _("pool of the game"),
    Holder.PLAYER: _("player"),
    Holder.TILL: _("cash box"),
    Holder.FUND: _("club's fund"),
    Holder.JACKPOT: _("club's jackpot"),
}
"""Whose an account is."""
PARTS: Final[Words] = {
    "buy_ins": _("Buy-ins"),
    "rebuys": _("Rebuys"),
    "payouts": _("Payouts"),
    "fees": _("Fees"),
    "prizes": _("Prizes"),
    "paid": _("Paid"),
    "written_off": _("Let off"),
}
"""What a balance is made of (`scoring.games.night_sheets.Parts`)."""
