"""Entry fees of an event: who owes, who has paid."""

from typing import TypedDict
from uuid import UUID

from rest_framework.response import Response

from scoring.games import fees
from scoring.games.fees import FeeLine, list_fees
from scoring.games.night_end import book_prizes
from tournaments.access.rights import Right
from tournaments.api.entries import get_entry
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import BooleanField, StrictSerializer
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.events.events import fee_due


@example({"paid": True})
class PaidSerializer(StrictSerializer):
    """Whether a fee was paid."""

    paid = BooleanField(help_text="Whether the fee was paid; false takes the tick back.")


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


class FeeViewSet(EventViewSetBase):
    """The entry fees of an event."""

    inputs = {"update": PaidSerializer}
    outputs = {"retrieve": FeesOut, "update": FeeOut}
    rights = {"retrieve": Right.EVENTS_EDIT, "update": Right.EVENTS_EDIT}

    def retrieve(self, request: ApiRequest, event_id: UUID) -> Response:
        """List who owes the entry fee, from check-in on, and who has paid it."""
        lines = list_fees(self.event)
        found: FeesOut = {
            "currency": self.event.club.currency,
            "due": sum(line.due for line in lines),
            "paid": sum(line.paid for line in lines),
            "items": [fee_out(line) for line in lines],
        }
        return Response(found)

    @idempotent
    def update(self, request: ApiRequest, event_id: UUID, entry_id: UUID) -> Response:
        """Tick the fee as paid, or take the tick back."""
        get_entry(self.event, entry_id)
        entry = fees.mark_fee(
            event_id=event_id,
            entry_id=entry_id,
            by=request.by,
            at=request.at,
            **self.validated_data,
        )
        return Response(fee_out(FeeLine(entry, fee_due(self.event, entry), entry.fee_paid)))


def fee_out(line: FeeLine) -> FeeOut:
    """Return the fee of an entry as data."""
    return {
        "entry": line.entry.pk,
        "player": line.entry.player_id,
        "due": line.due,
        "paid": line.paid,
        "is_paid": line.is_paid,
    }


class PrizeOut(TypedDict):
    """What a player won, in minor units of the club's currency; 0 where a prize was taken back."""

    player: UUID
    amount: int


class PrizesOut(TypedDict):
    """The prizes that were booked by this request; none where all were in the books."""

    currency: str
    items: list[PrizeOut]


class PrizeViewSet(EventViewSetBase):
    """The prizes of an event."""

    outputs = {"create": PrizesOut}
    statuses = {"create": (200,)}
    rights = {"create": Right.MONEY_EDIT}

    @idempotent
    def create(self, request: ApiRequest, event_id: UUID) -> Response:
        """Book that the prizes of an official event were paid out.

        Fees that are still open are paid out of the prize where it covers all that its winner
        owes. After an amendment, the differences are booked; otherwise nothing is booked twice.
        """
        booked = book_prizes(event_id=event_id, by=request.by, at=request.at)
        data: PrizesOut = {
            "currency": self.event.club.currency,
            "items": [{"player": player, "amount": won} for player, won in booked.items()],
        }
        return Response(data)
