"""Authentication of phones by seat link."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils import timezone
from rest_framework.request import Request

from engine.core.messages import Message
from scoring.games import links
from scoring.presentation.answers import seats_of
from tournaments.access.rights import Asker
from tournaments.api.authentication import Authentication, credentials
from tournaments.core.errors import RefusedError


class SeatAuthentication(Authentication):
    """A phone at a table, by the link behind the QR code, and the seat that it speaks for.

    ``Authorization: Seat TOKEN``; a link of the whole table says its seat too: ``TOKEN N``.
    """

    name = "seat"
    scheme: ClassVar[Mapping[str, Any]] = {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": "A seat link: Seat TOKEN, or Seat TOKEN N for a link of the whole table.",
    }

    def asker(self, request: Request) -> Asker | None:
        shown = credentials(request, "Seat")
        if shown is None:
            return None
        token, _, seat = shown.partition(" ")
        link = links.find_link(token, at=timezone.now())
        seats = seats_of(link.game)
        if seat and seat.upper() not in seats:
            words = Message("The seats of this table are {seats}.", seats=" ".join(seats))
            raise RefusedError(words, "Authorization")
        place = seats.index(seat.upper()) if seat else None
        return Asker(links.actor_of(link, place), game=link.game_id)
