"""Settling up after a night: what each player owes or gets, and that it was paid (DEC-14).

Fee, chips, prize and what other nights left open are netted to one amount for each player, which is
paid with the cash box. Amounts are minor units; below zero, the player owes.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from scoring.games.fees import (
    pay_open_fees,
    post_payment,
    post_prize,
    standing_transfers,
    take_back_fee,
)
from scoring.games.money import reverse_money
from scoring.games.night_end import (
    NightPrizes,
    build_accounts,
    find_entries,
    read_night_prizes,
)
from scoring.games.night_sheets import NightAccounts, open_amounts
from scoring.ledger.transfers import Stamp, transfers_of_players
from scoring.models import EntryKind
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.events.events import OVER, fee_due, lock, lock_with_club, note
from tournaments.models import Entry, Event, Player, Status

Amounts = Mapping[tuple[UUID, str], int]
"""Open amounts by player and currency."""
PAID: Final = Message("settled up: paid to the club")
PAID_OUT: Final = Message("settled up: paid out by the club")
EVEN: Final = Message("settled up: nothing to hand over")
TAKEN_BACK: Final = Message("payment taken back")
"""Entries of the trail."""
_CASH: Final = (EntryKind.FEE_PAID, EntryKind.RECEIVED, EntryKind.PAID_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementLine:
    """One player's part of a night in one currency, and what of it is open now.

    ``fee`` is what of the entry fee is not paid, ``fee_paid`` what is; ``others`` is what other
    nights and single entries left open, ``paid`` what this night's payments beside the fee settled,
    ``written_off`` what of this night will never be paid. ``is_booked``: the prize is in the books,
    and the entry fee is marked as paid.
    """

    player: UUID
    fee: int
    fee_paid: int
    chips: int
    prize: int
    others: int
    paid: int
    written_off: int
    is_booked: bool

    @property
    def amount(self) -> int:
        """The open amount: below zero they owe it, above zero they get it."""
        own = self.fee + self.chips + self.prize + self.paid + self.written_off
        return own + self.others

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to be handed over or booked."""
        return not self.amount and self.is_booked


@dataclass(frozen=True, slots=True, kw_only=True)
class NightSettlement:
    """The settlement of a night in one currency.

    Cash in the box, what is still to come in and to be paid out, and what stays with the club come
    to zero together: `left_over`.
    """

    sheet: NightAccounts
    lines: tuple[SettlementLine, ...]

    @property
    def cash(self) -> int:
        """The cash that this night has put into the box."""
        return -self.sheet.till

    @property
    def to_come_in(self) -> int:
        """The sum that players still owe."""
        return -sum(line.amount for line in self.lines if line.amount < 0)

    @property
    def to_pay_out(self) -> int:
        """The sum that players still get."""
        return sum(line.amount for line in self.lines if line.amount > 0)

    @property
    def of_other_nights(self) -> int:
        """The part of it that belongs to other nights; below zero, players bring it."""
        return sum(line.others for line in self.lines)

    @property
    def left_over(self) -> int:
        """The rest for nobody once everything is paid: zero, or the books are wrong."""
        stays = self.sheet.fund + self.sheet.jackpot + self.sheet.pool
        return self.cash + self.to_come_in - self.to_pay_out - stays + self.of_other_nights


@dataclass(frozen=True, slots=True, kw_only=True)
class NightBooks:
    """How an event is settled, by currency, with its prizes and its entries by player."""

    settlements: tuple[NightSettlement, ...]
    prizes: NightPrizes
    entries: Mapping[UUID, Entry]


def read_night_books(event: Event) -> NightBooks:
    """Return how an event is settled. About twelve queries, and perhaps a ranking."""
    prizes = read_night_prizes(event)
    entries = find_entries(event, prizes.merged)
    fees = Counter[UUID]()
    for row in standing_transfers(event, EntryKind.FEE_PAID):
        fees[prizes.merged.get(row.player_id, row.player_id)] += row.transfer.amount
    open_fees = {
        player for player, entry in entries.items() if fee_due(event, entry) > entry.fee_paid
    }
    found = []
    for sheet in build_accounts(event, prizes, is_current=True):
        is_own = sheet.currency == event.club.currency
        lines = []
        for line in sheet.lines:
            parts = line.parts
            fee_paid = fees[line.player] if is_own else 0
            fee = parts.fees + fee_paid
            is_open = line.player in prizes.unbooked or (fee < 0 and line.player in open_fees)
            lines.append(
                SettlementLine(
                    player=line.player,
                    fee=fee,
                    fee_paid=fee_paid,
                    chips=parts.buy_ins + parts.rebuys + parts.payouts,
                    prize=parts.prizes,
                    others=line.carried,
                    paid=parts.paid - fee_paid,
                    written_off=parts.written_off,
                    is_booked=not (is_own and is_open),
                )
            )
        found.append(NightSettlement(sheet=sheet, lines=tuple(lines)))
    return NightBooks(settlements=tuple(found), prizes=prizes, entries=entries)


@transaction.atomic
def settle_up(*, event_id: UUID, seen: Amounts, by: Actor, at: datetime) -> Amounts:
    """Book that players paid or got what is open, with their fee and prize; return what was booked.

    ``seen`` are the amounts that somebody saw and confirms, also that nothing is to be handed over:
    prize and fee are booked then. Their fees of other nights are marked as paid, too. Who has
    settled is left out, so that repeating it changes nothing.

    Raises RefusedError: still played, a prize before the results are official, another amount open
    by now; NotThereError for somebody who is not on the sheet.
    """
    event = lock_with_club(event_id)
    if event.status not in OVER:
        raise RefusedError(Message("Settle up once the playing is over."), "status")
    books = read_night_books(event)
    lines = {
        (line.player, one.sheet.currency): line for one in books.settlements for line in one.lines
    }
    if not seen.keys() <= lines.keys():
        raise NotThereError
    chosen = {key: lines[key].amount for key in seen if not lines[key].is_settled}
    if any(seen[key] != amount for key, amount in chosen.items()):
        words = Message("The amounts have changed since you saw them. Please look at them again.")
        raise RefusedError(words, "seen")
    currency, stamp = event.club.currency, Stamp(by, at)
    own = [player for player, unit in chosen if unit == currency]
    for player in own:
        if player in books.prizes.unbooked:
            if event.status != Status.OFFICIAL:
                words = Message("Prizes are paid out once the results are official.")
                raise RefusedError(words, "status")
            post_prize(event, books.entries[player], books.prizes.won.get(player, 0), stamp)
    pay_open_fees(event.club, own, by, at)
    # Read once all prizes and fees are in the books: the rest is handed over.
    left = open_amounts(event.club_id)
    players = Player.objects.in_bulk([player for player, _unit in chosen])
    for (player, unit), amount in chosen.items():
        post_payment(event, players[player], left.get((player, unit), 0), stamp, unit)
        words = PAID if amount < 0 else PAID_OUT if amount else EVEN
        _note(event, words, (player, unit), amount, stamp)
    return chosen


@transaction.atomic
def take_back_payment(
    *, event_id: UUID, player: UUID, currency: str, by: Actor, at: datetime
) -> int | None:
    """Take back what a player paid or got last in an event; return it, None if nothing was to be.

    All that was booked in that moment is one payment, fees of other nights too. What is open again
    cannot be taken back once more. Above zero, they had paid.
    """
    event = lock_with_club(event_id)
    books = read_night_books(event)
    is_open = any(
        not line.is_settled and line.player == player and one.sheet.currency == currency
        for one in books.settlements
        for line in one.lines
    )
    own = [player, *(one for one, into in books.prizes.merged.items() if into == player)]
    rows = transfers_of_players(event.club, own, currency, _CASH)
    last = rows.filter(entry_fee__event=event).order_by("at").last()
    if is_open or last is None:
        return None
    taken, stamp = 0, Stamp(by, at)
    for row in rows.filter(at=last.at).select_related("entry_fee"):
        taken += row.amount * (-1 if row.kind == EntryKind.PAID_OUT else 1)
        if hasattr(row, "entry_fee"):
            lock(row.entry_fee.event_id)
            take_back_fee(row, stamp)
        else:
            reverse_money(
                club_id=event.club_id,
                entry=row.pk,
                why=row.note or TAKEN_BACK.template,
                by=by,
                at=at,
            )
    _note(event, TAKEN_BACK, (player, currency), taken, stamp)
    return taken


def _note(event: Event, what: Message, key: tuple[UUID, str], amount: int, stamp: Stamp) -> None:
    details = {"player": key[0], "amount": abs(amount), "currency": key[1]}
    note(event, AuditRecord(what, details=details), stamp.by, stamp.at)
