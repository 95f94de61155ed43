"""The cookie by which a browser is signed in as a player, and what it says on other pages."""

from datetime import timedelta
from typing import Final, TypeVar

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from engine.core.seats import Seat
from scoring.models import Hand, Sitting
from tournaments.models import PlayerDevice
from tournaments.people import player_devices
from tournaments.publishing.player_lines import list_duplicate_ids

Response = TypeVar("Response", bound=HttpResponseBase)

COOKIE: Final = "painsuit-player"
_AGE: Final = timedelta(days=400)
"""As long as browsers keep a cookie; whether it is worth anything is for the service to say."""


def device_of(request: HttpRequest) -> PlayerDevice | None:
    """Return the device that a request comes from, with its player. One query, seldom two."""
    return player_devices.find_device(request.COOKIES.get(COOKIE, ""), at=timezone.now())


def keep_signed_in(answer: Response, token: str) -> Response:
    """Have a browser keep the token of its device, from now on as long as browsers keep one."""
    answer.set_cookie(
        COOKIE,
        token,
        max_age=_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return answer


def find_own_seat(request: HttpRequest, hand: Hand) -> Seat | None:
    """Return the seat in which the player whose browser asks played a hand, if they did.

    None for a device from a phone at the table as well: that is too weak a proof for what is
    private (DEC-19). No query without the cookie, else three.
    """
    device = device_of(request) if COOKIE in request.COOKIES else None
    if device is None or device.phone_id is not None:
        return None
    sat = Sitting.objects.filter(
        Q(last=None) | Q(last__gte=hand.number),
        game=hand.game_id,
        first__lte=hand.number,
        player__in=list_duplicate_ids(device.player),
    )
    seat = sat.values_list("seat", flat=True).first()
    return None if seat is None else Seat(seat)
