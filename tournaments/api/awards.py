"""The prizes of an event."""

from typing import TypedDict
from uuid import UUID

from rest_framework.response import Response

from tournaments.access.rights import Right
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.events import awards


class AwardOut(TypedDict):
    """What an entry gets; tied ones share what their places bring."""

    entry: UUID
    place: int
    paid: int
    amount: int


class AwardsOut(TypedDict):
    """Where the pool goes, in minor units: ``fee``, ``house``, ``carried`` and amounts are all."""

    currency: str
    pool: int
    added: int
    fee: int
    house: int
    carried: int
    awards: list[AwardOut]
    unranked: list[UUID]
    is_final: bool


class AwardsViewSet(EventViewSetBase):
    """What there is to win."""

    outputs = {"retrieve": AwardsOut}
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, event_id: UUID) -> Response:
        """Share the pool of an event by its standings as they are now."""
        event = self.event
        sheet = awards.awards_of(event)
        found = sheet.awards
        lines: list[AwardOut] = [
            {"entry": UUID(one.player), "place": one.place, "paid": one.paid, "amount": amount}
            for one, amount in zip(found.finishers, found.amounts, strict=True)
        ]
        data: AwardsOut = {
            "currency": event.club.currency,
            "pool": found.pool,
            "added": event.added,
            "fee": found.fee,
            "house": found.house,
            "carried": found.carried,
            "awards": lines,
            "unranked": list(sheet.unranked),
            "is_final": event.official_at is not None,
        }
        return Response(data)
