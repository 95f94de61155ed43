"""Prizes of an event, booked as paid out (DEC-14)."""

from typing import TypedDict
from uuid import UUID

from rest_framework.response import Response

from scoring.games.prizes import book_prizes
from tournaments.access.rights import Right
from tournaments.api.idempotency import idempotent
from tournaments.api.views import ApiRequest, EventViewSetBase


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

        A fee that is still open is paid out of the prize. After an amendment, those that changed
        are booked anew; otherwise nothing is booked twice.
        """
        booked = book_prizes(event_id=event_id, by=request.by, at=request.at)
        data: PrizesOut = {
            "currency": self.event.club.currency,
            "items": [{"player": player, "amount": won} for player, won in booked.items()],
        }
        return Response(data)
