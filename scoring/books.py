"""Game books: what merging, erasing, entering and undoing mean in games, and who is told.

The setting ``BOOKS`` names the class; clubs and events see it as `tournaments.core.ports.Books`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.core.cache import caches
from django.db import transaction

from engine.core.messages import Message
from scoring.erasure import erase_person
from scoring.games.director_calls import find_calls, name_calling_table
from scoring.games.fees import charge_fees
from scoring.ledger.result_credit import both_sat
from scoring.models import EntryFee, PlayerPhone, TableCode
from scoring.transfer.importing.undo import BLOCKED_FINDERS, UNDOERS
from scoring.webhooks.subscriptions import (
    WebhookEvent,
    enqueue_night_event,
    enqueue_published_standings,
)
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.core.ports import BlockedFinder
from tournaments.imports import Undoer
from tournaments.jobs import forget_names
from tournaments.models import Entry, Event, Player
from tournaments.people.erasure import Erasure
from tournaments.publishing import Issue


class GameBooks:
    """The books of games, money and webhooks."""

    undoers: Mapping[str, Undoer] = UNDOERS
    blocked_finders: Mapping[str, BlockedFinder] = BLOCKED_FINDERS

    def charge_fees(self, event: Event, entries: Sequence[Entry], by: Actor, at: datetime) -> None:
        """Bring the entry fees of some entries up to date; the event is locked."""
        charge_fees(event, entries, by, at)

    def remove_event(self, event: Event) -> None:
        """Remove the codes of an event's tables, and the phones that followed its players.

        Raises RefusedError where a fee, a prize or a payment was booked.
        """
        if EntryFee.objects.filter(event=event).exists():
            raise RefusedError(Message("Entry fees are in the books of this night."), "status")
        TableCode.objects.filter(event=event).delete()
        PlayerPhone.objects.filter(event=event).delete()

    def announce_event(self, event: Event, change: str, at: datetime) -> None:
        """Enqueue a message for every webhook that wants to know of this change."""
        enqueue_night_event(event, WebhookEvent(change), at=at)

    def find_calling_tables(self, event: Event) -> list[str]:
        """Return the tables whose call nobody took, the oldest first. One query."""
        return list(dict.fromkeys(name_calling_table(call) for call in find_calls(event)))

    def objection_to_merger(self, duplicate: Player, survivor: Player) -> str:
        """Return why one player cannot be the other: both sat in one game at the same time."""
        return both_sat(duplicate, survivor)

    def erase_person(self, erasure: Erasure) -> None:
        """Erase a person from games, books and webhooks, and from the files of the club."""
        erase_person(erasure)
        forget_names(erasure.club)
        transaction.on_commit(caches["files"].clear)

    def announce_standings(self, issue: Issue, at: datetime) -> None:
        """Enqueue a message for every webhook that wants new official standings."""
        enqueue_published_standings(issue, at)
