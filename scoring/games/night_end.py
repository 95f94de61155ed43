"""The end of a night: what everybody won, the fewest payments that settle it, prizes booked.

Prizes are won, netted with the fee, and paid out (DEC-14).
"""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from scoring.games.fees import pay_open_fees, post_payment, post_prize, standing_transfers
from scoring.games.night_sheets import (
    NightAccounts,
    PlayerBalance,
    add_prizes,
    open_amounts,
    payout_sheet,
)
from scoring.ledger.netting import Payment
from scoring.ledger.transfers import Stamp
from scoring.models import EntryKind, Game
from scoring.selectors import queries
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.events.awards import Sheet, awards_of
from tournaments.events.events import OVER, lock_with_club, note
from tournaments.models import Entry, Event, Status
from tournaments.publishing.versions import Standings


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSettlement:
    """The way in which one player settles up after a night in one currency, in its minor units.

    ``line`` is what the night and earlier ones came to for them, ``payments`` those of the night's
    fewest payments that they make or receive; None is the club.
    """

    currency: str
    line: PlayerBalance
    payments: tuple[Payment[UUID | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightEnd:
    """The money of an event: its accounts in each currency, and the prizes that were won.

    ``prizes`` are in minor units of the club's currency, by player; those that are not in the books
    yet are part of the payments (DEC-14). They are empty while the event is played.
    """

    accounts: tuple[NightAccounts, ...]
    prizes: Mapping[UUID, int]

    @property
    def has_money(self) -> bool:
        """Whether anything is paid by anybody."""
        return any(sheet.payments for sheet in self.accounts) or any(self.prizes.values())

    @property
    def players(self) -> set[UUID]:
        """Everybody who has a line or a prize."""
        return {line.player for sheet in self.accounts for line in sheet.lines} | self.prizes.keys()

    def settlements_of(self, player: UUID) -> list[PlayerSettlement]:
        """Return how a player settles up, by currency; empty where no money moved for them.

        ``player`` is who they turned out to be, if they were merged with a duplicate.
        """
        return [
            PlayerSettlement(
                currency=sheet.currency,
                line=line,
                payments=tuple(
                    payment
                    for payment in sheet.payments
                    if player in (payment.payer, payment.payee)
                ),
            )
            for sheet in self.accounts
            for line in sheet.lines
            if line.player == player
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightPrizes:
    """The prizes of an event by player, the first place first; empty while it is played.

    ``unbooked`` are those that are not in the books; below zero where too much is. There are none
    where pools were not frozen yet: prizes of such a night were booked by hand. ``sheet`` is how
    they are shared, ``merged`` who the club's duplicates turned out to be.
    """

    sheet: Sheet | None = None
    won: Mapping[UUID, int] = field(default_factory=dict)
    unbooked: Mapping[UUID, int] = field(default_factory=dict)
    merged: Mapping[UUID, UUID]


def read_night_prizes(event: Event, held: Standings | None = None) -> NightPrizes:
    """Return the prizes that were won, and those that are not booked yet.

    ``held`` are the standings that hold, if they are read already. Three queries then.
    """
    merged = queries.survivors(event.club_id)
    if event.status not in OVER:
        return NightPrizes(merged=merged)
    sheet: Sheet | None = None
    won, unbooked = Counter[UUID](), Counter[UUID]()
    with suppress(RefusedError):  # the page of the event says why prizes cannot be shared
        sheet = awards_of(event, held)
        for one, amount in zip(sheet.awards.finishers, sheet.awards.amounts, strict=True):
            player = sheet.players[one.player]
            won[merged.get(player, player)] += amount
    if event.status != Status.OFFICIAL or event.frozen_fees is not None:
        unbooked.update(won)
        for row in standing_transfers(event, EntryKind.PRIZE):
            unbooked[merged.get(row.player_id, row.player_id)] -= row.transfer.amount
    return NightPrizes(
        sheet=sheet,
        won={player: amount for player, amount in won.items() if amount},
        unbooked={player: amount for player, amount in unbooked.items() if amount},
        merged=merged,
    )


def compute_night_end(event: Event, held: Standings | None = None) -> NightEnd:
    """Return what an event comes to in money: who pays whom, and who won how much.

    The same games, fees and standings always give the same payments. For up to
    `scoring.ledger.netting.EXACT_MAX` people with money open they are the fewest there are, for
    more at most one fewer than the people. ``held`` are the standings that hold, if they are read
    already. About seven queries then, and a ranking where these are behind: keep the answer for as
    long as ``event.version`` is the same.
    """
    prizes = read_night_prizes(event, held)
    return NightEnd(accounts=tuple(build_accounts(event, prizes)), prizes=prizes.won)


def build_accounts(
    event: Event, prizes: NightPrizes, *, is_current: bool = False
) -> list[NightAccounts]:
    """Return the money of the games, entry fees and prizes of an event, a sheet for a currency.

    ``is_current``: with balances as they are now, whatever was played and paid since.
    """
    games = Game.objects.filter(table__round__event=event).values("pk")
    sheets = payout_sheet(
        club_id=event.club_id,
        games=games,
        event=event.pk,
        is_current=is_current,
        merged=prizes.merged,
    )
    return add_prizes(sheets, prizes.unbooked, event.club.currency)


@transaction.atomic
def book_prizes(*, event_id: UUID, by: Actor, at: datetime) -> dict[UUID, int]:
    """Book the prizes of an official event as won and paid out; return them by player.

    What the player owes, also for fees of this and other nights, is kept back from the prize, and
    the club pays the rest in cash. Where the prize covers it all, open fees are marked as paid.
    Where an amendment changed a prize, the difference is paid, by the player if it is less.
    Repeating it changes nothing.

    Raises RefusedError: not official, or official before pools were frozen.
    """
    event = lock_with_club(event_id)
    if event.status != Status.OFFICIAL:
        raise RefusedError(Message("Prizes are paid out once the results are official."), "status")
    if event.frozen_fees is None:
        words = Message("The prizes of this night are booked one by one: it was official before.")
        raise RefusedError(words, "status")
    prizes, stamp = read_night_prizes(event), Stamp(by, at)
    changed = prizes.unbooked
    if not changed:
        return {}
    entries = find_entries(event, prizes.merged)
    winners = {player: entries[player] for player in changed if player in entries}
    booked = {player: prizes.won.get(player, 0) for player in winners}
    for player, entry in winners.items():
        post_prize(event, entry, booked[player], stamp)
    # Read once all prizes are in the books: what a winner owes is kept back.
    held = open_amounts(event.club_id)
    for player, entry in winners.items():
        balance, change = held.get((player, event.club.currency), 0), changed[player]
        if change > 0 and balance >= 0:
            fees = pay_open_fees(event.club, [player], by, at, most=change)
            paid = min(change, balance + fees)
        else:
            paid = max(min(change, 0), min(balance, 0))
        post_payment(event, entry.player, paid, stamp)
        details = {"player": player, "amount": booked[player], "currency": event.club.currency}
        note(event, AuditRecord(Message("prizes paid out"), details=details), by, at)
    return booked


def find_entries(event: Event, merged: Mapping[UUID, UUID]) -> dict[UUID, Entry]:
    """Return the entries of an event by who their players turned out to be. One query."""
    rows = Entry.objects.filter(event=event).select_related("player__merged_into", "event__club")
    found: dict[UUID, Entry] = {}
    for entry in rows.order_by("number"):
        found.setdefault(merged.get(entry.player_id, entry.player_id), entry)
    return found
