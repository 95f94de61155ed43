"""Prizes of an event in the books: won, netted with the fee, and paid out (DEC-14)."""

from collections import Counter
from datetime import datetime
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from scoring.games.fees import mark_fee, post_payout, post_prize
from scoring.games.night_end import prizes_by_player, unbooked_prizes
from scoring.ledger.transfers import Stamp
from scoring.selectors import queries
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.events.events import fee_due, lock, note
from tournaments.models import Entry, Status


@transaction.atomic
def book_prizes(*, event_id: UUID, by: Actor, at: datetime) -> dict[UUID, int]:
    """Book the prizes of an official event as won and paid out; return them by player.

    A fee that is still open is paid out of the prize, and so is what the player owes otherwise: the
    club pays the rest in cash. A prize that an amendment changed is taken back and booked anew.
    Repeating it changes nothing.

    Raises RefusedError: not official, or official before pools were frozen.
    """
    event = lock(event_id)
    if event.status != Status.OFFICIAL:
        raise RefusedError(Message("Prizes are paid out once the results are official."), "status")
    if event.frozen_fees is None:
        words = Message("The prizes of this night are booked one by one: it was official before.")
        raise RefusedError(words, "status")
    prizes, stamp = prizes_by_player(event), Stamp(by, at)
    changed = unbooked_prizes(event, prizes)
    if not changed:
        return {}
    merged = queries.survivors(event.club_id)
    rows = Entry.objects.filter(event=event).select_related("player__merged_into", "event__club")
    winners: dict[UUID, Entry] = {}
    for entry in rows.order_by("number"):
        player = merged.get(entry.player_id, entry.player_id)
        if player in changed:
            winners.setdefault(player, entry)
    booked = {player: prizes.get(player, 0) for player in winners}
    for player, entry in winners.items():
        post_prize(event, entry, booked[player], stamp)
        open_fee = fee_due(event, entry) - entry.fee_paid
        if 0 < open_fee <= booked[player]:
            mark_fee(event_id=event_id, entry_id=entry.pk, paid=True, by=by, at=at)
    # Read once all prizes and fees are in the books: what a winner owes is kept back.
    held = Counter[UUID]()
    for (who, unit), amount in queries.balances(event.club_id).items():
        if unit == event.club.currency:
            held[merged.get(who, who)] += amount
    for player, entry in winners.items():
        post_payout(event, entry, min(booked[player], held[player]), stamp)
    details = {"prizes": {str(player): amount for player, amount in booked.items()}}
    note(event, AuditRecord(Message("prizes paid out"), details=details), by, at)
    return booked
