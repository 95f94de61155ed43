"""The cookie by which a browser is signed in as a player, and the base of pages that need it."""

from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.generic.base import View

from tournaments.core import time_zones
from tournaments.models import Player, PlayerDevice
from tournaments.people import player_devices
from tournaments.people.player_devices import SignedInDevice
from tournaments.web.responses import forbid_storing

COOKIE: Final = "painsuit-player"
_AGE: Final = timedelta(days=400)
"""As long as browsers keep a cookie; whether it is worth anything is for the service to say."""


def device_of(request: HttpRequest) -> PlayerDevice | None:
    """Return the device that a request comes from, with its player. One query, seldom two."""
    return player_devices.find_device(request.COOKIES.get(COOKIE, ""), at=timezone.now())


def enter(made: SignedInDevice) -> HttpResponse:
    """Go to the page of the player whom a device was just signed in as, and keep it signed in."""
    answer = redirect("my-season")
    answer.set_cookie(
        COOKIE,
        made.token,
        max_age=_AGE,
        path=reverse("my-season"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return answer


class PrivatePageMixin(View):
    """A page that no cache stores."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return forbid_storing(super().dispatch(request, *args, **kwargs))


class OwnPageMixin(PrivatePageMixin):
    """A page of the player as whom this device is signed in; others are asked to sign in."""

    device: PlayerDevice

    @property
    def player(self) -> Player:
        """Whose page it is."""
        return self.device.player

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        device = device_of(request)
        if device is None:
            return forbid_storing(redirect("my-sign-in"))
        self.device = device
        timezone.activate(time_zones.zone(self.player.club.time_zone))
        return super().dispatch(request, *args, **kwargs)
