"""Money between a club and its players: fees, prizes, payments, and balances that are given up.

Every entry is one transfer in minor units of one currency, with a note, an actor and a moment. What
turns out wrong is taken back by a reversal that is linked to it. What a game's stakes and payouts
come to is posted when games are opened and closed, never here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from scoring.games.fees import pay_open_fees
from scoring.games.night_sheets import open_amounts
from scoring.ledger import transfers
from scoring.ledger.result_credit import survivor
from scoring.ledger.transfers import CHIPS, BookAccount, BookEntry, Move, Stamp
from scoring.models import EntryKind, Game, Holder
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.models import Club, Player

NOTE_MAX: Final = transfers.NOTE_MAX
ENTERED: Final = Message("money entered")
TAKEN_BACK: Final = Message("money taken back")
"""Entries of the trail, with which `verify` compares the books."""
FROM_PLAYER: Final = {EntryKind.FEE: Holder.FUND, EntryKind.PAID_OUT: Holder.TILL}
"""Entries that a player's account pays, and who gets it."""
TO_PLAYER: Final = {EntryKind.PRIZE: Holder.FUND, EntryKind.RECEIVED: Holder.TILL}
"""Entries that go to a player's account, and who pays it: a till with cash in it is below zero."""
KINDS: Final = (*FROM_PLAYER, *TO_PLAYER, EntryKind.BETWEEN, EntryKind.WRITE_OFF)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBooking:
    """A booking to be made; ``currency`` empty means the club's.

    ``other`` is whom the player paid, for a payment between two of them. ``game`` is the game that
    it is about, if any. A write-off brings a balance towards zero, whichever side of it that is.
    """

    kind: EntryKind
    player: UUID
    amount: int
    note: str
    currency: str = ""
    other: UUID | None = None
    game: UUID | None = None


@transaction.atomic
def enter_money(*, club_id: UUID, entry: NewBooking, by: Actor, at: datetime) -> BookEntry:
    """Book a fee, a prize, a payment or a write-off.

    Raises RefusedError, naming the field: an amount that is none, a currency in which nobody here
    has an account, a player or a game of another club, no note, more written off than is open.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if entry.kind not in KINDS:
        raise RefusedError(
            Message("{kind} is posted by games themselves.", kind=entry.kind), "kind"
        )
    if isinstance(entry.amount, bool) or not isinstance(entry.amount, int):
        raise RefusedError(Message("An amount is a whole number of minor units."), "amount")
    if entry.amount <= 0:
        raise RefusedError(Message("An amount is more than nothing."), "amount")
    if entry.amount > transfers.AMOUNT_MAX:
        raise RefusedError(
            Message("Nobody has ever paid more than {most}.", most=transfers.AMOUNT_MAX), "amount"
        )
    _check_note(entry.note, "note")
    unit = _currency(club, entry.currency)
    player = _player(club, entry.player, "player")
    move = _move(club, entry, transfers.player_account(player, unit))
    written = transfers.enter(move, game=_game(club, entry.game), stamp=Stamp(by, at))
    details = {
        "entry": written.pk,
        "kind": str(entry.kind),
        "player": player.pk,
        "amount": entry.amount,
        "currency": unit,
    }
    audit.note(
        AuditRecord(ENTERED, entry.note, details),
        chain=club.pk,
        club=club.pk,
        by=by,
        at=at,
    )
    return written


@transaction.atomic
def settle_balance(
    *, club_id: UUID, key: tuple[UUID, str], seen: int, note: str, by: Actor, at: datetime
) -> int:
    """Book that a player paid or got all that is open in a currency; return what it was.

    ``key`` is the player and the currency, ``seen`` the amount that somebody confirms: below zero,
    the player owes it. Entry fees are part of it: those that are open are marked as paid, and the
    rest is handed over. Repeating it changes nothing.

    Raises RefusedError where another amount is open by now.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    amount = open_amounts(club_id).get(key, 0)
    if amount not in (0, seen):
        words = Message("The amounts have changed since you saw them. Please look at them again.")
        raise RefusedError(words, "seen")
    player, unit = key
    fees = pay_open_fees(club, [player], by, at) if amount and unit == club.currency else 0
    if amount and (rest := amount + fees):
        kind = EntryKind.RECEIVED if rest < 0 else EntryKind.PAID_OUT
        entry = NewBooking(kind=kind, player=player, amount=abs(rest), note=note, currency=unit)
        enter_money(club_id=club_id, entry=entry, by=by, at=at)
    return amount


def bring_booking(
    club: Club,
    move: Move,
    *,
    player: UUID,
    unit: str,
    game: Game | None,
    stamp: Stamp,
    at: datetime,
) -> BookEntry:
    """Book what an archive says was booked ``at`` some moment; the caller holds the club's lock.

    ``player`` is whose account it is about, in ``unit``. Raises RefusedError for a currency that
    the books do not have, and for what games book themselves.
    """
    if move.kind not in KINDS:
        raise RefusedError(Message("{kind} is posted by games themselves.", kind=move.kind), "kind")
    _currency(club, unit)
    written = transfers.enter(move, game=game, stamp=Stamp(stamp.by, at))
    details = {
        "entry": written.pk,
        "kind": move.kind,
        "player": player,
        "amount": move.amount,
        "currency": unit,
    }
    action = AuditRecord(ENTERED, move.note, details)
    audit.note(action, chain=club.pk, club=club.pk, by=stamp.by, at=at)
    return written


def _check_note(text: str, field: str) -> None:
    if not text.strip():
        raise RefusedError(Message("Say what it is for."), field)
    if len(text) > NOTE_MAX:
        raise RefusedError(
            Message(
                "This may have {most} characters; it has {count}.", most=NOTE_MAX, count=len(text)
            ),
            field,
        )
    if "\x00" in text:
        raise RefusedError(Message("There is a character in this that no text has."), field)


def _currency(club: Club, written: str) -> str:
    """The currency meant: the club's, or that of a game which was played in another."""
    if written in ("", club.currency):
        return club.currency
    if written == CHIPS or not transfers.has_accounts(club, written):
        words = Message(
            "The books of this club are in {currency}; nothing is in {written}.",
            currency=club.currency,
            written=repr(written[:10]),
        )
        raise RefusedError(words, "currency")
    return written


def _player(club: Club, number: UUID, field: str) -> Player:
    known = Player.objects.filter(club=club).select_related("merged_into")
    found = known.filter(pk=number).first()
    if found is None:
        raise RefusedError(Message("The club does not know this player."), field)
    return survivor(found)


def _game(club: Club, number: UUID | None) -> Game | None:
    if number is None:
        return None
    game = Game.objects.filter(club=club, pk=number).first()
    if game is None:
        raise RefusedError(Message("The club has no such game."), "game")
    return game


def _move(club: Club, entry: NewBooking, mine: BookAccount) -> Move:
    """The transfer that an entry is."""
    kind, amount, note = entry.kind, entry.amount, entry.note
    if entry.other is not None and kind != EntryKind.BETWEEN:
        raise RefusedError(
            Message("A second player stands in a payment between two of them only."), "other"
        )
    if kind in FROM_PLAYER:
        theirs = transfers.club_account(club, FROM_PLAYER[kind], mine.unit)
        return Move(kind, mine.pk, theirs.pk, amount, note)
    if kind in TO_PLAYER:
        theirs = transfers.club_account(club, TO_PLAYER[kind], mine.unit)
        return Move(kind, theirs.pk, mine.pk, amount, note)
    if kind == EntryKind.BETWEEN:
        if entry.other is None:
            raise RefusedError(Message("Say whom they paid."), "other")
        other = _player(club, entry.other, "other")
        if other.pk == mine.player_id:
            raise RefusedError(Message("Nobody pays themselves."), "other")
        # They paid the other one in cash: the club owes them more by that, and the other one less.
        return Move(kind, transfers.player_account(other, mine.unit).pk, mine.pk, amount, note)
    balance = open_amounts(club.pk).get((mine.player_id, mine.unit), 0) if mine.player_id else 0
    if entry.amount > abs(balance):
        raise RefusedError(
            Message("Less than that is open between this player and the club."), "amount"
        )
    fund = transfers.club_account(club, Holder.FUND, mine.unit)
    payer, payee = (fund, mine) if balance < 0 else (mine, fund)
    return Move(entry.kind, payer.pk, payee.pk, entry.amount, entry.note)


@transaction.atomic
def reverse_money(*, club_id: UUID, entry: int, why: str, by: Actor, at: datetime) -> BookEntry:
    """Take an entry back by one that is its opposite; ``entry`` is its number in the books.

    Raises RefusedError: no such entry, posted by a game, taken back already, no reason.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    transfer = transfers.entry_of(club, entry)
    if transfer is None:
        raise RefusedError(Message("There is no such entry in the books of this club."), "entry")
    if transfer.kind not in KINDS:
        raise RefusedError(Message("This was posted by a game: open the game again."), "entry")
    if hasattr(transfer, "entry_fee"):
        raise RefusedError(Message("This was booked with a night: take it back there."), "entry")
    if transfer.reverses_id is not None:
        raise RefusedError(Message("This takes another entry back; book that one again."), "entry")
    if transfers.is_reversed(transfer):
        raise RefusedError(Message("This entry was taken back already."), "entry")
    _check_note(why, "why")
    (opposite,) = transfers.reverse([transfer], stamp=Stamp(by, at), note=why)
    details: Mapping[str, object] = {
        "entry": transfer.pk,
        "kind": transfer.kind,
        "amount": transfer.amount,
    }
    action = AuditRecord(TAKEN_BACK, why, details)
    audit.note(action, chain=club.pk, club=club.pk, by=by, at=at)
    return opposite
