"""Entry fees of an event: who owes, who has paid."""

from typing import TypedDict
from uuid import UUID

from scoring.games import fees
from scoring.games.fees import FeeLine, list_fees
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, read, write
from tournaments.api.fields import Flag, form
from tournaments.api.places import EventDoor, entry_of, event_of
from tournaments.events.entries import fee_due

PAID = form(paid=Flag(words="Whether the fee was paid; false takes the tick back."))


class FeeOut(TypedDict):
    """The fee of an entry, in minor units of the club's currency."""

    entry: UUID
    player: UUID
    due: int
    paid: int
    is_paid: bool


class FeesOut(TypedDict):
    """Everybody who owes the entry fee of an event."""

    currency: str
    due: int
    paid: int
    items: list[FeeOut]


class Fees(EventDoor):
    """The entry fees of an event."""

    @read(Right.EVENTS_EDIT, gives=FeesOut)
    def get(self, ask: Ask, event_id: UUID) -> Answer:
        """List who owes the entry fee, from check-in on, and who has paid it."""
        event = event_of(ask)
        lines = list_fees(event)
        data: FeesOut = {
            "currency": event.club.currency,
            "due": sum(line.due for line in lines),
            "paid": sum(line.paid for line in lines),
            "items": [_fee(line) for line in lines],
        }
        return Answer(data)


class OneFee(EventDoor):
    """The entry fee of an entry."""

    @write(Right.EVENTS_EDIT, takes=PAID, gives=FeeOut)
    def put(self, ask: Ask, event_id: UUID, entry_id: UUID) -> Answer:
        """Tick the fee as paid, or take the tick back."""
        entry_of(ask, entry_id)
        entry = fees.mark_fee(
            event_id=event_id, entry_id=entry_id, paid=ask.values["paid"], by=ask.by, at=ask.at
        )
        return Answer(_fee(FeeLine(entry, fee_due(event_of(ask), entry), entry.fee_paid)))


def _fee(line: FeeLine) -> FeeOut:
    return {
        "entry": line.entry.pk,
        "player": line.entry.player_id,
        "due": line.due,
        "paid": line.paid,
        "is_paid": line.is_paid,
    }
