"""Signing a browser in as a player, and the base of pages that only a player sees."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.views.generic.base import View

from scoring.web.player_cookie import device_of, keep_signed_in
from tournaments.core import time_zones
from tournaments.core.errors import NotAllowedError, NotThereError
from tournaments.models import Player, PlayerDevice
from tournaments.people import player_devices
from tournaments.people.player_devices import SignedInDevice
from tournaments.web.responses import forbid_storing


def sign_in_response(request: HttpRequest, made: SignedInDevice) -> HttpResponse:
    """Go to the page of the player as whom a browser was just signed in, and keep it signed in.

    What it was signed in as before ends.
    """
    before = device_of(request)
    if before is not None:
        player_devices.sign_out_device(player=before.player, device_id=before.pk, at=timezone.now())
    return keep_signed_in(redirect("my-season"), made.token)


class PrivatePageMixin(View):
    """A page that no cache stores; what is not there or not allowed is 404 or 403."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return forbid_storing(super().dispatch(request, *args, **kwargs))
        except NotThereError as error:
            raise Http404 from error
        except NotAllowedError as error:
            raise PermissionDenied from error


class OwnPageMixin(PrivatePageMixin):
    """A page of the player as whom this device is signed in; others are asked to sign in."""

    device: PlayerDevice

    @property
    def player(self) -> Player:
        """The player whose page it is."""
        return self.device.player

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        device = device_of(request)
        if device is None:
            return forbid_storing(redirect("my-sign-in"))
        self.device = device
        timezone.activate(time_zones.zone(self.player.club.time_zone))
        return super().dispatch(request, *args, **kwargs)
