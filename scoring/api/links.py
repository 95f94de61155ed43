"""Seat links: made, listed, revoked, a token shown once; and the code at the door of an event."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from django.urls import reverse
from rest_framework.response import Response

from scoring.api.places import GameViewSetBase, find_seat
from scoring.games import links
from scoring.models import Game, SeatLink
from scoring.presentation.answers import seats_of
from tournaments.access.rights import Right
from tournaments.api.idempotency import OneTimeResponse, idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import CharField, DateTimeField, ListField, StrictSerializer
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.core.public_address import public_url
from tournaments.events import door
from tournaments.models import DoorCode


@example({"seats": ["N", "E", "S", "W"]})
class NewLinksSerializer(StrictSerializer):
    """For which seats links are made, and until when."""

    seats = ListField(
        child=CharField(max_length=5),
        min_length=1,
        max_length=12,
        help_text="Seats, or 'table' for a link of the whole table.",
    )
    expires_at = DateTimeField(required=False)


class LinkOut(TypedDict):
    """A seat link; ``seat`` is null for one of the whole table."""

    id: UUID
    seat: str | None
    made_at: datetime
    ends_at: datetime
    revoked_at: datetime | None
    used_at: datetime | None


class LinkList(TypedDict):
    """Every link that a game ever had."""

    links: list[LinkOut]


class NewLinks(TypedDict):
    """New links. ``tokens`` are by place, one to a line; they are shown once, then null."""

    links: list[LinkOut]
    tokens: str | None


class LinkViewSet(GameViewSetBase):
    """The seat links of a game."""

    pagination_class = None
    lookup_url_kwarg = "link_id"
    inputs = {"create": NewLinksSerializer}
    outputs = {"list": LinkList, "create": NewLinks, "destroy": LinkOut}
    rights = {
        "list": Right.LINKS_EDIT,
        "create": Right.LINKS_EDIT,
        "destroy": Right.LINKS_EDIT,
    }

    def list(self, request: ApiRequest, game_id: UUID) -> Response:
        """List links with their last use, revoked ones too."""
        return Response(
            {"links": [link_out(link, self.game) for link in links.list_links(self.game)]}
        )

    @idempotent
    def create(self, request: ApiRequest, game_id: UUID) -> Response:
        """Make a link for each of some seats; what opens them is shown this once."""
        sent = self.validated_data
        seats = [
            None if name == "table" else find_seat(name, self.game, "seats")
            for name in sent["seats"]
        ]
        made = links.make_links(
            game_id=game_id,
            seats=seats,
            by=request.by,
            at=request.at,
            expires_at=sent.get("expires_at"),
        )
        data = {"links": [link_out(one.link, self.game) for one in made]}
        tokens = "\n".join(one.token for one in made)
        return OneTimeResponse(data, {"tokens": tokens}, status=201)

    @idempotent
    def destroy(self, request: ApiRequest, game_id: UUID, link_id: UUID) -> Response:
        """Revoke a link, for ever."""
        link = links.revoke_link(game_id=game_id, link_id=link_id, by=request.by, at=request.at)
        return Response(link_out(link, self.game))


def link_out(link: SeatLink, game: Game) -> LinkOut:
    """Return a link as data."""
    return {
        "id": link.pk,
        "seat": None if link.seat is None else seats_of(game)[link.seat],
        "made_at": link.made_at,
        "ends_at": links.ends_at(link),
        "revoked_at": link.revoked_at,
        "used_at": link.used_at,
    }


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

    def answer_door(self, door_code: DoorCode | None, status: int = 200) -> Response:
        """Return the code with the address for phones."""
        shown: DoorCodeOut | None = None
        if door_code is not None:
            page = public_url(self.request, reverse("door-page", args=[door_code.code]))
            shown = {
                "code": door_code.code,
                "address": page,
                "made_by": door_code.made_by,
                "made_at": door_code.made_at,
            }
        data: DoorOut = {"door": shown}
        return Response(data, status)
