"""The code at the door of an event, by which players check themselves in."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from django.urls import reverse
from rest_framework.response import Response

from tournaments.access.rights import Right
from tournaments.api.idempotency import idempotent
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.core.public_address import public_url
from tournaments.events import door
from tournaments.models import DoorCode


class DoorCodeOut(TypedDict):
    """A code of six letters and digits, and the page that it opens."""

    code: str
    address: str
    made_by: str
    made_at: datetime


class DoorOut(TypedDict):
    """The door of an event; null where nobody can check themselves in."""

    door: DoorCodeOut | None


class DoorViewSet(EventViewSetBase):
    """The door of an event."""

    outputs = dict.fromkeys(("retrieve", "create", "destroy"), DoorOut)
    rights = dict.fromkeys(("retrieve", "create", "destroy"), Right.EVENTS_EDIT)

    def retrieve(self, request: ApiRequest, event_id: UUID) -> Response:
        """Show the code that is on."""
        return self.answer_door(DoorCode.objects.filter(event=event_id).first())

    @idempotent
    def create(self, request: ApiRequest, event_id: UUID) -> Response:
        """Make a new code; the one before it opens nothing any more."""
        made = door.open_door(event_id=event_id, by=request.by, at=request.at)
        return self.answer_door(made, status=201)

    @idempotent
    def destroy(self, request: ApiRequest, event_id: UUID) -> Response:
        """Let nobody check themselves in any more."""
        door.close_door(event_id=event_id, by=request.by, at=request.at)
        return self.answer_door(None)

    def answer_door(self, found: DoorCode | None, status: int = 200) -> Response:
        """Return the code with the address for phones."""
        shown: DoorCodeOut | None = None
        if found is not None:
            page = public_url(self.request, reverse("door-page", args=[found.code]))
            shown = {
                "code": found.code,
                "address": page,
                "made_by": found.made_by,
                "made_at": found.made_at,
            }
        data: DoorOut = {"door": shown}
        return Response(data, status)
