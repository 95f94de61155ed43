"""Entry fees: owed from check-in on, ticked as paid at the desk, all of it in the books (DEC-10).

A fee is a transfer from the player to the club's fund, its payment one from the till to the player.
What changes is reversed and posted anew. Who books or takes back a payment holds the locks of the
club and then of the event; who changes what is owed holds that of the event.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from engine.core.messages import Message
from scoring.ledger import transfers
from scoring.ledger.result_credit import survivor
from scoring.ledger.transfers import BookEntry, Move, Stamp
from scoring.models import EntryFee, EntryKind, Holder
from scoring.selectors import queries
from tournaments import selectors
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.events.events import fee_due, lock_with_club, note
from tournaments.models import Club, Entry, Event, Player, Status

PAID: Final = Message("fee paid")
NOT_PAID: Final = Message("fee not paid")
"""Entries of the trail, with which `verify` compares the books."""


@dataclass(frozen=True, slots=True)
class FeeLine:
    """The fee that an entry owes, and what is paid of it, in minor units of the club's currency."""

    entry: Entry
    due: int
    paid: int

    @property
    def left(self) -> int:
        """The part of the fee that is open."""
        return max(self.due - self.paid, 0)

    @property
    def is_paid(self) -> bool:
        """Whether nothing of the fee is open."""
        return self.paid >= self.due


def list_fees(event: Event) -> list[FeeLine]:
    """List the entries that owe the entry fee of an event, by number. One query."""
    rows = selectors.entries(event).order_by("number")
    lines = (FeeLine(row, fee_due(event, row), row.fee_paid) for row in rows)
    return [line for line in lines if line.due or line.paid]


@transaction.atomic
def mark_fee(*, event_id: UUID, entry_id: UUID, paid: bool, by: Actor, at: datetime) -> Entry:
    """Mark an entry fee as paid or unpaid. Repeating it changes nothing.

    Raises NotThereError, and RefusedError where nothing is owed.
    """
    event = lock_with_club(event_id)
    entry = selectors.entries(event).filter(pk=entry_id).first()
    if entry is None:
        raise NotThereError
    due, stamp = fee_due(event, entry), Stamp(by, at)
    if paid and not due:
        raise RefusedError(Message("Nothing is owed: the fee is owed from check-in on."), "paid")
    charge_fees(event, [entry], by, at)
    received = _standing(event, entry, EntryKind.FEE_PAID)
    amount = sum(row.amount for row in received)
    if paid:
        # A fee that was raised since is paid in full by a second payment.
        amount = due - amount
        if amount <= 0:
            return entry
        _post(event, entry.player, EntryKind.FEE_PAID, amount, stamp)
    else:
        if not received:
            return entry
        _reverse(event, entry.player, received, stamp)
    _keep_paid(event, entry)
    details = {"entry": entry.pk, "player": entry.player_id, "amount": amount}
    what = PAID if paid else NOT_PAID
    note(event, AuditRecord(what, details=details), by, at)
    return entry


@transaction.atomic
def mark_fees(*, event_id: UUID, seen: Mapping[UUID, int], by: Actor, at: datetime) -> int:
    """Mark the entry fees as paid that somebody saw as open, by entry; return how many were.

    Who has paid since or owes nothing any more is left out. Raises RefusedError where another
    amount is open by now.
    """
    event = lock_with_club(event_id)
    lines = [line for line in list_fees(event) if line.left and line.entry.pk in seen]
    if any(line.left != seen[line.entry.pk] for line in lines):
        words = Message("The amounts have changed since you saw them. Please look at them again.")
        raise RefusedError(words, "seen")
    for line in lines:
        mark_fee(event_id=event_id, entry_id=line.entry.pk, paid=True, by=by, at=at)
    return len(lines)


def pay_open_fees(
    club: Club, players: Collection[UUID], by: Actor, at: datetime, most: int | None = None
) -> int:
    """Mark every entry fee that players still owe in a club as paid; return the sum of these.

    With ``most``, the oldest fees first, and none beyond that sum.
    For who settles all that is open: their fees are part of it, and nobody ticks them once more. A
    duplicate's fees are those of who they turned out to be. The caller holds the lock of the club.
    """
    merged = queries.survivors(club.pk)
    own = [*players, *(one for one, into in merged.items() if into in players)]
    signs = {EntryKind.ENTRY_FEE: 1, EntryKind.FEE_PAID: -1}
    rows = EntryFee.objects.filter(
        event__club=club,
        player__in=own,
        transfer__kind__in=signs,
        transfer__payer__unit=club.currency,
        transfer__reverses=None,
        transfer__reversed_by=None,
    )
    owed = Counter[tuple[UUID, UUID]]()
    for row in rows.select_related("transfer"):
        sign = signs[EntryKind(row.transfer.kind)]
        owed[row.event_id, row.player_id] += sign * row.transfer.amount
    events = {event for (event, _player), amount in owed.items() if amount > 0}
    entries = Entry.objects.filter(event__in=events, player__in=own).select_related("event")
    paid = 0
    for entry in entries.order_by("event__starts_at", "event", "number"):
        left = fee_due(entry.event, entry) - entry.fee_paid
        # A fee that is not in the books yet is no part of what is settled.
        is_owed = 0 < left == owed[entry.event_id, entry.player_id]
        if is_owed and (most is None or paid + left <= most):
            mark_fee(event_id=entry.event_id, entry_id=entry.pk, paid=True, by=by, at=at)
            paid += left
    return paid


def post_prize(event: Event, entry: Entry, amount: int, stamp: Stamp) -> None:
    """Let the books say that a player won so much in an event, whatever was paid of it."""
    _reverse(event, entry.player, _standing(event, entry, EntryKind.PRIZE), stamp)
    if amount:
        _post(event, entry.player, EntryKind.PRIZE, amount, stamp)


def post_payment(event: Event, player: Player, amount: int, stamp: Stamp, unit: str = "") -> None:
    """Post that the club paid a player so much in cash; below zero, that they paid the club.

    ``unit`` is the currency, if it is not the club's.
    """
    if amount:
        kind = EntryKind.PAID_OUT if amount > 0 else EntryKind.RECEIVED
        _post(event, player, kind, abs(amount), stamp, unit)


def charge_fees(event: Event, entries: Sequence[Entry], by: Actor, at: datetime) -> None:
    """Post what entries owe now: nothing before check-in, the fee after it."""
    if not event.entry_fee and not EntryFee.objects.filter(event=event).exists():
        return
    stamp = Stamp(by, at)
    for entry in entries:
        due, charged = fee_due(event, entry), _standing(event, entry, EntryKind.ENTRY_FEE)
        if sum(row.amount for row in charged) != due:
            _reverse(event, entry.player, charged, stamp)
            if due:
                _post(event, entry.player, EntryKind.ENTRY_FEE, due, stamp)
        _keep_paid(event, entry)


def bring_fee(
    event: Event, player: Player, kind: EntryKind, amount: int, *, unit: str, stamp: Stamp
) -> BookEntry:
    """Book what an archive says of a fee, a prize or a payment, at the moment of the ``stamp``.

    The caller holds the lock of the event.
    """
    row = _post(event, player, kind, amount, stamp, unit)
    for entry in event.entries.filter(player=player):
        _keep_paid(event, entry)
        if kind is EntryKind.FEE_PAID:
            details = {"entry": entry.pk, "player": entry.player_id, "amount": amount}
            note(event, AuditRecord(PAID, details=details), stamp.by, stamp.at)
    return row


def take_back_fee(row: BookEntry, stamp: Stamp) -> None:
    """Take back one fee, prize or payment of an event. The caller holds the lock of the event."""
    fee = EntryFee.objects.select_related("event", "player").get(transfer=row)
    rows = transfers.reverse([row], stamp=stamp)
    EntryFee.objects.bulk_create(
        EntryFee(transfer=row, event=fee.event, player=fee.player) for row in rows
    )
    for entry in fee.event.entries.filter(player=fee.player):
        _keep_paid(fee.event, entry)
        if row.kind == EntryKind.FEE_PAID:
            details = {"entry": entry.pk, "player": entry.player_id, "amount": row.amount}
            note(fee.event, AuditRecord(NOT_PAID, details=details), stamp.by, stamp.at)


def standing_transfers(event: Event, *kinds: EntryKind) -> QuerySet[EntryFee]:
    """The transfers of an event's fees and prizes that hold, of some kinds. One query."""
    rows = EntryFee.objects.filter(
        event=event,
        transfer__kind__in=kinds,
        transfer__reverses=None,
        transfer__reversed_by=None,
    )
    return rows.select_related("transfer").order_by("pk")


def _standing(event: Event, entry: Entry, kind: EntryKind) -> list[BookEntry]:
    """The transfers of an entry's fee that hold. One query."""
    rows = standing_transfers(event, kind).filter(player=entry.player_id)
    return [row.transfer for row in rows]


def _post(
    event: Event, player: Player, kind: EntryKind, amount: int, stamp: Stamp, unit: str = ""
) -> BookEntry:
    """Post a fee, a prize or a payment; the fund owes prizes, the till has the cash."""
    club = event.club
    unit = unit or club.currency
    mine = transfers.player_account(survivor(player), unit).pk
    holder = Holder.FUND if kind in (EntryKind.ENTRY_FEE, EntryKind.PRIZE) else Holder.TILL
    theirs = transfers.club_account(club, holder, unit).pk
    if kind in (EntryKind.ENTRY_FEE, EntryKind.PAID_OUT):
        move = Move(kind, mine, theirs, amount)
    else:
        move = Move(kind, theirs, mine, amount)
    row = transfers.enter(move, game=None, stamp=stamp)
    _link(event, player, [row])
    return row


def _reverse(event: Event, player: Player, rows: Sequence[BookEntry], stamp: Stamp) -> None:
    _link(event, player, transfers.reverse(rows, stamp=stamp))


def _link(event: Event, player: Player, rows: Sequence[BookEntry]) -> None:
    EntryFee.objects.bulk_create(EntryFee(transfer=row, event=event, player=player) for row in rows)


def _keep_paid(event: Event, entry: Entry) -> None:
    """Keep with the entry what it has paid of what it owes: prizes are paid out of that.

    Of an event that is called off it is all that it gets back.
    """
    received = sum(row.amount for row in _standing(event, entry, EntryKind.FEE_PAID))
    is_cancelled = event.status == Status.CANCELLED
    paid = received if is_cancelled else min(received, fee_due(event, entry))
    if paid != entry.fee_paid:
        entry.fee_paid = paid
        entry.save(update_fields=["fee_paid"])
